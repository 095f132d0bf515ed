import type { HostAccess, HostDeployment, HostDeploymentState, RepositoryHost } from '@shipworthy/domain/ports';
import {
  type Fields,
  fieldsOf,
  listField,
  momentField,
  nodesOfRepository,
  ownerAndName,
  pageText,
  placeAfter,
  textField,
  textOrNull,
  webAddressOrNull,
} from './fields.js';
import { type GithubQueries, nextCursor, wholeList } from './queries.js';
import { answeredRepository, changedProbe } from './repositories.js';
import { type GithubRequests, tightestBudget } from './requests.js';

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
      const listed = listField(connection.nodes, 'deployments');
      const since = request.since ?? Number.NEGATIVE_INFINITY;
      const wanted = listed.filter((fields) => momentField(fields, 'createdAt') >= since);
      // The newest come first: the first deployment before `since` ends the reading.
      const next = wanted.length === listed.length ? nextCursor(connection) : null;
      return {
        unchanged: false,
        rows: await rowsOf(access, wanted),
        next: next === null ? null : pageText({ after: next }),
        validator,
        budget: tightestBudget(budget, queried.budget),
      };
    },
    deploymentsById: async (access, repository, ids) => {
      if (ids.length > FIRST) throw new RangeError(`at most ${FIRST} deployments at once`);
      if (ids.length === 0) return { rows: [], budget: null };
      const { data, budget } = await queries.query(access, DEPLOYMENTS_BY_ID_QUERY, { ids });
      return { rows: await rowsOf(access, nodesOfRepository(data, ids, 'Deployment', repository.id)), budget };
    },
  };
};

/** A deployment with all of its statuses, as GitHub gives them: the newest first. */
const deploymentOf = (fields: Fields, statuses: readonly Fields[]): HostDeployment => {
  const { ref = null, creator = null } = fields;
  const newest = statuses.find((status) => webAddressOrNull(status, 'logUrl') !== null);
  return {
    id: textField(fields, 'id'),
    environment: textOrNull(fields, 'environment') ?? DEFAULT_ENVIRONMENT,
    commitSha: textField(fields, 'commitOid'),
    ref: ref === null ? null : textField(fieldsOf(ref, 'ref'), 'name'),
    deployedBy: creator === null ? null : textField(fieldsOf(creator, 'creator'), 'login'),
    url: newest === undefined ? null : webAddressOrNull(newest, 'logUrl'),
    createdAt: momentField(fields, 'createdAt'),
    states: statuses
      .map((status) => ({ state: stateOf(textField(status, 'state')), at: momentField(status, 'createdAt') }))
      .reverse()
      .sort((one, other) => one.at - other.at),
  };
};

const statuses = (after: string): string =>
  `statuses(first: 100${after}) { nodes { state createdAt logUrl } pageInfo { hasNextPage endCursor } }`;

const DEPLOYMENT = `
  fragment deployment on Deployment {
    id environment commitOid createdAt
    ref { name }
    creator { login }
    ${statuses('')}
  }`;

/** A page of a repository's deployments, the newest first. */
export const DEPLOYMENTS_QUERY = `
  query deployments($owner: String!, $repo: String!, $first: Int!, $after: String) {
    repository(owner: $owner, name: $repo) {
      databaseId
      deployments(first: $first, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
        nodes { ...deployment }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
  ${DEPLOYMENT}`;

/** Deployments by node id. */
export const DEPLOYMENTS_BY_ID_QUERY = `
  query deploymentsById($ids: [ID!]!) {
    nodes(ids: $ids) { __typename ... on Deployment { repository { databaseId } } ...deployment }
  }
  ${DEPLOYMENT}`;

/** The rest of a list of statuses that is longer than a page. */
export const STATUSES_QUERY = `
  query statuses($ids: [ID!]!, $after: String) {
    nodes(ids: $ids) { ... on Deployment { ${statuses(', after: $after')} } }
  }`;

/** The environment that GitHub gives a deployment without one. */
const DEFAULT_ENVIRONMENT = 'production';

const STATES: Readonly<Record<string, HostDeploymentState>> = {
  SUCCESS: 'success',
  FAILURE: 'failure',
  ERROR: 'failure',
  IN_PROGRESS: 'started',
  QUEUED: 'queued',
  PENDING: 'queued',
  WAITING: 'queued',
};

/** `INACTIVE`, and states that GitHub adds later, do not say whether a deployment succeeded. */
const stateOf = (state: string): HostDeploymentState => STATES[state] ?? 'other';
