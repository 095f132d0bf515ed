import type { Fault } from '../errors.js';
import type { Instant } from '../instant.js';
import { atLeast, type Role } from '../team/team.js';
import type { Scope } from './principal.js';

const DAY = 24 * 3_600_000;
/** How long a key lives unless its maker says otherwise, in milliseconds: 90 days. */
export const KEY_LIFE = 90 * DAY;
/** Longest life of a key, in milliseconds: 365 days. */
export const LONGEST_KEY_LIFE = 365 * DAY;

/** So long before its end a key is said to expire soon, in milliseconds: 14 days. */
export const EXPIRES_SOON = 14 * DAY;

/** Whether the key is in its last 14 days; a key that has expired is, too. */
export const expiresSoon = (expiresAt: Instant, now: Instant): boolean => expiresAt - now <= EXPIRES_SOON;

/** Everything wrong with a wished expiry; empty when nothing is. */
export const keyExpiryFaults = (expiresAt: Instant, now: Instant): readonly Fault[] =>
  expiresAt > now && expiresAt <= now + LONGEST_KEY_LIFE
    ? []
    : [{ pointer: '/expires_at', code: 'out-of-range', message: 'A key expires after now and within 365 days.' }];

/** Whether the scopes are within what the maker may do: writing needs the role member, in the key's team or else in any. */
export const mayHoldScopes = (
  scopes: readonly Scope[],
  teamId: string | null,
  roles: ReadonlyMap<string, Role>,
): boolean => {
  if (scopes.every((scope) => scope === 'read')) return true;
  const concerned = teamId === null ? [...roles.values()] : [roles.get(teamId) ?? 'viewer'];
  return concerned.some((role) => atLeast(role, 'member'));
};
