import { type Addresses, stamp } from '../addresses.js';
import { type Deployment, type DeploymentStatus, fullName } from '../records.js';
import { accountJson } from './account-json.js';

const urls = ({ apiUrl }: Addresses, { id, repository }: Deployment) => {
  const repositoryUrl = `${apiUrl}/repos/${fullName(repository)}`;
  return { repositoryUrl, url: `${repositoryUrl}/deployments/${id}` };
};

export const deploymentJson = (addresses: Addresses, deployment: Deployment) => {
  const { repositoryUrl, url } = urls(addresses, deployment);
  return {
    url,
    id: deployment.id,
    node_id: deployment.nodeId,
    task: 'deploy',
    original_environment: deployment.environment,
    environment: deployment.environment,
    description: null,
    created_at: stamp(deployment.createdAt),
    updated_at: stamp(deployment.updatedAt),
    statuses_url: `${url}/statuses`,
    repository_url: repositoryUrl,
    creator: accountJson(addresses, deployment.creator),
    sha: deployment.sha,
    ref: deployment.ref,
    payload: {},
    transient_environment: false,
    production_environment: deployment.environment === 'production',
  };
};

export const statusJson = (addresses: Addresses, status: DeploymentStatus) => {
  const { repositoryUrl, url } = urls(addresses, status.deployment);
  return {
    url: `${url}/statuses/${status.id}`,
    id: status.id,
    node_id: status.nodeId,
    // The interface has no word for waiting, which only GraphQL tells.
    state: status.state === 'waiting' ? 'pending' : status.state,
    creator: accountJson(addresses, status.creator),
    description: '',
    environment: status.deployment.environment,
    target_url: status.logUrl ?? url,
    environment_url: url,
    log_url: status.logUrl ?? url,
    created_at: stamp(status.createdAt),
    updated_at: stamp(status.createdAt),
    deployment_url: url,
    repository_url: repositoryUrl,
  };
};
