import type { Instant } from '../instant.js';
import type { Axis, UnmeasuredCause } from './axis.js';
import type { ReleaseFacts } from './facts.js';
import { fromHundredths, inHundredths, shareInHundredths } from './hundredths.js';
import type { Policy } from './policy.js';
import type { Reason } from './readiness-report.js';
import type { Share, Shares } from './share.js';
import { stabilityBoundOf, stabilityHundredths } from './stability-bound.js';
import type { ReasonCode, Waiver } from './waiver.js';
import { isWaived } from './waiver-rules.js';
import { axisTitle, counted, hundredthsText } from './wording.js';

const WHY: { readonly [cause in UnmeasuredCause]: string } = Object.freeze({
  no_issues: 'the release has no issue that counts',
  issues_being_imported: 'its issues are being imported',
  no_checklist_items: 'no checklist item applies',
  no_test_run: 'no test run was recorded',
  stale_test_run: 'the test run is too old',
  no_finished_deployment: 'no deployment has finished in the release window',
  too_few_deployments: 'too few deployments have finished in the release window',
});

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

  addAxis(axis: Axis, weight: number, minimum: number, { part, whole, cause }: Share, policy: Policy): void {
    if (weight === 0) return;
    if (cause !== null) {
      if (policy.requiredAxes.includes(axis))
        this.add('axis_unmeasured', axis, null, null, `${axisTitle(axis)} is not measured: ${WHY[cause]}`);
      return;
    }
    const byBound = axis === 'stability' && stabilityBoundOf(policy) === 'upper_bound';
    const hundredths = byBound ? stabilityHundredths('upper_bound', { part, whole }) : shareInHundredths(part, whole);
    const demand = inHundredths(minimum);
    if (hundredths >= demand) return;
    const actual = fromHundredths(hundredths);
    const subject = byBound
      ? 'By the upper bound of the 95 % interval of its failure rate, stability'
      : axisTitle(axis);
    const message = `${subject} is at ${hundredthsText(hundredths)}, below its minimum of ${hundredthsText(demand)}`;
    this.add('axis_below_minimum', axis, actual, minimum, message);
  }
}

/**
 * Every failed condition: score, axes in axis order, bugs. `score` is in whole hundredths; a null one is not judged.
 * Axes of weight 0 are not judged. The limit of open critical bugs is a condition of its own: it holds whatever the
 * weight of quality is.
 */
export const gateReasons = (
  facts: ReleaseFacts,
  policy: Policy,
  shares: Shares,
  score: number | null,
  waivers: readonly Waiver[],
  asOf: Instant,
): readonly Reason[] => {
  const { weights, minimums, threshold, maxOpenCriticalBugs } = policy;
  const reasons = new Reasons(waivers, asOf);
  const demand = inHundredths(threshold);
  if (score !== null && score < demand) {
    const message = `The score is ${hundredthsText(score)}, below the threshold of ${hundredthsText(demand)}`;
    reasons.add('score_below_threshold', null, fromHundredths(score), threshold, message);
  }
  reasons.addAxis('scope', weights.scope, minimums.scope, shares.scope, policy);
  reasons.addAxis('quality', weights.quality, minimums.quality, shares.quality, policy);
  reasons.addAxis('ops', weights.ops, minimums.ops, shares.ops, policy);
  reasons.addAxis('verification', weights.verification, minimums.verification, shares.verification, policy);
  reasons.addAxis('stability', weights.stability, minimums.stability, shares.stability, policy);
  const { critical } = facts.quality.open;
  if (maxOpenCriticalBugs !== null && critical > maxOpenCriticalBugs) {
    const message = `${counted(critical, 'critical bug')} open, at most ${maxOpenCriticalBugs} allowed`;
    reasons.add('open_critical_bugs', null, critical, maxOpenCriticalBugs, message);
  }
  return reasons.all;
};
