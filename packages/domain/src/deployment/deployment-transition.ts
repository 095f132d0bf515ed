import { DomainError } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Deployment, FinalStatus } from './deployment.js';

/** How a deployment ends. */
export interface Finish {
  readonly status: FinalStatus;
  readonly finishedAt: Instant;
  readonly durationSeconds: number | null;
}

/**
 * `started -> success | failure`, both final. Repeating the same final status, with the same duration or none, leaves the
 * record as it is. A finish never lies before the start; without a duration of its own the record keeps the one it has.
 * @throws DomainError `deployment-finished` when it ended with the other status or another duration
 */
export const finish = (deployment: Deployment, { status, finishedAt, durationSeconds }: Finish): Deployment => {
  if (deployment.status === 'started')
    return {
      ...deployment,
      status,
      finishedAt: Math.max(finishedAt, deployment.startedAt),
      durationSeconds: durationSeconds ?? deployment.durationSeconds,
    };
  const { status: ended, durationSeconds: took } = deployment;
  if (ended === status && (durationSeconds === null || durationSeconds === took)) return deployment;
  const duration = took === null ? 'without a duration' : `after ${took} seconds`;
  const how = ended === status ? `${ended} ${duration}` : ended;
  throw new DomainError('deployment-finished', `The deployment has finished already, with ${how}.`, { status: ended });
};
