import type { HostAccess, HostDeployment, RepositoryHost } from '@shipworthy/domain';
import { tightest } from './budget.js';
import { changedProbe } from './changed.js';
import { DEPLOYMENTS_BY_ID_QUERY, DEPLOYMENTS_QUERY, STATUSES_QUERY } from './deployment-query.js';
import { deploymentOf } from './deployment-row.js';
import { type Fields, fieldsOf, listOf, momentOf } from './fields.js';
import { answeredRepository } from './identity.js';
import { nextCursor, wholeList } from './nested-list.js';
import { nodesOfRepository } from './nodes.js';
import { pageText, placeAfter } from './page-text.js';
import type { GithubQueries } from './queries.js';
import { ownerAndName } from './repository-path.js';
import type { GithubRequests } from './requests.js';

const FIRST = 100;
const FEWER = 25;

/** Deployments by the GraphQL interface, 100 per request with their statuses. */
export const deploymentLists = (
  requests: GithubRequests,
  queries: GithubQueries,
): Pick<RepositoryHost, 'deployments' | 'deploymentsById'> => {
  const probe = changedProbe(requests, 'deployments', {});

  const rowsOf = async (access: HostAccess, list: readonly Fields[]): Promise<readonly HostDeployment[]> => {
    const rows: HostDeployment[] = [];
    for (const fields of list) {
      rows.push(deploymentOf(fields, await wholeList(queries, access, fields, 'statuses', STATUSES_QUERY)));
    }
    return rows;
  };

  return {
    deployments: async (access, repository, request) => {
      const after = placeAfter(request.page);
      const { unchanged, validator, budget } = await probe(access, repository, request);
      if (unchanged) return { unchanged, budget };
      const variables = { ...ownerAndName(repository.path), first: FIRST, after };
      const queried = await queries.query(access, DEPLOYMENTS_QUERY, variables, { less: { first: FEWER } });
      const connection = fieldsOf(answeredRepository(queried.data, repository).deployments, 'deployments');
      const listed = listOf(connection.nodes, 'deployments');
      const since = request.since ?? Number.NEGATIVE_INFINITY;
      const wanted = listed.filter((fields) => momentOf(fields, 'createdAt') >= since);
      // The newest come first: the first one that is older ends the reading.
      const next = wanted.length === listed.length ? nextCursor(connection) : null;
      return {
        unchanged: false,
        rows: await rowsOf(access, wanted),
        next: next === null ? null : pageText({ after: next }),
        validator,
        budget: tightest(budget, queried.budget),
      };
    },
    deploymentsById: async (access, repository, ids) => {
      if (ids.length > FIRST) throw new RangeError(`at most ${FIRST} deployments at once`);
      if (ids.length === 0) return [];
      const { data } = await queries.query(access, DEPLOYMENTS_BY_ID_QUERY, { ids });
      return rowsOf(access, nodesOfRepository(data, ids, 'Deployment', repository.id));
    },
  };
};
