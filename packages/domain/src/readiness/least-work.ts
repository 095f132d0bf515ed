import { leastForUpperBound, measureStability } from './axes/stability.js';
import { AXES, AXIS_PLACE, type Axis, type InAxisOrder, inEachPlace } from './axis.js';
import type { ReleaseFacts, StabilityFacts } from './facts.js';
import { type AxisDemand, axisMeets, type GateDemands, meets, NO_DEMAND, NO_THRESHOLD, scoreMeets } from './gate.js';
import {
  MAX_COUNT,
  measuredWeight,
  missingParts,
  type Share,
  type Shares,
  share,
  shareInHundredths,
  smallestWhere,
  weightedSum,
  ZERO_SHARE,
} from './numbers.js';
import type { Policy } from './policy.js';

/**
 * Work on a release as targets: "at least so many of these". Targets overlap, because a resolved critical bug is a
 * resolved bug, and a resolved bug is a closed issue.
 */
export interface Work {
  /** Issues added and done. */
  addIssues: number;
  closeIssues: number;
  resolveBugs: number;
  resolveCriticalBugs: number;
  /** Successful deployments. */
  deployments: number;
  /**
   * By place in axis order, the work that measures an independent axis fully: items added and ticked, passing test
   * runs.
   */
  readonly unitsToMeasure: number[];
  /**
   * By place in axis order, the parts that raise an independent axis: items ticked, tests that pass instead of failing.
   */
  readonly partsToRaise: number[];
}

/** No target at all for `count` axes. */
export const noWork = (count: number): Work => ({
  addIssues: 0,
  closeIssues: 0,
  resolveBugs: 0,
  resolveCriticalBugs: 0,
  deployments: 0,
  unitsToMeasure: listsFor(count).none.slice(),
  partsToRaise: listsFor(count).none.slice(),
});

const copyOf = (work: Work): Work => ({
  addIssues: work.addIssues,
  closeIssues: work.closeIssues,
  resolveBugs: work.resolveBugs,
  resolveCriticalBugs: work.resolveCriticalBugs,
  deployments: work.deployments,
  unitsToMeasure: work.unitsToMeasure.slice(),
  partsToRaise: work.partsToRaise.slice(),
});

/** Those of the five axes whose work moves no other axis. */
export type IndependentAxis = Exclude<Axis, 'scope' | 'quality' | 'stability'>;

/** An own axis, for which `axis` is undefined, is always independent. */
const isIndependent = (axis: Axis | undefined): boolean =>
  axis !== 'scope' && axis !== 'quality' && axis !== 'stability';

/** The targets of the axis at a place; 0: there is none. */
export const unitsToMeasureAt = ({ unitsToMeasure }: Work, place: number): number => unitsToMeasure[place] ?? 0;
export const partsToRaiseAt = ({ partsToRaise }: Work, place: number): number => partsToRaise[place] ?? 0;

/** A target that can be raised or lowered: one of issues and bugs by its name, one of an independent axis by its place. */
type Target = 'closeIssues' | 'resolveBugs' | 'resolveCriticalBugs' | number;

/** The targets of issues, widest first, so that one that narrower ones reach anyway can be lowered. */
const OF_ISSUES: readonly Target[] = ['closeIssues', 'resolveBugs', 'resolveCriticalBugs'];

/** Lists that depend on the number of axes only. */
interface Lists {
  /** The places of the independent axes, in axis order; every own axis is one. */
  readonly independent: readonly number[];
  readonly targets: readonly Target[];
  /** A zero for each axis. */
  readonly none: readonly number[];
}

/** Not frozen: loops over frozen lists take several times as long. */
const listsOf = (count: number): Lists => {
  const none = new Array<number>(count).fill(0);
  const independent = [...none.keys()].filter((place) => isIndependent(AXES[place]));
  return { independent, targets: [...OF_ISSUES, ...independent], none };
};

const KEPT: Lists[] = [];

const listsFor = (count: number): Lists => {
  const kept = KEPT[count] ?? listsOf(count);
  KEPT[count] = kept;
  return kept;
};

/** How much a target asks for. */
const amountOf = (work: Work, target: Target): number =>
  typeof target === 'number' ? partsToRaiseAt(work, target) : work[target];

const setAmount = (work: Work, target: Target, amount: number): void => {
  if (typeof target === 'number') work.partsToRaise[target] = amount;
  else work[target] = amount;
};

export const openIssues = ({ scope }: ReleaseFacts): number => scope.total - scope.done;

export const openBugs = ({ quality }: ReleaseFacts): number => quality.total - quality.resolved;

/** How many issues the least work that reaches every target closes. */
export const closedIssues = (facts: ReleaseFacts, work: Work): number =>
  Math.min(openIssues(facts), Math.max(work.closeIssues, work.resolveBugs, work.resolveCriticalBugs));

/**
 * How many of `closed` issues are bugs, if bugs are taken only where a target or a lack of other issues asks for it.
 */
export const resolvedBugs = (facts: ReleaseFacts, work: Work, closed: number): number => {
  const otherIssues = Math.max(0, openIssues(facts) - openBugs(facts));
  return Math.min(openBugs(facts), Math.max(work.resolveBugs, work.resolveCriticalBugs, closed - otherIssues));
};

/** How many of `resolved` bugs are critical, if those are taken only where a target or a lack of others asks for it. */
export const resolvedCriticalBugs = (facts: ReleaseFacts, work: Work, resolved: number): number => {
  const { critical } = facts.quality.open;
  return Math.min(critical, Math.max(work.resolveCriticalBugs, resolved - Math.max(0, openBugs(facts) - critical)));
};

const WHOLE: Share = Object.freeze(share(1, 1));

const moved = (before: Share, by: number): Share =>
  by === 0 || before.whole === 0 ? before : share(before.part + by, before.whole);

const afterOwnWork = (place: number, before: Share, work: Work): Share =>
  unitsToMeasureAt(work, place) > 0 ? WHOLE : moved(before, partsToRaiseAt(work, place));

/** The share of each axis once the least work that reaches every target is done. */
const sharesAfter = (facts: ReleaseFacts, policy: Policy, shares: Shares, work: Work): Shares => {
  const closed = closedIssues(facts, work);
  const { succeeded, failed, inProgress } = facts.stability;
  const after: [...Shares] = [
    work.addIssues > 0 ? WHOLE : moved(shares[AXIS_PLACE.scope], closed),
    work.addIssues > 0 ? WHOLE : moved(shares[AXIS_PLACE.quality], resolvedBugs(facts, work, closed)),
    afterOwnWork(AXIS_PLACE.ops, shares[AXIS_PLACE.ops], work),
    afterOwnWork(AXIS_PLACE.verification, shares[AXIS_PLACE.verification], work),
    work.deployments > 0
      ? measureStability({ succeeded: succeeded + work.deployments, failed, inProgress }, policy)
      : shares[AXIS_PLACE.stability],
  ];
  for (let place = AXES.length; place < shares.length; place += 1)
    after.push(afterOwnWork(place, shares[place] ?? ZERO_SHARE, work));
  return after;
};

/** Critical bugs that stay open after the least work that reaches every target. */
const criticalBugsAfter = (facts: ReleaseFacts, work: Work): number =>
  facts.quality.open.critical - resolvedCriticalBugs(facts, work, resolvedBugs(facts, work, closedIssues(facts, work)));

/** What `clearReasons` found out besides the work. */
interface ReasonsCleared {
  /** The axis the added issues are for: one issue measures scope and quality both. */
  readonly issuesFor: 'scope' | 'quality';
  /** Whether no number of deployments can clear stability's own reason. */
  readonly stabilityStuck: boolean;
}

const missing = ({ part, whole, cause }: Share, { minimum }: AxisDemand): number =>
  cause === null && shareInHundredths(part, whole) < minimum ? missingParts(part, whole, minimum) : 0;

/**
 * The least number of further successful deployments that measures stability and brings it to `minimum` hundredths;
 * null: no number up to MAX_COUNT does.
 * From 10,000 (s + n) >= minimum (s + n + f) follows s + n >= minimum f / (10,000 - minimum);
 * in the range of counts the quotient is exact enough for rounding up.
 */
const missingDeployments = ({ succeeded, failed }: StabilityFacts, minimum: number, sample: number): number | null => {
  if (failed > 0 && minimum >= 10_000) return null;
  const forRate = failed === 0 ? 0 : Math.ceil((minimum * failed) / (10_000 - minimum)) - succeeded;
  const least = Math.max(0, forRate, sample - succeeded - failed);
  return succeeded + least > MAX_COUNT ? null : least;
};

const clearStability = (facts: StabilityFacts, policy: Policy, demands: GateDemands, work: Work): boolean => {
  const { minimum } = demands.axes[AXIS_PLACE.stability];
  const sample = Math.max(1, policy.minFinishedDeployments);
  const { succeeded, failed } = facts;
  const least =
    demands.stabilityBound === 'rate'
      ? missingDeployments(facts, minimum, sample)
      : leastForUpperBound(succeeded, failed, minimum, Math.max(0, sample - succeeded - failed));
  work.deployments = least ?? 0;
  return least === null;
};

/** Adds the work that measures an unmeasured axis and brings it to its minimum; true: no number of deployments can. */
const measureAxis = (place: number, facts: ReleaseFacts, policy: Policy, demands: GateDemands, work: Work): boolean => {
  if (place === AXIS_PLACE.stability) return clearStability(facts.stability, policy, demands, work);
  if (place === AXIS_PLACE.scope || place === AXIS_PLACE.quality) work.addIssues = 1;
  else work.unitsToMeasure[place] = 1;
  return false;
};

/** Puts into `work` the least that clears each axis reason, and that of critical bugs, each by itself. */
const clearReasons = (
  facts: ReleaseFacts,
  policy: Policy,
  shares: Shares,
  demands: GateDemands,
  work: Work,
): ReasonsCleared => {
  const scope = demands.axes[AXIS_PLACE.scope];
  const quality = demands.axes[AXIS_PLACE.quality];
  const scopeMissing = scope.mustBeMeasured && shares[AXIS_PLACE.scope].whole === 0;
  if (scopeMissing || (quality.mustBeMeasured && shares[AXIS_PLACE.quality].whole === 0)) work.addIssues = 1;
  work.closeIssues = missing(shares[AXIS_PLACE.scope], scope);
  work.resolveBugs = missing(shares[AXIS_PLACE.quality], quality);
  work.resolveCriticalBugs = Math.max(0, facts.quality.open.critical - demands.maxOpenCriticalBugs);
  for (const place of listsFor(shares.length).independent) {
    const share = shares[place] ?? ZERO_SHARE;
    const demand = demands.axes[place] ?? NO_DEMAND;
    if (demand.mustBeMeasured && share.whole === 0) work.unitsToMeasure[place] = 1;
    work.partsToRaise[place] = missing(share, demand);
  }
  const stabilityFails = !axisMeets(
    AXIS_PLACE.stability,
    shares[AXIS_PLACE.stability],
    demands.axes[AXIS_PLACE.stability],
    demands.stabilityBound,
  );
  return {
    issuesFor: scopeMissing ? 'scope' : 'quality',
    stabilityStuck: stabilityFails && clearStability(facts.stability, policy, demands, work),
  };
};

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
  const issue = perUnit(weights[AXIS_PLACE.scope], after[AXIS_PLACE.scope]);
  const bug = perUnit(weights[AXIS_PLACE.quality], after[AXIS_PLACE.quality]);
  // Once all other issues are closed, each further one is a bug.
  const otherIssues = openIssues(facts) - openBugs(facts) - (closed - resolved);
  if (otherIssues > 0) offer(best, 'closeIssues', closed, otherIssues, issue);
  else offer(best, 'closeIssues', closed, openIssues(facts) - closed, issue + bug);
  // Up to the number of issues closed anyway, a bug more gains nothing in scope.
  const bugs = openBugs(facts) - resolved;
  if (resolved < closed) offer(best, 'resolveBugs', resolved, Math.min(bugs, closed - resolved), bug);
  else offer(best, 'resolveBugs', resolved, bugs, bug + issue);
  for (const place of listsFor(after.length).independent) {
    const share = after[place] ?? ZERO_SHARE;
    offer(best, place, partsToRaiseAt(work, place), share.whole - share.part, perUnit(weights[place] ?? 0, share));
  }
  return best;
};

/** Raises stability until the threshold is met; false, and nothing changed, when no number of deployments does that. */
const raiseStability = (
  facts: ReleaseFacts,
  policy: Policy,
  shares: Shares,
  { weights, threshold }: GateDemands,
  after: Shares,
  work: Work,
): boolean => {
  const meetsWith = (deployments: number): boolean =>
    scoreMeets(weights, sharesAfter(facts, policy, shares, { ...work, deployments }), threshold);
  const most = MAX_COUNT - facts.stability.succeeded;
  if (policy.weights.stability === 0 || after[AXIS_PLACE.stability].whole === 0 || most <= work.deployments)
    return false;
  if (!meetsWith(most)) return false;
  work.deployments = smallestWhere(work.deployments, most, meetsWith);
  return true;
};

/**
 * Raises the targets of `work` until the score reaches the threshold demanded; `start` are the axes' shares with `work`
 * as it is at first. Largest gain per unit first, ties in axis order, stability last. Each round exhausts a stretch of
 * equal gain or meets the threshold, so the number of rounds does not depend on the counts. False when all possible
 * work does not reach it; `work` must not be used then.
 */
const raiseScore = (
  facts: ReleaseFacts,
  policy: Policy,
  shares: Shares,
  demands: GateDemands,
  start: Shares,
  work: Work,
  mayDeploy: boolean,
): boolean => {
  const { weights, threshold } = demands;
  let after = start;
  while (!scoreMeets(weights, after, threshold)) {
    const choice = bestChoice(facts, weights, after, work);
    if (choice.gain === 0) return mayDeploy && raiseStability(facts, policy, shares, demands, after, work);
    const lacking = (threshold * measuredWeight(weights, after)) / 10_000 - weightedSum(weights, after);
    const units = Math.max(1, Math.ceil(lacking / choice.gain));
    setAmount(work, choice.target, choice.from + Math.min(choice.room, units));
    after = sharesAfter(facts, policy, shares, work);
  }
  return true;
};

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
  for (let place = 0; place < work.partsToRaise.length; place += 1)
    if (partsToRaiseAt(work, place) > partsToRaiseAt(above, place)) return true;
  return work.closeIssues > above.closeIssues || work.resolveBugs > above.resolveBugs;
};

/**
 * Lowers each target by what is not needed beside the others; afterwards none can be made smaller by one. What
 * `cleared` asks for is the least for its own reason: only targets raised since, or reached by others, are tried.
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
  const suffices = (): boolean =>
    meets(demands, sharesAfter(facts, policy, shares, work), criticalBugsAfter(facts, work));
  for (const target of listsFor(shares.length).targets) {
    const most = amountOf(work, target);
    const mayBeReached = issuesOverlap && typeof target !== 'number';
    if (most === 0 || (most === amountOf(cleared, target) && !mayBeReached)) continue;
    setAmount(work, target, most - 1);
    // Mostly a target cannot be lowered, which one check shows.
    const least = suffices()
      ? smallestWhere(0, most - 1, (count) => {
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
        ...demands,
        axes: stabilityStuck
          ? inEachPlace(demands.axes.length, (place) =>
              place === AXIS_PLACE.stability ? NO_DEMAND : (demands.axes[place] ?? NO_DEMAND),
            )
          : demands.axes,
        threshold: scoreStuck ? NO_THRESHOLD : demands.threshold,
      }
    : demands;

/**
 * Finds the least work that yields `go`: clears each reason by itself, raises the score to the threshold, then takes
 * away what the targets do for each other. What no work can reach is named in the result; the work then is the least
 * that reaches the rest. Its time does not grow with the counts.
 */
export const leastWork = (facts: ReleaseFacts, policy: Policy, shares: Shares, demands: GateDemands): LeastWork => {
  const { weights } = demands;
  const cleared = noWork(shares.length);
  let { issuesFor, stabilityStuck } = clearReasons(facts, policy, shares, demands, cleared);
  let after = sharesAfter(facts, policy, shares, cleared);
  if (!stabilityStuck && measuredWeight(weights, after) === 0) {
    // Without a score there is no `go`, even when nothing is required: one axis with a weight must be measured.
    const place = weights.findIndex((weight) => weight > 0);
    const axis = AXES[place];
    if (axis === 'scope' || axis === 'quality') issuesFor = axis;
    if (place >= 0) stabilityStuck = measureAxis(place, facts, policy, demands, cleared);
    after = sharesAfter(facts, policy, shares, cleared);
  }
  const work = copyOf(cleared);
  const scoreStuck = !raiseScore(facts, policy, shares, demands, after, work, !stabilityStuck);
  if (scoreStuck) Object.assign(work, cleared);
  reduce(facts, policy, shares, reachable(demands, stabilityStuck, scoreStuck), cleared, work);
  return { work, issuesFor, stabilityStuck, scoreStuck };
};
