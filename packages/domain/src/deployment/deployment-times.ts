import type { Fault } from '../errors.js';
import { ALLOWED_CLOCK_LEAD, type Instant } from '../instant.js';
import type { DeploymentStatus } from './deployment.js';

/** The times a report of a deployment may carry. */
export interface ReportedTimes {
  readonly status: DeploymentStatus;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
}

/** The times a deployment gets. */
export interface DeploymentTimes {
  readonly startedAt: Instant;
  readonly finishedAt: Instant | null;
  readonly createdAt: Instant;
}

const tooFarAhead = (pointer: string, at: Instant | null, now: Instant): readonly Fault[] =>
  at !== null && at > now + ALLOWED_CLOCK_LEAD
    ? [
        {
          pointer,
          code: 'in-future',
          message: `${pointer.slice(1)} lies more than 5 minutes ahead of the service's clock.`,
        },
      ]
    : [];

/** Everything wrong with the reported times; empty when nothing is. */
export const timesFaults = ({ status, startedAt, finishedAt }: ReportedTimes, now: Instant): readonly Fault[] => {
  const faults = [...tooFarAhead('/started_at', startedAt, now), ...tooFarAhead('/finished_at', finishedAt, now)];
  if (finishedAt === null) return faults;
  const pointer = '/finished_at';
  if (status === 'started')
    faults.push({ pointer, code: 'not-final', message: 'finished_at goes with the status success or failure only.' });
  if (finishedAt < (startedAt ?? now))
    faults.push({
      pointer,
      code: 'before-start',
      message: 'finished_at lies before started_at (the clock, when left out).',
    });
  return faults;
};

/**
 * The times of a deployment reported at `now`: what the caller gave, else the clock. A final record without a
 * finish of its own ends at the clock, never before it started; whatever its duration says, nothing is derived from it.
 */
export const settleTimes = ({ status, startedAt, finishedAt }: ReportedTimes, now: Instant): DeploymentTimes => {
  const start = startedAt ?? now;
  return {
    startedAt: start,
    finishedAt: status === 'started' ? null : (finishedAt ?? Math.max(now, start)),
    createdAt: now,
  };
};
