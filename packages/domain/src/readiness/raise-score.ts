import { type InAxisOrder, inAxisOrder, PLACE } from './axis.js';
import type { ReleaseFacts } from './facts.js';
import { scoreMeets } from './gate-demands.js';
import { leastWhere } from './least.js';
import type { Policy } from './policy.js';
import { measuredWeight } from './readiness-score.js';
import { MAX_COUNT, NOTHING, type Share, type Shares } from './share.js';
import { weightedSum } from './weighted-mean.js';
import {
  closedIssues,
  INDEPENDENT,
  openBugs,
  openIssues,
  raisesAt,
  resolvedBugs,
  setAmount,
  sharesAfter,
  type Target,
  type Work,
} from './work.js';

/** One way to go on: raising a target from `from` by at most `room`, each unit adding `gain` to the weighted sum. */
interface Choice {
  target: Target;
  from: number;
  room: number;
  gain: number;
}

/** Gains that differ by less than this part count as equal, so that rounding never decides between axes. */
const TIE = 1e-12;

const offer = (best: Choice, target: Target, from: number, room: number, gain: number): void => {
  if (room <= 0 || gain <= best.gain * (1 + TIE)) return;
  best.target = target;
  best.from = from;
  best.room = room;
  best.gain = gain;
};

const perUnit = (weight: number, { whole }: Share): number => (whole === 0 ? 0 : weight / whole);

/** The target whose next unit gains most, ties in axis order, and how far that gain stays the same. */
const bestChoice = (facts: ReleaseFacts, weights: InAxisOrder<number>, after: Shares, work: Work): Choice => {
  const best: Choice = { target: 'closeIssues', from: 0, room: 0, gain: 0 };
  const closed = closedIssues(facts, work);
  const resolved = resolvedBugs(facts, work, closed);
  const issue = perUnit(weights[PLACE.scope], after[PLACE.scope]);
  const bug = perUnit(weights[PLACE.quality], after[PLACE.quality]);
  // Once all other issues are closed, each further one is a bug.
  const otherIssues = openIssues(facts) - openBugs(facts) - (closed - resolved);
  if (otherIssues > 0) offer(best, 'closeIssues', closed, otherIssues, issue);
  else offer(best, 'closeIssues', closed, openIssues(facts) - closed, issue + bug);
  // Up to the number of issues closed anyway, a bug more gains nothing in scope.
  const bugs = openBugs(facts) - resolved;
  if (resolved < closed) offer(best, 'resolveBugs', resolved, Math.min(bugs, closed - resolved), bug);
  else offer(best, 'resolveBugs', resolved, bugs, bug + issue);
  for (const place of INDEPENDENT) {
    const share = after[place] ?? NOTHING;
    offer(best, place, raisesAt(work, place), share.whole - share.part, perUnit(weights[place] ?? 0, share));
  }
  return best;
};

/** Raises stability until the threshold is met; false, leaving it as it is, when no countable number does. */
const raiseStability = (
  facts: ReleaseFacts,
  policy: Policy,
  shares: Shares,
  threshold: number,
  after: Shares,
  work: Work,
): boolean => {
  const weights = inAxisOrder(policy.weights);
  const meetsWith = (deployments: number): boolean =>
    scoreMeets(weights, sharesAfter(facts, policy, shares, { ...work, deployments }), threshold);
  const most = MAX_COUNT - facts.stability.succeeded;
  if (policy.weights.stability === 0 || after[PLACE.stability].whole === 0 || most <= work.deployments) return false;
  if (!meetsWith(most)) return false;
  work.deployments = leastWhere(work.deployments, most, meetsWith);
  return true;
};

/**
 * Raises the targets of `work` until the score reaches `threshold` hundredths; `start` are the axes' shares with `work` as it
 * comes. Largest gain per unit first, ties in axis order, stability last. Each round exhausts a stretch of equal gain or meets the threshold, so the number of
 * rounds does not depend on the counts. False when even everything does not reach it; `work` is of no use then.
 */
export const raiseScore = (
  facts: ReleaseFacts,
  policy: Policy,
  shares: Shares,
  threshold: number,
  start: Shares,
  work: Work,
  mayDeploy: boolean,
): boolean => {
  const weights = inAxisOrder(policy.weights);
  let after = start;
  while (!scoreMeets(weights, after, threshold)) {
    const choice = bestChoice(facts, weights, after, work);
    if (choice.gain === 0) return mayDeploy && raiseStability(facts, policy, shares, threshold, after, work);
    const lacking = (threshold * measuredWeight(weights, after)) / 10_000 - weightedSum(weights, after);
    const units = Math.max(1, Math.ceil(lacking / choice.gain));
    setAmount(work, choice.target, choice.from + Math.min(choice.room, units));
    after = sharesAfter(facts, policy, shares, work);
  }
  return true;
};
