import type { Deployment, DeploymentStatus, DeploymentStatusState, Moment, Repository } from './records.js';
import type { Registry } from './registry.js';

export interface DeploymentSeed {
  readonly environment?: string;
  readonly sha: string;
  readonly ref?: string;
  readonly creator?: string;
  readonly at?: Moment;
}

export interface DeploymentHands {
  addDeployment(repository: Repository, seed: DeploymentSeed): Deployment;
  addStatus(
    deployment: Deployment,
    state: DeploymentStatusState,
    seed?: { readonly at?: Moment; readonly logUrl?: string },
  ): DeploymentStatus;
  /** Moves `updated_at` alone. */
  touchDeployment(deployment: Deployment, at?: Moment): void;
  deleteDeployment(deployment: Deployment): void;
}

export const deploymentHands = (registry: Registry): DeploymentHands => ({
  addDeployment: (repository, seed) => {
    const id = registry.nextId();
    const at = registry.moment(seed.at);
    const deployment: Deployment = {
      id,
      nodeId: registry.nodeId('DE', id),
      repository,
      environment: seed.environment ?? 'production',
      sha: seed.sha,
      ref: seed.ref ?? repository.defaultBranch,
      creator: registry.account(seed.creator ?? repository.owner.login),
      createdAt: at,
      updatedAt: at,
      statuses: [],
    };
    // By the moment of creation, as they are listed.
    const place = repository.deployments.findLastIndex((one) => one.createdAt <= at) + 1;
    repository.deployments.splice(place, 0, deployment);
    return registry.know(deployment.nodeId, deployment);
  },
  addStatus: (deployment, state, seed = {}) => {
    const id = registry.nextId();
    const status: DeploymentStatus = {
      id,
      nodeId: registry.nodeId('DES', id),
      state,
      creator: deployment.creator,
      logUrl: seed.logUrl ?? null,
      createdAt: registry.moment(seed.at),
      deployment,
    };
    deployment.statuses.push(status);
    deployment.updatedAt = Math.max(deployment.updatedAt, status.createdAt);
    return registry.know(status.nodeId, status);
  },
  touchDeployment: (deployment, at) => {
    deployment.updatedAt = registry.moment(at);
  },
  deleteDeployment: (deployment) => {
    const { deployments } = deployment.repository;
    deployments.splice(deployments.indexOf(deployment), 1);
    registry.forget(deployment.nodeId);
  },
});
