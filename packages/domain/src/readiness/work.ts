import { measureStability } from './axes/stability.js';
import { AXES, type Axis, PLACE } from './axis.js';
import type { ReleaseFacts } from './facts.js';
import type { Policy } from './policy.js';
import { type Share, type Shares, share } from './share.js';

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
  /** Per place in axis order what measures an independent axis fully: checklist items added and ticked, passing test runs. */
  readonly measures: number[];
  /** Likewise what raises one by a part of the same whole: items ticked, tests that pass instead of failing. */
  readonly raises: number[];
}

const NONE: readonly number[] = AXES.map(() => 0);

/** No target at all. */
export const noWork = (): Work => ({
  addIssues: 0,
  closeIssues: 0,
  resolveBugs: 0,
  resolveCriticalBugs: 0,
  deployments: 0,
  measures: NONE.slice(),
  raises: NONE.slice(),
});

/** The same targets as a thing of its own. */
export const copyOf = (work: Work): Work => ({
  addIssues: work.addIssues,
  closeIssues: work.closeIssues,
  resolveBugs: work.resolveBugs,
  resolveCriticalBugs: work.resolveCriticalBugs,
  deployments: work.deployments,
  measures: work.measures.slice(),
  raises: work.raises.slice(),
});

/** Axes that work of their own raises, without moving another axis. */
export type IndependentAxis = Exclude<Axis, 'scope' | 'quality' | 'stability'>;

const isIndependent = (axis: Axis): boolean => axis !== 'scope' && axis !== 'quality' && axis !== 'stability';

/** The places of the independent axes, in axis order. Not frozen: loops over frozen lists take several times as long. */
export const INDEPENDENT: readonly number[] = AXES.flatMap((axis, place) => (isIndependent(axis) ? [place] : []));

/** How many of it measure, or raise, the axis at a place. */
export const measuresAt = ({ measures }: Work, place: number): number => measures[place] ?? 0;
export const raisesAt = ({ raises }: Work, place: number): number => raises[place] ?? 0;

/** A target that can be raised or lowered: one of issues and bugs by its name, one of an independent axis by its place. */
export type Target = 'closeIssues' | 'resolveBugs' | 'resolveCriticalBugs' | number;

/** All of them, widest first, so that one that narrower ones reach anyway can be taken away. */
export const TARGETS: readonly Target[] = ['closeIssues', 'resolveBugs', 'resolveCriticalBugs', ...INDEPENDENT];

/** How much a target asks for. */
export const amountOf = (work: Work, target: Target): number =>
  typeof target === 'number' ? raisesAt(work, target) : work[target];

export const setAmount = (work: Work, target: Target, amount: number): void => {
  if (typeof target === 'number') work.raises[target] = amount;
  else work[target] = amount;
};

/** Open issues of the release. */
export const openIssues = ({ scope }: ReleaseFacts): number => scope.total - scope.done;

/** Open bugs of the release. */
export const openBugs = ({ quality }: ReleaseFacts): number => quality.total - quality.resolved;

/** How many issues the least work that reaches every target closes. */
export const closedIssues = (facts: ReleaseFacts, work: Work): number =>
  Math.min(openIssues(facts), Math.max(work.closeIssues, work.resolveBugs, work.resolveCriticalBugs));

/** How many of `closed` issues are bugs, when bugs are taken only where a target or a lack of other issues asks for it. */
export const resolvedBugs = (facts: ReleaseFacts, work: Work, closed: number): number => {
  const otherIssues = Math.max(0, openIssues(facts) - openBugs(facts));
  return Math.min(openBugs(facts), Math.max(work.resolveBugs, work.resolveCriticalBugs, closed - otherIssues));
};

/** How many of `resolved` bugs are critical, when those are taken only where a target or a lack of others asks for it. */
export const resolvedCriticalBugs = (facts: ReleaseFacts, work: Work, resolved: number): number => {
  const { critical } = facts.quality.open;
  return Math.min(critical, Math.max(work.resolveCriticalBugs, resolved - Math.max(0, openBugs(facts) - critical)));
};

const WHOLE: Share = Object.freeze(share(1, 1));

const moved = (before: Share, by: number): Share =>
  by === 0 || before.whole === 0 ? before : share(before.part + by, before.whole);

const afterOwnWork = (place: number, before: Share, work: Work): Share =>
  measuresAt(work, place) > 0 ? WHOLE : moved(before, raisesAt(work, place));

/** The share of each axis once the least work that reaches every target is done. */
export const sharesAfter = (facts: ReleaseFacts, policy: Policy, shares: Shares, work: Work): Shares => {
  const closed = closedIssues(facts, work);
  const { succeeded, failed, inProgress } = facts.stability;
  return [
    work.addIssues > 0 ? WHOLE : moved(shares[PLACE.scope], closed),
    work.addIssues > 0 ? WHOLE : moved(shares[PLACE.quality], resolvedBugs(facts, work, closed)),
    afterOwnWork(PLACE.ops, shares[PLACE.ops], work),
    afterOwnWork(PLACE.verification, shares[PLACE.verification], work),
    work.deployments > 0
      ? measureStability({ succeeded: succeeded + work.deployments, failed, inProgress }, policy)
      : shares[PLACE.stability],
  ];
};

/** Critical bugs that stay open after the least work that reaches every target. */
export const criticalBugsAfter = (facts: ReleaseFacts, work: Work): number =>
  facts.quality.open.critical - resolvedCriticalBugs(facts, work, resolvedBugs(facts, work, closedIssues(facts, work)));
