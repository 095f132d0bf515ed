import { measureStability } from './axes/stability.js';
import { AXES, type Axis } from './axis.js';
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
  /** Checklist items added and ticked. */
  addItems: number;
  tickItems: number;
  /** Tests that pass instead of failing, with the total unchanged. */
  fixTests: number;
  /** Fully passing test runs. */
  recordRuns: number;
  /** Successful deployments. */
  deployments: number;
}

/** No target at all. */
export const noWork = (): Work => ({
  addIssues: 0,
  closeIssues: 0,
  resolveBugs: 0,
  resolveCriticalBugs: 0,
  addItems: 0,
  tickItems: 0,
  fixTests: 0,
  recordRuns: 0,
  deployments: 0,
});

/** The same targets as a thing of its own. */
export const copyOf = (work: Work): Work => ({
  addIssues: work.addIssues,
  closeIssues: work.closeIssues,
  resolveBugs: work.resolveBugs,
  resolveCriticalBugs: work.resolveCriticalBugs,
  addItems: work.addItems,
  tickItems: work.tickItems,
  fixTests: work.fixTests,
  recordRuns: work.recordRuns,
  deployments: work.deployments,
});

/** Axes that work of their own raises, by one share each, without moving another axis. */
export type IndependentAxis = Exclude<Axis, 'scope' | 'quality' | 'stability'>;

/** The work that measures such an axis, and the work that raises it: one of it is one part more of the same whole. */
export interface OwnWork {
  readonly measure: keyof Work;
  readonly raise: keyof Work;
}

export const OWN_WORK: { readonly [axis in IndependentAxis]: OwnWork } = Object.freeze({
  ops: { measure: 'addItems', raise: 'tickItems' },
  verification: { measure: 'recordRuns', raise: 'fixTests' },
});

const isIndependent = (axis: Axis): axis is IndependentAxis => Object.hasOwn(OWN_WORK, axis);

/** In axis order. */
export const INDEPENDENT_AXES: readonly IndependentAxis[] = Object.freeze(AXES.filter(isIndependent));

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

const afterOwnWork = (axis: IndependentAxis, shares: Shares, work: Work): Share => {
  const { measure, raise } = OWN_WORK[axis];
  return work[measure] > 0 ? WHOLE : moved(shares[axis], work[raise]);
};

/** Where the axes stand once the least work that reaches every target is done. */
export const sharesAfter = (facts: ReleaseFacts, policy: Policy, shares: Shares, work: Work): Shares => {
  const closed = closedIssues(facts, work);
  const { succeeded, failed, inProgress } = facts.stability;
  return {
    scope: work.addIssues > 0 ? WHOLE : moved(shares.scope, closed),
    quality: work.addIssues > 0 ? WHOLE : moved(shares.quality, resolvedBugs(facts, work, closed)),
    ops: afterOwnWork('ops', shares, work),
    verification: afterOwnWork('verification', shares, work),
    stability:
      work.deployments > 0
        ? measureStability({ succeeded: succeeded + work.deployments, failed, inProgress }, policy)
        : shares.stability,
  };
};

/** Critical bugs that stay open after the least work that reaches every target. */
export const criticalBugsAfter = (facts: ReleaseFacts, work: Work): number =>
  facts.quality.open.critical - resolvedCriticalBugs(facts, work, resolvedBugs(facts, work, closedIssues(facts, work)));
