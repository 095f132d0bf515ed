import { AXES, inAxisOrder, inEachPlace, PLACE } from './axis.js';
import { clearReasons, measureAxis } from './clear-reasons.js';
import type { ReleaseFacts } from './facts.js';
import { type GateDemands, meets, NO_DEMAND, NO_THRESHOLD } from './gate-demands.js';
import { leastWhere } from './least.js';
import type { Policy } from './policy.js';
import { raiseScore } from './raise-score.js';
import { measuredWeight } from './readiness-score.js';
import type { Shares } from './share.js';
import {
  amountOf,
  copyOf,
  criticalBugsAfter,
  INDEPENDENT,
  noWork,
  raisesAt,
  setAmount,
  sharesAfter,
  TARGETS,
  type Work,
} from './work.js';

/** The least work that yields `go`, as far as work can. */
export interface LeastWork {
  readonly work: Work;
  /** The axis the added issues are for. */
  readonly issuesFor: 'scope' | 'quality';
  /** Whether no number of deployments clears stability's own reason. */
  readonly stabilityStuck: boolean;
  /** Whether no work brings the score to the threshold. */
  readonly scoreStuck: boolean;
}

/** Whether there are targets of two kinds among issues, bugs and critical bugs: doing one may then reach another. */
const overlap = ({ closeIssues, resolveBugs, resolveCriticalBugs }: Work): boolean =>
  (closeIssues > 0 ? 1 : 0) + (resolveBugs > 0 ? 1 : 0) + (resolveCriticalBugs > 0 ? 1 : 0) > 1;

const isRaised = (work: Work, above: Work): boolean => {
  for (const place of INDEPENDENT) if (raisesAt(work, place) > raisesAt(above, place)) return true;
  return work.closeIssues > above.closeIssues || work.resolveBugs > above.resolveBugs;
};

/**
 * Takes from each target what is not needed beside the others; afterwards none can be made smaller by one. What
 * `cleared` asks for is the least for its own reason, so only what was raised since or is reached by others is tried.
 */
const reduce = (
  facts: ReleaseFacts,
  policy: Policy,
  shares: Shares,
  demands: GateDemands,
  cleared: Work,
  work: Work,
): void => {
  const issuesOverlap = overlap(work);
  if (!issuesOverlap && !isRaised(work, cleared)) return;
  const weights = inAxisOrder(policy.weights);
  const suffices = (): boolean =>
    meets(demands, weights, sharesAfter(facts, policy, shares, work), criticalBugsAfter(facts, work));
  for (const target of TARGETS) {
    const most = amountOf(work, target);
    const mayBeReached = issuesOverlap && typeof target !== 'number';
    if (most === 0 || (most === amountOf(cleared, target) && !mayBeReached)) continue;
    setAmount(work, target, most - 1);
    // Mostly nothing can be taken away, which one look tells.
    const least = suffices()
      ? leastWhere(0, most - 1, (count) => {
          setAmount(work, target, count);
          return suffices();
        })
      : most;
    setAmount(work, target, least);
  }
};

const reachable = (demands: GateDemands, stabilityStuck: boolean, scoreStuck: boolean): GateDemands =>
  stabilityStuck || scoreStuck
    ? {
        axes: stabilityStuck
          ? inEachPlace((place) => (place === PLACE.stability ? NO_DEMAND : (demands.axes[place] ?? NO_DEMAND)))
          : demands.axes,
        stabilityBound: demands.stabilityBound,
        threshold: scoreStuck ? NO_THRESHOLD : demands.threshold,
        maxOpenCriticalBugs: demands.maxOpenCriticalBugs,
      }
    : demands;

/**
 * The least work that yields `go`: what clears each reason alone, then what the score still lacks, without what the
 * targets do for each other. What no work can reach is named, and the rest is the least that reaches the rest.
 * Its time does not grow with the counts.
 */
export const leastWork = (facts: ReleaseFacts, policy: Policy, shares: Shares, demands: GateDemands): LeastWork => {
  const { weights } = policy;
  const cleared = noWork();
  let { issuesFor, stabilityStuck } = clearReasons(facts, policy, shares, demands, cleared);
  let after = sharesAfter(facts, policy, shares, cleared);
  if (!stabilityStuck && measuredWeight(inAxisOrder(weights), after) === 0) {
    // Without a score there is no `go`, even where nothing is required: one axis of weight must be measured.
    const axis = AXES.find((candidate) => weights[candidate] > 0);
    if (axis === 'scope' || axis === 'quality') issuesFor = axis;
    if (axis !== undefined) stabilityStuck = measureAxis(axis, facts, policy, demands, cleared);
    after = sharesAfter(facts, policy, shares, cleared);
  }
  const work = copyOf(cleared);
  const scoreStuck = !raiseScore(facts, policy, shares, demands.threshold, after, work, !stabilityStuck);
  if (scoreStuck) Object.assign(work, cleared);
  reduce(facts, policy, shares, reachable(demands, stabilityStuck, scoreStuck), cleared, work);
  return { work, issuesFor, stabilityStuck, scoreStuck };
};
