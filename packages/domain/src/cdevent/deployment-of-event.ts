import { type Fault, invalid } from '../errors.js';
import type { DeploymentReport } from '../report/deployment-report.js';
import { readArtifact } from './artifact.js';
import type { ServiceEvent } from './cdevent.js';

const LONGEST_LABEL = 200;

/** Where the name of the service is read from. */
export const appNamePointer = ({ appName }: ServiceEvent): string =>
  appName === null ? '/subject/id' : '/customData/app_name';

const NO_COMMIT: Fault = {
  pointer: '/customData/commit_sha',
  code: 'required',
  message:
    'customData.commit_sha is required where artifactId names no commit (by the qualifier commit or vcs_url, or as its version) and no digest of its content (sha256: in its version or its qualifier checksum).',
};

/**
 * The deployment a service event tells of, of whichever project; it began and ended at `context.timestamp`. A rollback names
 * the artifact that was put back, so it is a success of that artifact, marked as a return.
 * @throws DomainError `invalid` when neither a commit nor a digest is named
 */
export const deploymentOfEvent = (event: ServiceEvent): Omit<DeploymentReport, 'appName' | 'projectId'> => {
  const artifact = event.artifactId === null ? null : readArtifact(event.artifactId);
  const commitSha = event.commitSha ?? artifact?.commitSha ?? null;
  if (commitSha === null) throw invalid([NO_COMMIT]);
  return {
    environment: event.environment,
    commitSha,
    version: artifact?.version ?? null,
    deployedBy: event.source.length <= LONGEST_LABEL ? event.source : null,
    status: 'success',
    isReturn: event.kind === 'service.rolledback',
    url: null,
    startedAt: event.at,
    finishedAt: event.at,
    durationSeconds: null,
    external: event.external,
  };
};
