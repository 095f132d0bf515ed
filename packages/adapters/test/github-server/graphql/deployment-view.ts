import { stamp } from '../addresses.js';
import type { Deployment, DeploymentStatus } from '../records.js';
import { accountView } from './account-view.js';
import { connection, type PageArguments } from './connection.js';
import type { ViewScope } from './view-scope.js';

/** The state of the whole by its newest status, as the host words it. */
const stateOf = (status: DeploymentStatus | undefined): string =>
  status === undefined ? 'PENDING' : status.state === 'success' ? 'ACTIVE' : status.state.toUpperCase();

export const statusView = (scope: ViewScope, status: DeploymentStatus): object => ({
  __typename: 'DeploymentStatus',
  id: status.nodeId,
  state: status.state.toUpperCase(),
  description: null,
  environment: status.deployment.environment,
  logUrl: status.logUrl,
  environmentUrl: null,
  createdAt: stamp(status.createdAt),
  updatedAt: stamp(status.createdAt),
  creator: () => accountView(scope, status.creator),
});

export const deploymentView = (scope: ViewScope, deployment: Deployment): object => ({
  __typename: 'Deployment',
  id: deployment.nodeId,
  databaseId: deployment.id,
  environment: deployment.environment,
  originalEnvironment: deployment.environment,
  latestEnvironment: deployment.environment,
  description: null,
  task: 'deploy',
  commitOid: deployment.sha,
  ref: () => ({
    __typename: 'Ref',
    id: `REF_${deployment.ref}`,
    name: deployment.ref,
    prefix: 'refs/heads/',
    repository: scope.home(deployment.repository),
  }),
  state: stateOf(deployment.statuses.at(-1)),
  createdAt: stamp(deployment.createdAt),
  updatedAt: stamp(deployment.updatedAt),
  creator: () => accountView(scope, deployment.creator),
  repository: () => scope.home(deployment.repository),
  latestStatus: () => {
    const newest = deployment.statuses.at(-1);
    return newest === undefined ? null : statusView(scope, newest);
  },
  statuses: (page: PageArguments) =>
    connection('statuses', deployment.statuses.toReversed(), page, {
      keyOf: ({ id }) => [id],
      show: (status) => statusView(scope, status),
      descending: true,
    }),
});
