import type {
  HostAccess,
  HostIssue,
  HostIssueClosing,
  HostIssueEvent,
  HostMilestone,
  RepositoryHost,
  RepositoryIdentity,
} from '@shipworthy/domain/ports';
import {
  type Fields,
  fieldsOf,
  listField,
  momentField,
  momentOrNull,
  nodesOfRepository,
  numberOf,
  ownerAndName,
  pageText,
  placeAfter,
  placeFrom,
  placeNumber,
  textField,
  textOrNull,
} from './fields.js';
import {
  type GithubQueries,
  nextCursor,
  type Queried,
  type QueryOptions,
  UnknownField,
  type Variables,
  wholeList,
} from './queries.js';
import { answeredRepository, changedProbe, type identityCheck } from './repositories.js';
import { type GithubRequests, tightestBudget } from './requests.js';

const FIRST = 100;

/** The page size of a second try, when a page of 100 was too much for the host. */
const FEWER = 25;

/** Issues by the GraphQL interface, 100 per request with their types, labels and timelines. */
export const issueLists = (
  requests: GithubRequests,
  queries: GithubQueries,
): Pick<RepositoryHost, 'issues' | 'issuesById'> => {
  const probe = changedProbe(requests, 'issues', { state: 'all', sort: 'updated', direction: 'desc' });
  let typed = true;

  /** Older Enterprise Servers have no issue types. A server that has answered so is not asked for types again. */
  const ask = async (
    access: HostAccess,
    textOf: (typed: boolean) => string,
    variables: Variables,
    options: QueryOptions,
  ): Promise<Queried> => {
    if (typed) {
      try {
        return await queries.query(access, textOf(true), variables, { ...options, dispensable: 'issueType' });
      } catch (error) {
        if (!(error instanceof UnknownField)) throw error;
        typed = false;
      }
    }
    return queries.query(access, textOf(false), variables, options);
  };

  const rowOf = async (access: HostAccess, repository: RepositoryIdentity, fields: Fields): Promise<HostIssue> =>
    issueOf(
      repository.id,
      fields,
      await wholeList(queries, access, fields, 'labels', LABELS_QUERY),
      await wholeList(queries, access, fields, 'timelineItems', TIMELINE_QUERY),
    );

  /** One after the other: a grant's requests are never made side by side. */
  const rowsOf = async (access: HostAccess, repository: RepositoryIdentity, list: readonly Fields[]) => {
    const rows: HostIssue[] = [];
    for (const fields of list) rows.push(await rowOf(access, repository, fields));
    return rows;
  };

  return {
    issues: async (access, repository, request) => {
      const after = placeAfter(request.page);
      const { unchanged, validator, budget } = await probe(access, repository, request);
      if (unchanged) return { unchanged, budget };
      const filter = request.since === null ? {} : { filter: { since: new Date(request.since).toISOString() } };
      const variables = { ...ownerAndName(repository.path), first: FIRST, after, ...filter };
      const queried = await ask(access, issuesQuery, variables, { less: { first: FEWER } });
      const connection = fieldsOf(answeredRepository(queried.data, repository).issues, 'issues');
      const next = nextCursor(connection);
      return {
        unchanged: false,
        rows: await rowsOf(access, repository, listField(connection.nodes, 'issues')),
        next: next === null ? null : pageText({ after: next }),
        validator,
        budget: tightestBudget(budget, queried.budget),
      };
    },
    issuesById: async (access, repository, ids) => {
      if (ids.length > FIRST) throw new RangeError(`at most ${FIRST} issues at once`);
      if (ids.length === 0) return { rows: [], budget: null };
      const { data, budget } = await ask(access, issuesByIdQuery, { ids }, {});
      const rows = await rowsOf(access, repository, nodesOfRepository(data, ids, 'Issue', repository.id));
      return { rows, budget };
    },
  };
};

/** An issue of a repository, with all of its labels and its timeline. */
const issueOf = (
  repositoryId: string,
  fields: Fields,
  labels: readonly Fields[],
  timeline: readonly Fields[],
): HostIssue => {
  const closed = textField(fields, 'state') === 'CLOSED';
  const { issueType = null, milestone = null } = fields;
  return {
    id: textField(fields, 'id'),
    number: numberOf(fields, 'number'),
    title: textField(fields, 'title'),
    url: textField(fields, 'url'),
    state: closed ? 'closed' : 'open',
    closedAs: closed ? closingOf(textOrNull(fields, 'stateReason')) : null,
    type: issueType === null ? null : textField(fieldsOf(issueType, 'issueType'), 'name'),
    labels: labels.map((label) => textField(label, 'name')),
    milestoneId:
      milestone === null ? null : milestoneId(repositoryId, numberOf(fieldsOf(milestone, 'milestone'), 'number')),
    createdAt: momentField(fields, 'createdAt'),
    updatedAt: momentField(fields, 'updatedAt'),
    closedAt: closed ? momentOrNull(fields, 'closedAt') : null,
    history: historyOf(timeline),
  };
};

/** The GraphQL fields that are read of an issue; `typed`: whether the host knows types of issues. */
const issueFields = (typed: boolean): string => `
  fragment issue on Issue {
    id number title url state stateReason createdAt updatedAt closedAt
    ${typed ? 'issueType { name }' : ''}
    milestone { number }
    repository { databaseId }
    labels(first: 100) { nodes { name } pageInfo { hasNextPage endCursor } }
    ${timeline('')}
  }`;

const timeline = (after: string): string => `
  timelineItems(first: 100${after}, itemTypes: [MILESTONED_EVENT, DEMILESTONED_EVENT, CLOSED_EVENT, REOPENED_EVENT]) {
    nodes {
      __typename
      ... on MilestonedEvent { createdAt milestoneTitle }
      ... on DemilestonedEvent { createdAt milestoneTitle }
      ... on ClosedEvent { createdAt stateReason }
      ... on ReopenedEvent { createdAt }
    }
    pageInfo { hasNextPage endCursor }
  }`;

/** A page of a repository's issues, the least recently changed first. */
export const issuesQuery = (typed: boolean): string => `
  query issues($owner: String!, $repo: String!, $first: Int!, $after: String, $filter: IssueFilters) {
    repository(owner: $owner, name: $repo) {
      databaseId
      issues(first: $first, after: $after, filterBy: $filter, orderBy: { field: UPDATED_AT, direction: ASC }) {
        nodes { ...issue }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
  ${issueFields(typed)}`;

/** Issues by node id. */
export const issuesByIdQuery = (typed: boolean): string => `
  query issuesById($ids: [ID!]!) {
    nodes(ids: $ids) { __typename ...issue }
  }
  ${issueFields(typed)}`;

/** The rest of a timeline that is longer than a page. */
export const TIMELINE_QUERY = `
  query timeline($ids: [ID!]!, $after: String) {
    nodes(ids: $ids) { ... on Issue { ${timeline(', after: $after')} } }
  }`;

/** The rest of a list of labels that is longer than a page. */
export const LABELS_QUERY = `
  query labels($ids: [ID!]!, $after: String) {
    nodes(ids: $ids) { ... on Issue { labels(first: 100, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } } }
  }`;

/** `DUPLICATE` counts as not planned, too. Issues closed before GitHub asked for a reason count as completed. */
const closingOf = (reason: string | null): HostIssueClosing =>
  reason === 'NOT_PLANNED' || reason === 'DUPLICATE' ? 'not_planned' : 'completed';

const eventOf = (fields: Fields): HostIssueEvent | undefined => {
  const kind = textField(fields, '__typename');
  if (kind === 'MilestonedEvent' || kind === 'DemilestonedEvent') {
    const at = momentField(fields, 'createdAt');
    const milestone = textField(fields, 'milestoneTitle');
    return { at, kind: kind === 'MilestonedEvent' ? 'milestoned' : 'demilestoned', milestone };
  }
  if (kind === 'ClosedEvent') {
    return { at: momentField(fields, 'createdAt'), kind: 'closed', as: closingOf(textOrNull(fields, 'stateReason')) };
  }
  return kind === 'ReopenedEvent' ? { at: momentField(fields, 'createdAt'), kind: 'reopened' } : undefined;
};

const historyOf = (timeline: readonly Fields[]): readonly HostIssueEvent[] =>
  timeline
    .map(eventOf)
    .filter((event) => event !== undefined)
    .sort((one, other) => one.at - other.at);

const PER_PAGE = 100;

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
      // A validator covers one page only, so it is kept only when the first page is the whole list.
      validator: page === null && rows.length < PER_PAGE ? got.validator : null,
      budget,
    };
  },
});

/**
 * A milestone's id: its repository's id and its number. Neither changes, and both REST and GraphQL give them, while
 * node ids come in an older and a newer spelling.
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
