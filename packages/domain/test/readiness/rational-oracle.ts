import { AXES, type Axis, type Policy, type ReleaseFacts } from '../../src/readiness/index.js';
import { HOUR } from './sample-release.js';

/** An exact fraction; the oracle shares no line with the engine and never rounds on its way. */
export type Fraction = readonly [top: bigint, bottom: bigint];

const shareOf = (facts: ReleaseFacts, policy: Policy, asOf: number): { readonly [axis: string]: Fraction | null } => {
  const { scope, quality, ops, verification, stability } = facts;
  const isRead = facts.issuesPending !== true;
  const fraction = (part: number, whole: number): Fraction | null => (whole > 0 ? [BigInt(part), BigInt(whole)] : null);
  const stale =
    verification !== null && policy.freshnessHours !== null && asOf - verification.ranAt > policy.freshnessHours * HOUR;
  const finished = stability.succeeded + stability.failed;
  return {
    scope: isRead ? fraction(scope.done, scope.total) : null,
    quality: isRead
      ? scope.total > 0 && quality.total === 0
        ? [1n, 1n]
        : fraction(quality.resolved, quality.total)
      : null,
    ops: fraction(ops.done, ops.total),
    verification: verification === null || stale ? null : fraction(verification.passed, verification.total),
    stability: finished < policy.minFinishedDeployments ? null : fraction(stability.succeeded, finished),
  };
};

/** The exact readiness score as a fraction of 1, null without measured weight. */
export const exactScore = (facts: ReleaseFacts, policy: Policy, asOf: number): Fraction | null => {
  const shares = shareOf(facts, policy, asOf);
  let top = 0n;
  let bottom = 1n;
  let weight = 0n;
  for (const axis of AXES) {
    const share = shares[axis] ?? null;
    const own = BigInt(policy.weights[axis]);
    if (share === null || own === 0n) continue;
    top = top * share[1] + own * share[0] * bottom;
    bottom *= share[1];
    weight += own;
  }
  return weight === 0n ? null : [top, bottom * weight];
};

/** The exact share of one axis, null while it is unmeasured. */
export const exactShare = (facts: ReleaseFacts, policy: Policy, asOf: number, axis: string): Fraction | null =>
  shareOf(facts, policy, asOf)[axis] ?? null;

/** A fraction of 1 on the 0-100 scale, rounded down to two decimals. */
export const roundedDown = ([top, bottom]: Fraction): number => Number((10_000n * top) / bottom) / 100;

/** Whether a fraction of 1 reaches a demand of at most two decimals on the 0-100 scale. */
export const reaches = ([top, bottom]: Fraction, demand: number): boolean =>
  10_000n * top >= BigInt(demand.toFixed(2).replace('.', '')) * bottom;

/** The 97.5 % quantile of the standard normal distribution as a fraction. */
const Z: Fraction = [1_959_963_984_540_054n, 10n ** 15n];

/**
 * Whether 1 - the upper Wilson bound of `failed / finished` reaches a demand on the 0-100 scale, without the bound itself:
 * it is at most q exactly when q is above the rate p and n (q - p)^2 >= z^2 q (1 - q), the score test turned round.
 * `near`: both sides are so close to each other that doubles need not know; one deployment more or less is farther.
 */
export const reachesByUpperBound = (
  succeeded: number,
  failed: number,
  demand: number,
): { readonly reached: boolean; readonly near: boolean } => {
  const least = BigInt(demand.toFixed(2).replace('.', ''));
  const trials = BigInt(succeeded + failed);
  const most = 10_000n - least;
  const ahead = most * trials - 10_000n * BigInt(failed);
  const [top, bottom] = Z;
  const left = ahead * ahead * bottom * bottom;
  const right = top * top * most * least * trials;
  const apart = left > right ? left - right : right - left;
  // At a demand of 100 both sides are 0 without any failure, while the bound is always above 0.
  return { reached: least < 10_000n && ahead >= 0n && left >= right, near: least > 0n && apart * 10n ** 8n < right };
};

/** Whether an axis that is measured at `share` reaches its minimum. */
export const reachesMinimum = ({ stability }: ReleaseFacts, policy: Policy, axis: Axis, share: Fraction): boolean => {
  const least = policy.minimums[axis];
  if (axis !== 'stability' || policy.stabilityBound !== 'upper_bound') return reaches(share, least);
  return reachesByUpperBound(stability.succeeded, stability.failed, least).reached;
};
