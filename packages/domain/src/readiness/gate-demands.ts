import type { Instant } from '../instant.js';
import { AXES, type Axis, type InAxisOrder, inAxisOrder, inEachPlace } from './axis.js';
import { inHundredths } from './hundredths.js';
import type { Policy } from './policy.js';
import { measuredWeight, readinessScore } from './readiness-score.js';
import type { Share, Shares } from './share.js';
import { comparedHundredths, type StabilityBound, stabilityBoundOf } from './stability-bound.js';
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
  readonly axes: InAxisOrder<AxisDemand>;
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

/** What a policy says of all axes, in axis order. */
interface Said {
  readonly weights: InAxisOrder<number>;
  readonly minimums: InAxisOrder<number>;
  readonly requiredAxes: readonly Axis[];
}

const axisDemand = (
  place: number,
  { weights, minimums, requiredAxes }: Said,
  shares: Shares,
  waivers: readonly Waiver[],
  asOf: Instant,
): AxisDemand => {
  const axis = AXES[place];
  if (axis === undefined || weights[place] === 0) return NO_DEMAND;
  const minimum = inHundredths(minimums[place] ?? 0);
  // No step makes a measured axis unmeasured, so only unmeasured ones are looked up among the required axes.
  const mustBeMeasured = shares[place]?.whole === 0 && requiredAxes.includes(axis);
  if (waivers.length === 0) return { minimum, mustBeMeasured };
  return {
    minimum: acceptedScore(waivers, 'axis_below_minimum', axis, minimum, asOf),
    mustBeMeasured: mustBeMeasured && !isWaived(waivers, 'axis_unmeasured', axis, null, asOf),
  };
};

/** The demands of a policy on a release with these shares, and its waivers in force at `asOf`. */
export const gateDemands = (policy: Policy, shares: Shares, waivers: readonly Waiver[], asOf: Instant): GateDemands => {
  const { requiredAxes } = policy;
  const said: Said = { weights: inAxisOrder(policy.weights), minimums: inAxisOrder(policy.minimums), requiredAxes };
  const threshold = inHundredths(policy.threshold);
  const limit = policy.maxOpenCriticalBugs ?? Number.POSITIVE_INFINITY;
  const isAny = waivers.length > 0;
  return {
    axes: inEachPlace((place) => axisDemand(place, said, shares, waivers, asOf)),
    stabilityBound: stabilityBoundOf(policy),
    threshold: isAny ? acceptedScore(waivers, 'score_below_threshold', null, threshold, asOf) : threshold,
    maxOpenCriticalBugs: isAny ? acceptedBugs(waivers, limit, asOf) : limit,
  };
};

/** Whether the axis at a place, measured or not, meets what is demanded of it. */
export const axisMeets = (place: number, share: Share, demand: AxisDemand, bound: StabilityBound): boolean =>
  share.whole === 0 ? !demand.mustBeMeasured : comparedHundredths(place, bound, share) >= demand.minimum;

/** Whether the score over these shares reaches the threshold; without a score it does not. */
export const scoreMeets = (weights: InAxisOrder<number>, shares: Shares, threshold: number): boolean =>
  (readinessScore(weights, shares, measuredWeight(weights, shares)) ?? NO_THRESHOLD) >= threshold;

/** Whether these shares and open critical bugs yield `go`. */
export const meets = (
  demands: GateDemands,
  weights: InAxisOrder<number>,
  shares: Shares,
  openCriticalBugs: number,
): boolean => {
  if (openCriticalBugs > demands.maxOpenCriticalBugs) return false;
  for (let place = 0; place < AXES.length; place += 1) {
    const share = shares[place];
    const demand = demands.axes[place];
    if (share === undefined || demand === undefined) return false;
    if (!axisMeets(place, share, demand, demands.stabilityBound)) return false;
  }
  return scoreMeets(weights, shares, demands.threshold);
};
