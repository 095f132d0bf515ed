import type { Clock, Instant } from '@shipworthy/domain';
import { hostUnavailable } from '../host-http/unavailable.js';
import { TITLE } from './options.js';

/** The longest wait a timer can hold. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * What the work gives, or DomainError `host-unavailable` (cause `timeout`) once the deadline has passed. The request under
 * way is given up by its own signal; this is the second lock, for work that does not listen to one.
 */
export const settledBy = async <Result>(
  deadline: Instant,
  clock: Clock,
  work: () => Promise<Result>,
): Promise<Result> => {
  const tooLate = () => hostUnavailable('timeout', `${TITLE} did not answer in time.`);
  const left = deadline - clock();
  if (left <= 0) throw tooLate();
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate()), Math.min(left, LONGEST_WAIT_MS));
  });
  try {
    return await Promise.race([work(), expiry]);
  } finally {
    clearTimeout(timer);
  }
};
