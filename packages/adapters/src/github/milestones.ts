import type { HostMilestone, RepositoryHost } from '@shipworthy/domain/ports';
import {
  type Fields,
  listField,
  momentOrNull,
  numberOf,
  ownerAndName,
  pageText,
  placeFrom,
  placeNumber,
  textField,
} from './fields.js';
import type { identityCheck } from './repositories.js';
import type { GithubRequests } from './requests.js';

const PER_PAGE = 100;

/**
 * A milestone's id: its repository's id and its number. Both never change and both interfaces tell them, while node ids
 * come in an older and a newer spelling.
 */
export const milestoneId = (repositoryId: string, number: number): string => `${repositoryId}/${number}`;

const milestoneOf = (repositoryId: string, fields: Fields): HostMilestone => {
  const number = numberOf(fields, 'number');
  return {
    id: milestoneId(repositoryId, number),
    number,
    title: textField(fields, 'title'),
    state: textField(fields, 'state') === 'closed' ? 'closed' : 'open',
    dueAt: momentOrNull(fields, 'due_on'),
    url: textField(fields, 'html_url'),
  };
};

/** Milestones by the REST interface, 100 per request. */
export const milestoneLists = (
  requests: GithubRequests,
  check: ReturnType<typeof identityCheck>,
): Pick<RepositoryHost, 'milestones'> => ({
  milestones: async (access, repository, { page, validator }) => {
    const number = page === null ? 1 : placeNumber(placeFrom(page), 'number', 1);
    const got = await requests.get(
      access,
      'GET /repos/{owner}/{repo}/milestones',
      {
        ...ownerAndName(repository.path),
        state: 'all',
        sort: 'due_on',
        direction: 'asc',
        per_page: PER_PAGE,
        page: number,
      },
      // A repository whose issues are switched off has no milestones either.
      { missing: 'repository', nothingAt: [410], validator: page === null ? validator : null },
    );
    if (got.kind === 'unchanged') return { unchanged: true, budget: got.budget };
    if (page === null) await check(access, repository);
    const { budget } = got;
    if (got.kind === 'nothing') return { unchanged: false, rows: [], next: null, validator: null, budget };
    const rows = listField(got.data, 'milestones').map((fields) => milestoneOf(repository.id, fields));
    return {
      unchanged: false,
      rows,
      next: got.more ? pageText({ number: number + 1 }) : null,
      // The first page says nothing about what stands on the others, nor a full one whether there are any.
      validator: page === null && rows.length < PER_PAGE ? got.validator : null,
      budget,
    };
  },
});
