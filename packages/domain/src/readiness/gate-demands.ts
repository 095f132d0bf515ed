import type { Instant } from '../instant.js';
import type { Axis, PerAxis } from './axis.js';
import { inHundredths, shareInHundredths } from './hundredths.js';
import type { Policy } from './policy.js';
import { measuredWeight, readinessScore } from './readiness-score.js';
import type { Share, Shares } from './share.js';
import { type StabilityBound, stabilityBoundOf, stabilityHundredths } from './stability-bound.js';
import type { Waiver } from './waiver.js';
import { acceptedBugs, acceptedScore, isWaived } from './waiver-rules.js';

/** What an axis must reach for `go`. */
export interface AxisDemand {
  /** Whole hundredths; 0 demands nothing. */
  readonly minimum: number;
  /** Only true for an axis that is unmeasured. */
  readonly mustBeMeasured: boolean;
}

/**
 * What the gate demands for `go` once the waivers in force are heeded. A waiver accepts a reason while it is no worse
 * than signed, which is the same as demanding only what was signed.
 */
export interface GateDemands {
  readonly axes: PerAxis<AxisDemand>;
  /** What the minimum of stability is demanded of. */
  readonly stabilityBound: StabilityBound;
  /** Whole hundredths; negative demands not even that there is a score. */
  readonly threshold: number;
  readonly maxOpenCriticalBugs: number;
}

/** What is demanded of an axis of weight 0. */
export const NO_DEMAND: AxisDemand = Object.freeze({ minimum: 0, mustBeMeasured: false });

/** The threshold that demands not even that there is a score. */
export const NO_THRESHOLD = -1;

const axisDemand = (
  axis: Axis,
  weight: number,
  least: number,
  isMeasured: boolean,
  { requiredAxes }: Policy,
  waivers: readonly Waiver[],
  asOf: Instant,
): AxisDemand => {
  if (weight === 0) return NO_DEMAND;
  const minimum = inHundredths(least);
  // What is measured stays so, whatever is done; only the rest needs to be looked up.
  const mustBeMeasured = !isMeasured && requiredAxes.includes(axis);
  if (waivers.length === 0) return { minimum, mustBeMeasured };
  return {
    minimum: acceptedScore(waivers, 'axis_below_minimum', axis, minimum, asOf),
    mustBeMeasured: mustBeMeasured && !isWaived(waivers, 'axis_unmeasured', axis, null, asOf),
  };
};

/** The demands of a policy on a release that stands at `shares`, with its waivers at `asOf`. */
export const gateDemands = (policy: Policy, shares: Shares, waivers: readonly Waiver[], asOf: Instant): GateDemands => {
  const { weights: w, minimums: m, maxOpenCriticalBugs: bugs } = policy;
  const threshold = inHundredths(policy.threshold);
  const limit = bugs ?? Number.POSITIVE_INFINITY;
  const isAny = waivers.length > 0;
  return {
    axes: {
      scope: axisDemand('scope', w.scope, m.scope, shares.scope.whole > 0, policy, waivers, asOf),
      quality: axisDemand('quality', w.quality, m.quality, shares.quality.whole > 0, policy, waivers, asOf),
      ops: axisDemand('ops', w.ops, m.ops, shares.ops.whole > 0, policy, waivers, asOf),
      verification: axisDemand(
        'verification',
        w.verification,
        m.verification,
        shares.verification.whole > 0,
        policy,
        waivers,
        asOf,
      ),
      stability: axisDemand('stability', w.stability, m.stability, shares.stability.whole > 0, policy, waivers, asOf),
    },
    stabilityBound: stabilityBoundOf(policy),
    threshold: isAny ? acceptedScore(waivers, 'score_below_threshold', null, threshold, asOf) : threshold,
    maxOpenCriticalBugs: isAny ? acceptedBugs(waivers, limit, asOf) : limit,
  };
};

const axisMeets = ({ part, whole }: Share, demand: AxisDemand): boolean =>
  whole === 0 ? !demand.mustBeMeasured : shareInHundredths(part, whole) >= demand.minimum;

/** Whether stability, measured or not, meets what is demanded of it. */
export const stabilityMeets = (share: Share, demand: AxisDemand, bound: StabilityBound): boolean =>
  share.whole === 0 ? !demand.mustBeMeasured : stabilityHundredths(bound, share) >= demand.minimum;

/** Whether the score over these shares reaches the threshold; without a score it does not. */
export const scoreMeets = (weights: PerAxis<number>, shares: Shares, threshold: number): boolean => {
  const score = readinessScore(weights, shares, measuredWeight(weights, shares));
  return (score ?? NO_THRESHOLD) >= threshold;
};

/** Whether these shares and open critical bugs yield `go`. */
export const meets = (
  demands: GateDemands,
  weights: PerAxis<number>,
  shares: Shares,
  openCriticalBugs: number,
): boolean =>
  openCriticalBugs <= demands.maxOpenCriticalBugs &&
  axisMeets(shares.scope, demands.axes.scope) &&
  axisMeets(shares.quality, demands.axes.quality) &&
  axisMeets(shares.ops, demands.axes.ops) &&
  axisMeets(shares.verification, demands.axes.verification) &&
  stabilityMeets(shares.stability, demands.axes.stability, demands.stabilityBound) &&
  scoreMeets(weights, shares, demands.threshold);
