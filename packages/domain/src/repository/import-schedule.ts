import type { Instant } from '../instant.js';
import type { ImportState } from './import-state.js';
import type { HostBudget } from './repository-host.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long after a run the next one is due, in milliseconds, unless the host's webhooks or a person are faster. */
export const RUN_EVERY = 5 * MINUTE;

/** How often all imported issues are looked for, in milliseconds. */
export const LOOK_FOR_GONE_EVERY = DAY;

/** How far back deployments are followed that had not ended when they were read, in milliseconds. */
export const FOLLOW_DEPLOYMENTS_FOR = 7 * DAY;

/** After so many failures in a row a reading begins its stage again: the host may not know the page any more. */
export const ATTEMPTS_PER_PAGE = 12;

/**
 * When to try again after the given number of failures in a row: as soon as the host allows when it said so (a day at
 * most), else after 1, 2, 4 ... minutes, an hour at most.
 */
export const retryDue = (now: Instant, attempts: number, retryAt: Instant | null): Instant => {
  if (retryAt !== null) return Math.min(Math.max(retryAt, now + 1), now + DAY);
  return now + Math.min(HOUR, MINUTE * 2 ** Math.min(attempts - 1, 6));
};

/** Until when to leave the host alone because less than a tenth of its budget is left; null: no need. */
export const budgetPause = (budget: HostBudget | null, now: Instant): Instant | null => {
  if (budget === null || budget.remaining * 10 >= budget.limit) return null;
  return budget.resetAt > now ? Math.min(budget.resetAt, now + DAY) : null;
};

/** Whether all imported issues should be looked for; never in the first run, which has just read them. */
export const isGoneCheckDue = ({ goneCheckedAt, completedAt }: ImportState, now: Instant): boolean =>
  completedAt !== null && (goneCheckedAt === null || now - goneCheckedAt >= LOOK_FOR_GONE_EVERY);
