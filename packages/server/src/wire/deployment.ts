import type { DeploymentRequest, Deployment as WireDeployment } from '@shipworthy/client/contract';
import type { DeploymentReport, DeploymentView } from '@shipworthy/domain';
import { wireAttribution } from './attribution.js';
import { externalIdOf } from './fingerprint.js';
import { momentOrNull, wireMoment, wireMomentOrNull } from './moment.js';

/** A reported deployment as the domain takes it; what was not sent is null. */
export const deploymentReport = (sent: DeploymentRequest): DeploymentReport => ({
  appName: sent.app_name,
  projectId: sent.project_id?.toLowerCase() ?? null,
  environment: sent.environment,
  commitSha: sent.commit_sha,
  version: sent.version ?? null,
  deployedBy: sent.deployed_by ?? null,
  status: sent.status,
  isReturn: false,
  url: sent.url ?? null,
  startedAt: momentOrNull(sent.started_at),
  finishedAt: momentOrNull(sent.finished_at),
  durationSeconds: sent.duration_seconds ?? null,
  external: externalIdOf(sent),
});

/** A deployment with its receipt. */
export const wireDeployment = ({ deployment, attribution }: DeploymentView): WireDeployment => ({
  id: deployment.id,
  app_name: deployment.appName,
  project_id: deployment.projectId,
  environment: deployment.environment,
  commit_sha: deployment.commitSha,
  version: deployment.version,
  deployed_by: deployment.deployedBy,
  status: deployment.status,
  is_return: deployment.isReturn,
  url: deployment.url,
  started_at: wireMoment(deployment.startedAt),
  finished_at: wireMomentOrNull(deployment.finishedAt),
  duration_seconds: deployment.durationSeconds,
  created_at: wireMoment(deployment.createdAt),
  attribution: wireAttribution('stability', attribution),
});
