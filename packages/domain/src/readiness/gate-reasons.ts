import type { Instant } from '../instant.js';
import { AXES, type Axis, type InAxisOrder, inAxisOrder, type UnmeasuredCause } from './axis.js';
import type { ReleaseFacts } from './facts.js';
import { fromHundredths, inHundredths } from './hundredths.js';
import type { Policy } from './policy.js';
import type { Reason } from './readiness-report.js';
import type { Shares } from './share.js';
import { comparedHundredths, type StabilityBound, stabilityBoundOf } from './stability-bound.js';
import type { ReasonCode, Waiver } from './waiver.js';
import { isWaived } from './waiver-rules.js';
import { axisTitle, counted, hundredthsText } from './wording.js';

const WHY: { readonly [cause in UnmeasuredCause]: string } = Object.freeze({
  no_issues: 'the release has no issue that counts',
  issues_being_imported: 'its issues are being imported',
  no_checklist_items: 'no checklist item applies',
  no_test_run: 'no test run was recorded',
  stale_test_run: 'the test run is too old',
  test_run_set_aside: 'the latest test run of a suite is set aside',
  no_finished_deployment: 'no deployment has finished in the release window',
  too_few_deployments: 'too few deployments have finished in the release window',
});

const NO_WEIGHTS = 'Every weight of the policy is 0, so nothing is judged: give at least one axis a weight above 0';

/** Collects the failed conditions of one release at one moment, marking those a waiver covers. */
class Reasons {
  readonly all: Reason[] = [];

  constructor(
    private readonly waivers: readonly Waiver[],
    private readonly asOf: Instant,
  ) {}

  add(code: ReasonCode, axis: Axis | null, actual: number | null, required: number | null, message: string): void {
    const waived = this.waivers.length > 0 && isWaived(this.waivers, code, axis, actual, this.asOf);
    this.all.push({ code, axis, actual, required, message, waived });
  }

  addUnmeasured(axis: Axis, cause: UnmeasuredCause): void {
    this.add('axis_unmeasured', axis, null, null, `${axisTitle(axis)} is not measured: ${WHY[cause]}`);
  }

  addBelowMinimum(axis: Axis, hundredths: number, minimum: number, bound: StabilityBound): void {
    const subject =
      axis === 'stability' && bound === 'upper_bound'
        ? 'By the upper bound of the 95 % interval of its failure rate, stability'
        : axisTitle(axis);
    const demand = hundredthsText(inHundredths(minimum));
    const message = `${subject} is at ${hundredthsText(hundredths)}, below its minimum of ${demand}`;
    this.add('axis_below_minimum', axis, fromHundredths(hundredths), minimum, message);
  }
}

/**
 * Every failed condition: weights, score, axes in axis order, bugs. `score` is in whole hundredths; a null one is not judged.
 * Axes of weight 0 are not judged. The limit of open critical bugs is a condition of its own: it holds whatever the
 * weight of quality is.
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
  const minimums = inAxisOrder(policy.minimums);
  const bound = stabilityBoundOf(policy);
  for (let place = 0; place < AXES.length; place += 1) {
    const axis = AXES[place];
    const share = shares[place];
    if (axis === undefined || share === undefined || weights[place] === 0) continue;
    const minimum = minimums[place] ?? 0;
    if (share.cause !== null) {
      if (policy.requiredAxes.includes(axis)) reasons.addUnmeasured(axis, share.cause);
    } else {
      const hundredths = comparedHundredths(place, bound, share);
      if (hundredths < inHundredths(minimum)) reasons.addBelowMinimum(axis, hundredths, minimum, bound);
    }
  }
  const { critical } = facts.quality.open;
  if (maxOpenCriticalBugs !== null && critical > maxOpenCriticalBugs) {
    const message = `${counted(critical, 'critical bug')} open, at most ${maxOpenCriticalBugs} allowed`;
    reasons.add('open_critical_bugs', null, critical, maxOpenCriticalBugs, message);
  }
  return reasons.all;
};
