import { type Axis, PLACE } from './axis.js';
import type { ReleaseFacts, StabilityFacts } from './facts.js';
import { type AxisDemand, axisMeets, type GateDemands, NO_DEMAND } from './gate-demands.js';
import { missingParts, shareInHundredths } from './hundredths.js';
import type { Policy } from './policy.js';
import { MAX_COUNT, NOTHING, type Share, type Shares } from './share.js';
import { leastForUpperBound } from './stability-bound.js';
import { INDEPENDENT, type Work } from './work.js';

/** The work for each reason alone, before the score is looked at. */
export interface ReasonsCleared {
  /** The axis the added issues are for: one issue measures scope and quality both. */
  readonly issuesFor: 'scope' | 'quality';
  /** Whether no number of deployments can clear stability's own reason. */
  readonly stabilityStuck: boolean;
}

const missing = ({ part, whole, cause }: Share, { minimum }: AxisDemand): number =>
  cause === null && shareInHundredths(part, whole) < minimum ? missingParts(part, whole, minimum) : 0;

/**
 * The least number of further successful deployments that measures stability and brings it to `minimum` hundredths;
 * null when no countable number does. From 10,000 (s + n) >= minimum (s + n + f) follows
 * s + n >= minimum f / (10,000 - minimum); a quotient in the countable range is exact enough for rounding up.
 */
const missingDeployments = ({ succeeded, failed }: StabilityFacts, minimum: number, sample: number): number | null => {
  if (failed > 0 && minimum >= 10_000) return null;
  const forRate = failed === 0 ? 0 : Math.ceil((minimum * failed) / (10_000 - minimum)) - succeeded;
  const least = Math.max(0, forRate, sample - succeeded - failed);
  return succeeded + least > MAX_COUNT ? null : least;
};

const clearStability = (facts: StabilityFacts, policy: Policy, demands: GateDemands, work: Work): boolean => {
  const { minimum } = demands.axes[PLACE.stability];
  const sample = Math.max(1, policy.minFinishedDeployments);
  const { succeeded, failed } = facts;
  const least =
    demands.stabilityBound === 'rate'
      ? missingDeployments(facts, minimum, sample)
      : leastForUpperBound(succeeded, failed, minimum, Math.max(0, sample - succeeded - failed));
  work.deployments = least ?? 0;
  return least === null;
};

/** Measures an unmeasured axis and brings it to its minimum; true when no number of deployments can. */
export const measureAxis = (
  axis: Axis,
  facts: ReleaseFacts,
  policy: Policy,
  demands: GateDemands,
  work: Work,
): boolean => {
  if (axis === 'stability') return clearStability(facts.stability, policy, demands, work);
  if (axis === 'scope' || axis === 'quality') work.addIssues = 1;
  else work.measures[PLACE[axis]] = 1;
  return false;
};

/** Puts into `work` the least that clears each axis reason and the bugs' one, each alone. Closed forms, or a search by halving. */
export const clearReasons = (
  facts: ReleaseFacts,
  policy: Policy,
  shares: Shares,
  demands: GateDemands,
  work: Work,
): ReasonsCleared => {
  const scope = demands.axes[PLACE.scope];
  const quality = demands.axes[PLACE.quality];
  const scopeMissing = scope.mustBeMeasured && shares[PLACE.scope].whole === 0;
  if (scopeMissing || (quality.mustBeMeasured && shares[PLACE.quality].whole === 0)) work.addIssues = 1;
  work.closeIssues = missing(shares[PLACE.scope], scope);
  work.resolveBugs = missing(shares[PLACE.quality], quality);
  work.resolveCriticalBugs = Math.max(0, facts.quality.open.critical - demands.maxOpenCriticalBugs);
  for (const place of INDEPENDENT) {
    const share = shares[place] ?? NOTHING;
    const demand = demands.axes[place] ?? NO_DEMAND;
    if (demand.mustBeMeasured && share.whole === 0) work.measures[place] = 1;
    work.raises[place] = missing(share, demand);
  }
  const stabilityFails = !axisMeets(
    PLACE.stability,
    shares[PLACE.stability],
    demands.axes[PLACE.stability],
    demands.stabilityBound,
  );
  return {
    issuesFor: scopeMissing ? 'scope' : 'quality',
    stabilityStuck: stabilityFails && clearStability(facts.stability, policy, demands, work),
  };
};
