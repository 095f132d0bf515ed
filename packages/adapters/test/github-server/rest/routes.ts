import type { Addresses } from '../addresses.js';
import type { Account } from '../records.js';
import type { World } from '../world.js';
import { ownAccountJson } from './account-json.js';
import { checkRunsRoute, workflowRunsRoute } from './check-routes.js';
import { deploymentJson, statusJson } from './deployment-json.js';
import { issueRoute, issuesRoute, milestonesRoute } from './issue-routes.js';
import { pageOf } from './page-of.js';
import { jsonReply, NOT_FOUND, type Reply, refusal } from './reply.js';
import type { RepositoryCall } from './repository-call.js';
import { repositoryJson, wholeRepositoryJson } from './repository-json.js';

type Route = readonly [pattern: RegExp, answer: (call: RepositoryCall) => Reply];

const statusesRoute = ({ addresses, repository, address, caught: [id] }: RepositoryCall): Reply => {
  const deployment = repository.deployments.find((one) => String(one.id) === id);
  if (deployment === undefined) return NOT_FOUND;
  return pageOf(deployment.statuses.toReversed(), address, (status) => statusJson(addresses, status));
};

const deploymentsRoute = ({ addresses, repository, address }: RepositoryCall): Reply => {
  const wanted = ['environment', 'ref', 'sha'] as const;
  const rows = repository.deployments
    .toReversed()
    .filter((row) => wanted.every((key) => row[key] === (address.searchParams.get(key) ?? row[key])));
  return pageOf(rows, address, (deployment) => deploymentJson(addresses, deployment));
};

/** What is behind `/repos/{owner}/{repo}`. */
const ROUTES: readonly Route[] = [
  [/^$/, ({ addresses, repository }) => jsonReply(200, wholeRepositoryJson(addresses, repository))],
  [/^\/milestones$/, milestonesRoute],
  [/^\/issues$/, issuesRoute],
  [/^\/issues\/(\d+)$/, issueRoute],
  [/^\/deployments$/, deploymentsRoute],
  [/^\/deployments\/(\d+)\/statuses$/, statusesRoute],
  [/^\/commits\/(.+)\/check-runs$/, checkRunsRoute],
  [/^\/actions\/runs$/, workflowRunsRoute],
];

/** Answers a GET; `path` is what follows the root of the interface. */
export const restAnswer =
  (addresses: Addresses, world: World) =>
  (path: string, address: URL, viewer: Account): Reply => {
    if (path === '/user') return jsonReply(200, ownAccountJson(addresses, viewer));
    if (path === '/user/repos') {
      const readable = world.readableBy(viewer.login);
      return pageOf(readable, address, (one) => repositoryJson(addresses, one));
    }
    const [, byId, byPath, rest = ''] = /^\/(?:repositories\/(\d+)|repos\/([^/]+\/[^/]+))(\/.*)?$/.exec(path) ?? [];
    const found =
      byId !== undefined
        ? { repository: world.repositoryOfId(Number(byId)), moved: false }
        : world.repositoryAt(decodeURIComponent(byPath ?? ''));
    const repository = found?.repository;
    if (found === undefined || repository === undefined || !world.mayRead(repository, viewer.login)) return NOT_FOUND;
    if (found.moved) {
      const location = `${addresses.apiUrl}/repositories/${repository.id}${rest}${address.search}`;
      const moved = refusal(301, 'Moved Permanently', { location });
      return { ...moved, body: JSON.stringify({ ...JSON.parse(moved.body), url: location }) };
    }
    for (const [pattern, answer] of ROUTES) {
      const match = pattern.exec(rest);
      if (match !== null) {
        return answer({ addresses, repository, address, caught: match.slice(1).map(decodeURIComponent) });
      }
    }
    return NOT_FOUND;
  };
