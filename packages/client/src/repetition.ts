import type { Route } from './routes.js';

const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

/** Whether sending the operation again can do no harm, whatever became of it the first time. */
export const mayRepeat = ([method, , trait]: Route): boolean =>
  method === 'GET' || method === 'DELETE' || trait === 'keyed' || trait === 'repeatable';

/** Whether an answer of that status may be another one next time. */
export const isTransient = (status: number): boolean => TRANSIENT.has(status);

/**
 * How long to wait before the next try, in milliseconds: anything up to a bound that doubles with each try (full jitter),
 * or what the service asked for and up to a tenth more, so that many clients do not come back at once.
 */
export const waitBefore = (nextAttempt: number, asked: number | null, random: number): number => {
  if (asked !== null) return asked * (1 + random / 10);
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (nextAttempt - 2)) * random;
};
