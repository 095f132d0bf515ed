import type {
  OpsFacts,
  PerAxis,
  Policy,
  QualityFacts,
  ReleaseFacts,
  SourceFacts,
  VerificationFacts,
  Waiver,
} from '../../src/readiness/index.js';
import { AXES } from '../../src/readiness/index.js';
import { MAX_COUNT } from '../../src/readiness/numbers.js';
import { WAIVABLE_CODES } from '../../src/readiness/waiver.js';

/** The moment that drawn releases are judged at. */
export const JUDGED_AT = Date.UTC(2026, 10, 24, 12, 30, 15, 500);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A release with its policy and waivers, to be judged at `JUDGED_AT`. */
export interface DrawnRelease {
  readonly facts: ReleaseFacts;
  readonly policy: Policy;
  readonly waivers: readonly Waiver[];
}

/**
 * Draws the release of that number, the same one on any machine and with any later version of a library: what is drawn
 * depends on this file alone. A third are nearly ready, a third have small counts, a third have any.
 */
export const drawnRelease = (number: number): DrawnRelease => {
  const dice = diceOf(number);
  const counts = [nearlyReady, smallCounts, anyCounts][number % 3] ?? anyCounts;
  const facts = factsOf(dice, counts(dice));
  return { facts, policy: policyOf(dice), waivers: dice.list(dice.below(4) - 1, (index) => waiverOf(dice, index)) };
};

interface Dice {
  /** A whole number, 0 to `limit` - 1. */
  below(limit: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  of<Value>(values: readonly Value[]): Value;
  /** `length` drawn values; none where it is below 1. */
  list<Value>(length: number, draw: (index: number) => Value): readonly Value[];
}

/** Marsaglia's xorshift with 32 bits (Journal of Statistical Software 8, 2003), from a seed that is scattered first. */
const diceOf = (seed: number): Dice => {
  let state = Math.imul(seed + 1, 0x9e37_79b1) >>> 0 || 1;
  const below = (limit: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  for (let time = 0; time < 8; time += 1) below(2);
  return {
    below,
    once: (times) => below(times) === 0,
    of: (values) => {
      const value = values[below(values.length)];
      if (value === undefined) throw new RangeError('there is nothing to draw from');
      return value;
    },
    list: (length, draw) => Array.from({ length: Math.max(0, length) }, (_, index) => draw(index)),
  };
};

/** Draws how many records of a kind are as they should be (`good`), or are not. */
type Counts = (good: boolean) => number;

const nearlyReady =
  (dice: Dice): Counts =>
  (good) =>
    good ? 20 + dice.below(200) : Math.max(0, dice.below(8) - 5);
const smallCounts = (dice: Dice): Counts => {
  return () => dice.below(6);
};
const anyCounts =
  (dice: Dice): Counts =>
  () =>
    dice.below(dice.of([2, 10, 300, 40_000, Math.floor(MAX_COUNT / 8)]));

const qualityOf = (count: Counts): QualityFacts => {
  const open = { critical: count(false), major: count(false), minor: count(false), unspecified: count(false) };
  const resolved = count(true);
  return { resolved, total: resolved + open.critical + open.major + open.minor + open.unspecified, open };
};

const opsOf = (dice: Dice, count: Counts): OpsFacts => {
  const done = count(true);
  const open = count(false);
  const confirmed = dice.once(2);
  const marked = {
    title: 'Item 0',
    reason: dice.of([null, 'not needed for this release']),
    markedBy: dice.of([null, 'Ada']),
    markedAt: dice.of([null, JUDGED_AT - 3 * HOUR]),
    confirmedBy: confirmed ? 'Grace' : null,
    confirmed,
  };
  return {
    done,
    total: done + open,
    openItems: dice.list(Math.min(20, open), (index) => `Item ${index}`),
    ...(open > 0 && dice.once(4) ? { notApplicable: [marked] } : {}),
    ...(dice.once(8) ? { removed: [{ title: 'Gone', removedBy: 'Ada', removedAt: JUDGED_AT - HOUR }] } : {}),
  };
};

const verificationOf = (dice: Dice, count: Counts): VerificationFacts | null => {
  const [passed, failed] = [count(true), count(false)];
  if (passed + failed === 0 || dice.once(12)) return null;
  return {
    passed,
    total: passed + failed,
    ranAt: JUDGED_AT - dice.below(72 * 60) * MINUTE,
    suite: dice.of([null, 'unit', 'end to end']),
    commitSha: dice.of([null, 'a'.repeat(40)]),
    runs: 1 + dice.below(3),
    ...dice.of([{}, { worseSuite: null }, { worseSuite: { suite: 'smoke', passed: 1, total: 3 } }]),
  };
};

const sourceOf = (dice: Dice): SourceFacts | null =>
  dice.once(4)
    ? null
    : { lastAt: JUDGED_AT - dice.below(200 * 60) * MINUTE, medianMs: dice.of([null, 0, HOUR, 30 * HOUR]) };

const factsOf = (dice: Dice, count: Counts): ReleaseFacts => {
  const quality = qualityOf(count);
  const [done, open] = [count(true), count(false)];
  const openBugs = quality.total - quality.resolved;
  const setAside = dice.once(15);
  return {
    scope: { done: done + quality.resolved, total: done + open + quality.resolved + openBugs },
    quality,
    ops: opsOf(dice, count),
    verification: setAside ? null : verificationOf(dice, count),
    stability: { succeeded: count(true), failed: count(false), inProgress: dice.below(3) },
    ...dice.of([{}, {}, { issuesAsOf: null }, { issuesAsOf: JUDGED_AT - 5 * HOUR }]),
    ...dice.of([{}, {}, {}, {}, { issuesPending: false }, { issuesPending: true }]),
    ...(setAside ? { testRunSetAside: { suite: dice.of([null, 'unit']) } } : {}),
    ...(dice.once(2) ? { sources: { deployments: sourceOf(dice), testRuns: sourceOf(dice) } } : {}),
  };
};

const perAxis = (draw: () => number): PerAxis<number> => ({
  scope: draw(),
  quality: draw(),
  ops: draw(),
  verification: draw(),
  stability: draw(),
});

const percentageOf = (dice: Dice): number =>
  dice.once(3) ? dice.below(10_001) / 100 : dice.of([0, 50, 60, 66.66, 66.67, 80, 95, 99.99, 100]);

const policyOf = (dice: Dice): Policy => {
  const most = dice.of([2, 4, 1001]);
  const weights = perAxis(() => dice.below(most));
  const lenient = dice.once(3);
  return {
    weights: AXES.every((axis) => weights[axis] === 0) ? { ...weights, ops: 1 } : weights,
    threshold: percentageOf(dice),
    minimums: perAxis(() => (lenient ? 0 : percentageOf(dice))),
    requiredAxes: AXES.filter(() => dice.once(lenient ? 4 : 2)),
    environments: dice.of([null, ['production']]),
    freshnessHours: dice.of([null, null, 0.5, 24]),
    verification: dice.of(['latest_run', 'latest_per_suite']),
    maxOpenCriticalBugs: dice.of([null, 0, 1, 3]),
    minFinishedDeployments: dice.of([1, 1, 3, 10]),
    ...dice.of([{}, { stabilityBound: 'rate' as const }, { stabilityBound: 'upper_bound' as const }]),
    ...dice.of([{}, { silenceHours: null }, { silenceHours: 12 }]),
  };
};

const waiverOf = (dice: Dice, index: number): Waiver => {
  const code = dice.of(WAIVABLE_CODES);
  const withdrawn = dice.once(6);
  return {
    id: `waiver-${index}`,
    releaseId: 'release',
    code,
    axis: code === 'axis_below_minimum' || code === 'axis_unmeasured' ? dice.of(AXES) : null,
    text: 'accepted for this launch',
    actual: code === 'axis_unmeasured' ? null : code === 'open_critical_bugs' ? dice.below(4) : percentageOf(dice),
    createdBy: 'Ada',
    createdAt: JUDGED_AT - HOUR,
    expiresAt: JUDGED_AT + dice.of([0, 1, HOUR, HOUR]),
    withdrawnAt: withdrawn ? JUDGED_AT - MINUTE : null,
    withdrawnBy: withdrawn ? 'Grace' : null,
  };
};
