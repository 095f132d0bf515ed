import type { Clock, Instant } from '@shipworthy/domain';
import { runTime } from '../clock/index.js';
import { hostUnavailable } from '../host-http/unavailable.js';
import { TITLE } from './options.js';

/**
 * What the work gives, or DomainError `host-unavailable` (cause `timeout`) once the deadline has passed. The request under
 * way is given up by its own signal; this is the second lock, for work that does not listen to one. What is left until the
 * deadline is waited in run time: the host is not late while this process does not run.
 */
export const settledBy = async <Result>(
  deadline: Instant,
  clock: Clock,
  work: () => Promise<Result>,
  time = runTime,
): Promise<Result> => {
  const tooLate = () => hostUnavailable('timeout', `${TITLE} did not answer in time.`);
  const left = deadline - clock();
  if (left <= 0) throw tooLate();
  return time.within(left, work(), () => {
    throw tooLate();
  });
};
