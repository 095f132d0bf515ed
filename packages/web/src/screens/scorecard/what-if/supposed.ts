import type { ReleaseFacts } from '@shipworthy/domain/readiness';

/** The numbers that can be moved. */
export interface Amounts {
  readonly done: number;
  readonly resolved: number;
  /** Of the bugs that are critical and open now, how many are resolved. */
  readonly critical: number;
  readonly items: number;
  readonly passed: number;
  /** Tests of the run; 0: no run. */
  readonly tests: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** What somebody moved; the rest is as it is. */
export type Supposed = Partial<Amounts>;

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** The amounts as they would be: what was moved, as far as it fits the release as it is by now. A bug is an issue, too. */
export const amountsOf = (facts: ReleaseFacts, supposed: Supposed): Amounts => {
  const { scope, quality, ops, verification, stability } = facts;
  const done = clamp(supposed.done ?? scope.done, 0, scope.total);
  const resolved = clamp(
    supposed.resolved ?? quality.resolved,
    Math.max(0, quality.total - (scope.total - done)),
    Math.min(quality.total, done),
  );
  const more = Math.max(0, resolved - quality.resolved);
  const mild = quality.total - quality.resolved - quality.open.critical;
  const critical = clamp(supposed.critical ?? 0, Math.max(0, more - mild), Math.min(quality.open.critical, more));
  const tests = verification?.total ?? supposed.tests ?? 0;
  return {
    done,
    resolved,
    critical,
    items: clamp(supposed.items ?? ops.done, 0, ops.total),
    tests,
    passed: clamp(supposed.passed ?? verification?.passed ?? 0, 0, tests),
    succeeded: Math.max(0, supposed.succeeded ?? stability.succeeded),
    failed: Math.max(0, supposed.failed ?? stability.failed),
  };
};

/** So many bugs resolved: each one more is an issue done, each one fewer an open one. */
export const withResolved = (facts: ReleaseFacts, supposed: Supposed, resolved: number): Supposed => {
  const now = amountsOf(facts, supposed);
  const { scope, quality } = facts;
  const done = clamp(now.done + resolved - now.resolved, resolved, scope.total - (quality.total - resolved));
  return { ...supposed, resolved, done };
};

/** So many of the critical bugs resolved. */
export const withCritical = (facts: ReleaseFacts, supposed: Supposed, critical: number): Supposed => {
  const now = amountsOf(facts, supposed);
  return { ...withResolved(facts, supposed, now.resolved + critical - now.critical), critical };
};
