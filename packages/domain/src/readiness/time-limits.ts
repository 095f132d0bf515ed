import type { Instant } from '../time.js';
import { ownFactsOf, reportStaleFrom } from './axes/own.js';
import { staleFrom } from './axes/verification.js';
import type { ReleaseFacts } from './facts.js';
import type { Policy } from './policy.js';
import { silences } from './silent-source.js';
import type { Waiver } from './waiver.js';

/** The moment from which the latest test run is too old; null: never. */
const freshnessLimit = ({ verification }: ReleaseFacts, { freshnessHours }: Policy): Instant | null =>
  verification === null || freshnessHours === null ? null : staleFrom(verification.ranAt, freshnessHours);

/** Every moment, in no particular order, at which the report changes by time alone. */
const timeLimits = (facts: ReleaseFacts, policy: Policy, waivers: readonly Waiver[]): readonly Instant[] => {
  const limits: Instant[] = [];
  const stale = freshnessLimit(facts, policy);
  if (stale !== null) limits.push(stale);
  for (const axis of policy.ownAxes ?? []) {
    const own = ownFactsOf(facts, axis.name);
    const ends = own === undefined ? null : reportStaleFrom(own, axis);
    if (ends !== null) limits.push(ends);
  }
  for (const { since } of silences(facts, policy)) limits.push(since);
  for (const { withdrawnAt, expiresAt } of waivers) if (withdrawnAt === null) limits.push(expiresAt);
  return limits;
};

/**
 * The latest moment at or before `now` at which the report changed by time alone (a waiver expired, the test run became
 * stale, a source fell silent), in milliseconds; null: none has passed. The report reads the same from there to `now`
 * unless something changed.
 */
export const lastTimeLimit = (
  facts: ReleaseFacts,
  policy: Policy,
  waivers: readonly Waiver[],
  now: Instant,
): Instant | null => {
  let last: Instant | null = null;
  for (const at of timeLimits(facts, policy, waivers)) if (at <= now && (last === null || at > last)) last = at;
  return last;
};

/** The first moment after `now` at which the report will change by time alone; null: it will not. */
export const nextTimeLimit = (
  facts: ReleaseFacts,
  policy: Policy,
  waivers: readonly Waiver[],
  now: Instant,
): Instant | null => {
  let next: Instant | null = null;
  for (const at of timeLimits(facts, policy, waivers)) if (at > now && (next === null || at < next)) next = at;
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
