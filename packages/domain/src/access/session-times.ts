import type { Instant } from '../instant.js';
import type { Session } from './session-store.js';

/** A session unused for so long is over, in milliseconds: 8 hours. */
export const SESSION_IDLE = 8 * 3_600_000;
/** A session is over after so long in any case, in milliseconds: 7 days. */
export const SESSION_LENGTH = 7 * 24 * 3_600_000;
/** Last uses are written no more often than this, in milliseconds. */
export const TOUCH_EVERY = 60_000;

/** Whether the session has ended, by its absolute end or by idleness. */
export const sessionOver = ({ expiresAt, lastSeenAt }: Session, now: Instant): boolean =>
  now >= expiresAt || now - lastSeenAt >= SESSION_IDLE;

/** Whether a last use is old enough to be written anew. */
export const touchDue = (last: Instant | null, now: Instant): boolean => last === null || now - last >= TOUCH_EVERY;
