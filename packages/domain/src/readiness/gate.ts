import type { Instant } from '../time.js';
import { comparedHundredths, type StabilityBound, stabilityBoundOf } from './axes/stability.js';
import { AXES, type AxisName, type InAxisOrder, inEachPlace, type UnmeasuredCause } from './axis.js';
import type { ReleaseFacts } from './facts.js';
import { fromHundredths, inHundredths, measuredWeight, readinessScore, type Share, type Shares } from './numbers.js';
import { type OwnAxis, ownTitle } from './own-axis.js';
import { minimumsOf, type Policy, weightsOf } from './policy.js';
import type { GateDecision, Reason } from './report.js';
import { acceptedBugs, acceptedScore, covers, isWaived, type ReasonCode, type Waiver } from './waiver.js';
import { axisTitle, counted, hundredthsText } from './words.js';

/** Whether a reason says that something could not be judged, unlike a measured condition that fails. */
const isUnknown = ({ code }: Reason): boolean => code === 'axis_unmeasured' || code === 'no_weights';

/**
 * `hold` when a measured condition fails; otherwise `unknown` when something required is unmeasured or there is no
 * score; otherwise `go`. With `heedWaivers` a waived reason counts as met.
 */
export const decide = (reasons: readonly Reason[], score: number | null, heedWaivers: boolean): GateDecision => {
  let decision: GateDecision = score === null ? 'unknown' : 'go';
  for (const reason of reasons) {
    if (heedWaivers && reason.waived) continue;
    if (!isUnknown(reason)) return 'hold';
    decision = 'unknown';
  }
  return decision;
};

const coversAny = (waiver: Waiver, reasons: readonly Reason[], asOf: Instant): boolean =>
  reasons.some(({ code, axis, actual }) => covers(waiver, code, axis, actual, asOf));

/** The waivers that cover one of the reasons now, oldest first; `waivers` may be in any order. */
export const applyingWaivers = (
  waivers: readonly Waiver[],
  reasons: readonly Reason[],
  asOf: Instant,
): readonly Waiver[] =>
  waivers
    .filter((waiver) => coversAny(waiver, reasons, asOf))
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));

const WHY: { readonly [cause in UnmeasuredCause]: string } = Object.freeze({
  no_issues: 'the release has no issue that counts',
  issues_being_imported: 'its issues are being imported',
  no_checklist_items: 'no checklist item applies',
  no_test_run: 'no test run was recorded',
  stale_test_run: 'the test run is too old',
  test_run_set_aside: 'the latest test run of a suite is set aside',
  no_finished_deployment: 'no deployment has finished in the release window',
  too_few_deployments: 'too few deployments have finished in the release window',
  no_report: 'nothing was reported for it',
  stale_report: 'its latest report is too old',
  not_measurable: 'its latest report could not measure it',
  nothing_to_count: 'there is nothing to count',
});

const NO_WEIGHTS = 'Every weight of the policy is 0, so nothing is judged: give at least one axis a weight above 0';

/** The own axis at a place; undefined at those of the five. */
const ownAt = ({ ownAxes }: Policy, place: number): OwnAxis | undefined => ownAxes?.[place - AXES.length];

const nameAt = (policy: Policy, place: number): AxisName => AXES[place] ?? ownAt(policy, place)?.name ?? '';

/** The axis at a place as it begins a sentence. */
const titleAt = (policy: Policy, place: number): string => {
  const own = ownAt(policy, place);
  return own === undefined ? axisTitle(AXES[place] ?? 'scope') : ownTitle(own);
};

const isRequiredAt = (policy: Policy, place: number): boolean => {
  const axis = AXES[place];
  return axis === undefined ? ownAt(policy, place)?.required === true : policy.requiredAxes.includes(axis);
};

/** Collects the failed conditions of one release at one moment, marking those a waiver covers. */
class Reasons {
  readonly all: Reason[] = [];

  constructor(
    private readonly waivers: readonly Waiver[],
    private readonly asOf: Instant,
  ) {}

  add(code: ReasonCode, axis: AxisName | null, actual: number | null, required: number | null, message: string): void {
    const waived = this.waivers.length > 0 && isWaived(this.waivers, code, axis, actual, this.asOf);
    this.all.push({ code, axis, actual, required, message, waived });
  }

  addUnmeasured(name: AxisName, title: string, cause: UnmeasuredCause): void {
    this.add('axis_unmeasured', name, null, null, `${title} is not measured: ${WHY[cause]}`);
  }

  addBelowMinimum(name: AxisName, title: string, hundredths: number, minimum: number, bound: StabilityBound): void {
    const subject =
      name === 'stability' && bound === 'upper_bound'
        ? 'By the upper bound of the 95 % interval of its failure rate, stability'
        : title;
    const demand = hundredthsText(inHundredths(minimum));
    const message = `${subject} is at ${hundredthsText(hundredths)}, below its minimum of ${demand}`;
    this.add('axis_below_minimum', name, fromHundredths(hundredths), minimum, message);
  }
}

/**
 * Every failed condition: weights, score, axes in axis order, bugs. `score` is in whole hundredths; a null one is not judged.
 * Axes of weight 0 are not judged. The limit of open critical bugs is a condition of its own and applies with any weight of
 * quality.
 */
export const gateReasons = (
  facts: ReleaseFacts,
  policy: Policy,
  weights: InAxisOrder<number>,
  shares: Shares,
  score: number | null,
  waivers: readonly Waiver[],
  asOf: Instant,
): readonly Reason[] => {
  const { threshold, maxOpenCriticalBugs } = policy;
  const reasons = new Reasons(waivers, asOf);
  const demand = inHundredths(threshold);
  if (score === null && weights.every((weight) => weight === 0))
    reasons.add('no_weights', null, null, null, NO_WEIGHTS);
  if (score !== null && score < demand) {
    const message = `The score is ${hundredthsText(score)}, below the threshold of ${hundredthsText(demand)}`;
    reasons.add('score_below_threshold', null, fromHundredths(score), threshold, message);
  }
  const minimums = minimumsOf(policy);
  const bound = stabilityBoundOf(policy);
  for (let place = 0; place < shares.length; place += 1) {
    const share = shares[place];
    if (share === undefined || weights[place] === 0) continue;
    const minimum = minimums[place] ?? 0;
    if (share.cause !== null) {
      if (isRequiredAt(policy, place))
        reasons.addUnmeasured(nameAt(policy, place), titleAt(policy, place), share.cause);
      continue;
    }
    const hundredths = comparedHundredths(place, bound, share);
    if (hundredths < inHundredths(minimum))
      reasons.addBelowMinimum(nameAt(policy, place), titleAt(policy, place), hundredths, minimum, bound);
  }
  const { critical } = facts.quality.open;
  if (maxOpenCriticalBugs !== null && critical > maxOpenCriticalBugs) {
    const message = `${counted(critical, 'critical bug')} open, at most ${maxOpenCriticalBugs} allowed`;
    reasons.add('open_critical_bugs', null, critical, maxOpenCriticalBugs, message);
  }
  return reasons.all;
};

/** What an axis must reach for `go`. */
export interface AxisDemand {
  /** Whole hundredths; 0 demands nothing. */
  readonly minimum: number;
  /** Only true for an axis that is unmeasured. */
  readonly mustBeMeasured: boolean;
}

/**
 * What the gate demands for `go` once the waivers in force are applied. A waiver accepts a reason while it is no worse than
 * signed, which is the same as demanding only what was signed.
 */
export interface GateDemands {
  readonly weights: InAxisOrder<number>;
  readonly axes: InAxisOrder<AxisDemand>;
  /** The value that the minimum of stability applies to. */
  readonly stabilityBound: StabilityBound;
  /** Whole hundredths; a negative one is met even without a score. */
  readonly threshold: number;
  readonly maxOpenCriticalBugs: number;
}

/** The demand on an axis of weight 0: none. */
export const NO_DEMAND: AxisDemand = Object.freeze({ minimum: 0, mustBeMeasured: false });

/** The threshold that is met even without a score. */
export const NO_THRESHOLD = -1;

/** The parts of a policy that concern all axes, in axis order. */
interface PolicyByAxis {
  readonly weights: InAxisOrder<number>;
  readonly minimums: InAxisOrder<number>;
  readonly policy: Policy;
}

const axisDemand = (
  place: number,
  { weights, minimums, policy }: PolicyByAxis,
  shares: Shares,
  waivers: readonly Waiver[],
  asOf: Instant,
): AxisDemand => {
  if (weights[place] === 0) return NO_DEMAND;
  const minimum = inHundredths(minimums[place] ?? 0);
  // No step makes a measured axis unmeasured, so only unmeasured ones are looked up among the required axes.
  const mustBeMeasured = shares[place]?.whole === 0 && isRequiredAt(policy, place);
  if (waivers.length === 0) return { minimum, mustBeMeasured };
  const axis = nameAt(policy, place);
  return {
    minimum: acceptedScore(waivers, 'axis_below_minimum', axis, minimum, asOf),
    mustBeMeasured: mustBeMeasured && !isWaived(waivers, 'axis_unmeasured', axis, null, asOf),
  };
};

/** The demands of a policy on a release with these shares, and its waivers in force at `asOf`. */
export const gateDemands = (policy: Policy, shares: Shares, waivers: readonly Waiver[], asOf: Instant): GateDemands => {
  const byAxis: PolicyByAxis = { weights: weightsOf(policy), minimums: minimumsOf(policy), policy };
  const threshold = inHundredths(policy.threshold);
  const limit = policy.maxOpenCriticalBugs ?? Number.POSITIVE_INFINITY;
  const isAny = waivers.length > 0;
  return {
    weights: byAxis.weights,
    axes: inEachPlace(shares.length, (place) => axisDemand(place, byAxis, shares, waivers, asOf)),
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
export const meets = (demands: GateDemands, shares: Shares, openCriticalBugs: number): boolean => {
  if (openCriticalBugs > demands.maxOpenCriticalBugs) return false;
  for (let place = 0; place < shares.length; place += 1) {
    const share = shares[place];
    const demand = demands.axes[place];
    if (share === undefined || demand === undefined) return false;
    if (!axisMeets(place, share, demand, demands.stabilityBound)) return false;
  }
  return scoreMeets(demands.weights, shares, demands.threshold);
};
