import type { HostAccess, HostIssue, RepositoryHost, RepositoryName } from '@shipworthy/domain';
import { tightest } from './budget.js';
import { changedProbe } from './changed.js';
import { type Fields, fieldsOf, listOf } from './fields.js';
import { answeredRepository } from './identity.js';
import { issuesByIdQuery, issuesQuery, LABELS_QUERY, TIMELINE_QUERY } from './issue-query.js';
import { issueOf } from './issue-row.js';
import { nextCursor, wholeList } from './nested-list.js';
import { nodesOfRepository } from './nodes.js';
import { pageText, placeAfter } from './page-text.js';
import { type GithubQueries, type Queried, type QueryOptions, UnknownField, type Variables } from './queries.js';
import { ownerAndName } from './repository-path.js';
import type { GithubRequests } from './requests.js';

const FIRST = 100;
/** What a second try asks for when a page of 100 was too much for the host. */
const FEWER = 25;

/** Issues by the GraphQL interface, 100 per request with their types, labels and timelines. */
export const issueLists = (
  requests: GithubRequests,
  queries: GithubQueries,
): Pick<RepositoryHost, 'issues' | 'issuesById'> => {
  const probe = changedProbe(requests, 'issues', { state: 'all', sort: 'updated', direction: 'desc' });
  let typed = true;

  /** Older Enterprise Servers know no types of issues; once one has said so it is not asked for them again. */
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

  const rowOf = async (access: HostAccess, repository: RepositoryName, fields: Fields): Promise<HostIssue> =>
    issueOf(
      repository.id,
      fields,
      await wholeList(queries, access, fields, 'labels', LABELS_QUERY),
      await wholeList(queries, access, fields, 'timelineItems', TIMELINE_QUERY),
    );

  /** One after the other: a grant's requests are never made side by side. */
  const rowsOf = async (access: HostAccess, repository: RepositoryName, list: readonly Fields[]) => {
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
        rows: await rowsOf(access, repository, listOf(connection.nodes, 'issues')),
        next: next === null ? null : pageText({ after: next }),
        validator,
        budget: tightest(budget, queried.budget),
      };
    },
    issuesById: async (access, repository, ids) => {
      if (ids.length > FIRST) throw new RangeError(`at most ${FIRST} issues at once`);
      if (ids.length === 0) return [];
      const { data } = await ask(access, issuesByIdQuery, { ids }, {});
      return rowsOf(access, repository, nodesOfRepository(data, ids, 'Issue', repository.id));
    },
  };
};
