import type { Instant } from '../instant.js';
import { staleFrom } from './axes/verification.js';
import type { ReleaseFacts } from './facts.js';
import type { Policy } from './policy.js';
import type { Waiver } from './waiver.js';

/** The moment from which the latest test run is too old; null: never. */
const freshnessLimit = ({ verification }: ReleaseFacts, { freshnessHours }: Policy): Instant | null =>
  verification === null || freshnessHours === null ? null : staleFrom(verification.ranAt, freshnessHours);

/**
 * The latest moment at or before `now` at which the report changed by time alone (a waiver expired, the test run became
 * stale), in milliseconds; null: none has passed. The report reads the same from there to `now` unless something changed.
 */
export const lastTimeLimit = (
  facts: ReleaseFacts,
  policy: Policy,
  waivers: readonly Waiver[],
  now: Instant,
): Instant | null => {
  const stale = freshnessLimit(facts, policy);
  let last = stale !== null && stale <= now ? stale : null;
  for (const { withdrawnAt, expiresAt } of waivers)
    if (withdrawnAt === null && expiresAt <= now && (last === null || expiresAt > last)) last = expiresAt;
  return last;
};

/** The first moment after `now` at which the report will change by time alone; null: it will not. */
export const nextTimeLimit = (
  facts: ReleaseFacts,
  policy: Policy,
  waivers: readonly Waiver[],
  now: Instant,
): Instant | null => {
  const stale = freshnessLimit(facts, policy);
  let next = stale !== null && stale > now ? stale : null;
  for (const { withdrawnAt, expiresAt } of waivers)
    if (withdrawnAt === null && expiresAt > now && (next === null || expiresAt < next)) next = expiresAt;
  return next;
};

/** Every moment after `from`, up to and at `to`, at which the report changed by time alone, in order. */
export const timeLimitsBetween = (
  facts: ReleaseFacts,
  policy: Policy,
  waivers: readonly Waiver[],
  from: Instant,
  to: Instant,
): readonly Instant[] => {
  const passed: Instant[] = [];
  let next = nextTimeLimit(facts, policy, waivers, from);
  while (next !== null && next <= to) {
    passed.push(next);
    next = nextTimeLimit(facts, policy, waivers, next);
  }
  return passed;
};
