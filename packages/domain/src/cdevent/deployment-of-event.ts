import { type Fault, invalid } from '../errors.js';
import type { DeploymentReport } from '../report/deployment-report.js';
import { readArtifact } from './artifact.js';
import type { ServiceEvent } from './cdevent.js';

const LONGEST_NAME = 200;

const lastSegment = (id: string): string => id.split('/').findLast((segment) => segment !== '') ?? '';

/** Where the name of the service is read from. */
export const appNamePointer = ({ appName }: ServiceEvent): string =>
  appName === null ? '/subject/id' : '/customData/app_name';

const nameFaults = (event: ServiceEvent, name: string): readonly Fault[] =>
  name !== '' && name.length <= LONGEST_NAME
    ? []
    : [
        {
          pointer: appNamePointer(event),
          code: 'no-name',
          message: `The last part of subject.id must be the name of the project, 1-${LONGEST_NAME} characters.`,
        },
      ];

const NO_COMMIT: Fault = {
  pointer: '/customData/commit_sha',
  code: 'required',
  message:
    'customData.commit_sha is required where artifactId names no commit (by the qualifier commit or vcs_url, or as its version).',
};

/**
 * The deployment a service event tells of: the name is `customData.app_name`, else the last part of `subject.id`; it began and
 * ended at `context.timestamp`. Rolled back is a failure: the change had to be undone.
 * @throws DomainError `invalid` when the name or the commit is missing
 */
export const deploymentOfEvent = (event: ServiceEvent): DeploymentReport => {
  const artifact = event.artifactId === null ? null : readArtifact(event.artifactId);
  const appName = event.appName ?? lastSegment(event.subjectId);
  const commitSha = event.commitSha ?? artifact?.commitSha ?? null;
  const faults = [...nameFaults(event, appName), ...(commitSha === null ? [NO_COMMIT] : [])];
  if (faults.length > 0 || commitSha === null) throw invalid(faults);
  return {
    appName,
    projectId: event.projectId,
    environment: event.environment,
    commitSha,
    version: artifact?.version ?? null,
    deployedBy: event.source.length <= LONGEST_NAME ? event.source : null,
    status: event.kind === 'service.rolledback' ? 'failure' : 'success',
    url: null,
    startedAt: event.at,
    finishedAt: event.at,
    durationSeconds: null,
    external: event.external,
  };
};
