import type { Instant } from '../instant.js';
import { type AssessOptions, assessRelease } from '../readiness/assess-release.js';
import type { ReadinessReport } from '../readiness/readiness-report.js';
import { lastTimeLimit, nextTimeLimit } from '../readiness/time-limits.js';
import type { ReleaseDossier } from './release-facts-store.js';

/** The report of a release as of a moment. */
export const reportAsOf = (
  { facts, policy, waivers }: ReleaseDossier,
  asOf: Instant,
  options?: AssessOptions,
): ReadinessReport => assessRelease(facts, policy.policy, asOf, waivers, options);

/** The moment since which the report reads as it does at `now`: the last change or the last time limit passed since. */
export const readsSince = ({ facts, policy, waivers, revision }: ReleaseDossier, now: Instant): Instant =>
  Math.max(revision.changedAt, lastTimeLimit(facts, policy.policy, waivers, now) ?? revision.changedAt);

/** The report at `now`; two without a change between them are the same to the byte. */
export const liveReport = (dossier: ReleaseDossier, now: Instant, options?: AssessOptions): ReadinessReport =>
  reportAsOf(dossier, readsSince(dossier, now), options);

/** The first moment after `now` at which the report changes by time alone; null: it never will. */
export const readsUntil = ({ facts, policy, waivers }: ReleaseDossier, now: Instant): Instant | null =>
  nextTimeLimit(facts, policy.policy, waivers, now);
