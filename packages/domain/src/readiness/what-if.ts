import type { Fault } from '../errors.js';
import type { Instant } from '../time.js';
import { assessRelease } from './assess-release.js';
import { withOpsCounts } from './axes/ops.js';
import { AXES, AXIS_PLACE, type Axis, type AxisName, type PerAxis } from './axis.js';
import { factFaults, withPointerPrefix } from './basis.js';
import {
  afterImport,
  type OpsFacts,
  type QualityFacts,
  type ReleaseFacts,
  type ReportedFacts,
  type ScopeFacts,
  type SourceFacts,
  type StabilityFacts,
  type VerificationFacts,
} from './facts.js';
import {
  closedIssues,
  type IndependentAxis,
  noWork,
  partsToRaiseAt,
  resolvedBugs,
  resolvedCriticalBugs,
  unitsToMeasureAt,
  type Work,
} from './least-work.js';
import { preparedAxes } from './own-axis.js';
import { type Policy, policyFaults, unfitPolicyFaults } from './policy.js';
import type { GateDecision, NextStep, ReadinessReport, Reason, StepAction } from './report.js';
import type { Waiver } from './waiver.js';

/** An assumed test run: its counts, and any of its other facts. */
type VerificationChange = Pick<VerificationFacts, 'passed' | 'total'> & Partial<VerificationFacts>;

/** The facts that are assumed, each axis as a whole; axes that are left out stay as they are. */
export interface FactChanges {
  readonly scope?: ScopeFacts;
  readonly quality?: QualityFacts;
  readonly ops?: Pick<OpsFacts, 'done' | 'total'>;
  /** null: assumes that no test run was recorded. `ranAt` missing: it ran at the moment it is judged at. */
  readonly verification?: VerificationChange | null;
  readonly stability?: StabilityFacts;
  /**
   * Reports of own axes by name; null: assumes that none was sent. Axes that are left out stay as they are.
   * `measuredAt` missing: it was measured at the moment it is judged at.
   */
  readonly ownAxes?: Readonly<Record<string, OwnChange | null>>;
}

/** An assumed report of an own axis. */
type OwnChange = Pick<ReportedFacts, 'part' | 'whole'> & Partial<ReportedFacts>;

/** Ticks open items in list order, as the next steps name them; the titles of added items are not known. */
const opsAfter = (ops: OpsFacts, change: Pick<OpsFacts, 'done' | 'total'>): OpsFacts =>
  withOpsCounts(ops, {
    done: change.done,
    total: change.total,
    openItems: ops.openItems.slice(Math.max(0, ops.total - ops.done - (change.total - change.done))),
  });

const statedVerification = (change: VerificationChange | null, asOf: Instant): VerificationFacts | null =>
  change === null ? null : { ranAt: asOf, suite: null, commitSha: null, runs: 1, ...change };

const statedReport = (change: OwnChange, asOf: Instant): ReportedFacts => ({
  ...{ explanation: null, url: null, measuredAt: asOf },
  ...change,
});

const statedReports = (
  { ownAxes: known = {} }: ReleaseFacts,
  changes: NonNullable<FactChanges['ownAxes']>,
  asOf: Instant,
): NonNullable<ReleaseFacts['ownAxes']> => {
  const reports = new Map(Object.entries(known));
  for (const [name, change] of Object.entries(changes))
    if (change === null) reports.delete(name);
    else reports.set(name, statedReport(change, asOf));
  return Object.fromEntries(reports);
};

/**
 * Returns the facts with these changes as of `asOf`, without checking that they fit together. Assumed issues or bugs
 * are current: neither being imported nor as of an earlier moment. With an assumed verification no run is set aside.
 */
export const changedFacts = (facts: ReleaseFacts, changes: FactChanges, asOf: Instant): ReleaseFacts => {
  const { scope, quality, ops, verification, stability } = changes;
  const { issuesAsOf: _, issuesPending: __, ...known } = facts;
  const { testRunSetAside: ___, ...stated } = scope === undefined && quality === undefined ? facts : known;
  return {
    ...(verification === undefined && facts.testRunSetAside !== undefined
      ? { ...stated, testRunSetAside: facts.testRunSetAside }
      : stated),
    scope: scope ?? facts.scope,
    quality: quality ?? facts.quality,
    ops: ops === undefined ? facts.ops : opsAfter(facts.ops, ops),
    verification: verification === undefined ? facts.verification : statedVerification(verification, asOf),
    stability: stability ?? facts.stability,
    ...(changes.ownAxes === undefined ? {} : { ownAxes: statedReports(facts, changes.ownAxes, asOf) }),
  };
};

/** The demands that are assumed; those left out stay as they are, also single weights and minimums. */
export type PolicyChanges = Partial<Omit<Policy, 'weights' | 'minimums'>> & {
  readonly weights?: Partial<PerAxis<number>>;
  readonly minimums?: Partial<PerAxis<number>>;
};

/** The assumed facts and demands. */
export interface WhatIfChanges {
  readonly facts?: FactChanges;
  readonly policy?: PolicyChanges;
}

/** The inputs of a report. */
export interface ReportBasis {
  readonly facts: ReleaseFacts;
  readonly policy: Policy;
  readonly waivers: readonly Waiver[];
  readonly asOf: Instant;
}

/** The report of the changed release, and the judgement before the change. */
export interface WhatIfAnswer {
  readonly report: ReadinessReport;
  readonly before: { readonly score: number | null; readonly coverage: number; readonly decision: GateDecision };
}

/** The answer, or every fault of the changed facts (pointers under `/facts`) and the changed policy (under `/policy`). */
export type WhatIf =
  | { readonly answer: WhatIfAnswer; readonly faults: readonly [] }
  | { readonly answer: null; readonly faults: readonly Fault[] };

/** Returns the policy with these demands changed, without checking it. */
export const changedPolicy = (policy: Policy, { weights, minimums, ownAxes, ...others }: PolicyChanges): Policy => ({
  ...policy,
  ...others,
  weights: { ...policy.weights, ...weights },
  minimums: { ...policy.minimums, ...minimums },
  ...(ownAxes === undefined ? {} : { ownAxes: preparedAxes(ownAxes, policy.ownAxes) }),
});

/**
 * Judges a release as if some of its facts or demands were other ones; waivers and moment stay. Pure, as the engine is.
 *
 * @param recounted the facts as the changed policy counts them, before other facts are changed; missing: it counts the
 * same. Needed for other environments, another way to verify, or an own axis counted from other records: `facts` do not
 * show what those would count.
 */
export const whatIf = (
  { facts, policy, waivers, asOf }: ReportBasis,
  { facts: otherFacts = {}, policy: otherPolicy = {} }: WhatIfChanges,
  recounted: ReleaseFacts = facts,
): WhatIf => {
  const nextFacts = changedFacts(recounted, otherFacts, asOf);
  const nextPolicy = changedPolicy(policy, otherPolicy);
  // Stored weights may all be 0: only changed weights must pass the stricter check.
  const policyRules = otherPolicy.weights === undefined ? unfitPolicyFaults : policyFaults;
  const faults = [
    ...withPointerPrefix('/facts', factFaults(nextFacts)),
    ...withPointerPrefix('/policy', policyRules(nextPolicy)),
  ];
  if (faults.length > 0) return { answer: null, faults };
  const { score, coverage, gate } = assessRelease(facts, policy, asOf, waivers, { nextSteps: false });
  const report = assessRelease(nextFacts, nextPolicy, asOf, waivers);
  return { answer: { report, before: { score, coverage, decision: gate.decision } }, faults: [] };
};

/** Raises the target of an action to at least `count`. */
type Raise = (work: Work, count: number) => void;

const targetOf =
  (name: 'addIssues' | 'closeIssues' | 'resolveBugs' | 'resolveCriticalBugs' | 'deployments'): Raise =>
  (work, count) => {
    work[name] = Math.max(work[name], count);
  };
const measureOf =
  (axis: IndependentAxis): Raise =>
  (work, count) => {
    work.unitsToMeasure[AXIS_PLACE[axis]] = Math.max(unitsToMeasureAt(work, AXIS_PLACE[axis]), count);
  };
const raiseOf =
  (axis: IndependentAxis): Raise =>
  (work, count) => {
    work.partsToRaise[AXIS_PLACE[axis]] = Math.max(partsToRaiseAt(work, AXIS_PLACE[axis]), count);
  };

/** Actions without a target: one ends by itself, one says what the policy leaves out. */
type Untargeted = 'await_import' | 'count_every_suite';

/** Actions on an own axis, which the step names. */
type OwnAction = 'improve' | 'report' | 'provide';

const OWN_ACTIONS: readonly string[] = ['improve', 'report', 'provide'] satisfies OwnAction[];

const isOfOwnAxis = (action: StepAction): action is OwnAction => OWN_ACTIONS.includes(action);

const RAISES: { readonly [action in Exclude<StepAction, Untargeted | OwnAction>]: Raise } = Object.freeze({
  add_issues: targetOf('addIssues'),
  close_issues: targetOf('closeIssues'),
  resolve_bugs: targetOf('resolveBugs'),
  resolve_critical_bugs: targetOf('resolveCriticalBugs'),
  add_checklist_items: measureOf('ops'),
  tick_checklist_items: raiseOf('ops'),
  fix_tests: raiseOf('verification'),
  record_test_run: measureOf('verification'),
  deploy_successfully: targetOf('deployments'),
});

const workOf = (steps: readonly NextStep[]): Work => {
  const work = noWork(AXES.length);
  for (const { action, count } of steps)
    if (action !== 'await_import' && action !== 'count_every_suite' && !isOfOwnAxis(action))
      RAISES[action](work, count ?? 0);
  return work;
};

const qualityAfter = (quality: QualityFacts, resolved: number, critical: number): QualityFacts => {
  let rest = resolved - critical;
  const take = (open: number): number => {
    const taken = Math.min(open, rest);
    rest -= taken;
    return open - taken;
  };
  const { major, minor, unspecified } = quality.open;
  // The least severe first, since nothing says otherwise.
  const open = { unspecified: take(unspecified), minor: take(minor), major: take(major) };
  return {
    resolved: quality.resolved + resolved,
    total: quality.total,
    open: { critical: quality.open.critical - critical, ...open },
  };
};

const verificationAfterWork = (
  facts: VerificationFacts | null,
  work: Work,
  asOf: Instant,
): VerificationFacts | null => {
  if (unitsToMeasureAt(work, AXIS_PLACE.verification) === 0)
    return facts === null ? null : { ...facts, passed: facts.passed + partsToRaiseAt(work, AXIS_PLACE.verification) };
  const total = Math.max(1, facts?.total ?? 1);
  return { passed: total, total, ranAt: asOf, suite: null, commitSha: null, runs: 1 };
};

/** Both a first test run and a better one are recorded anew. */
const testRunsOf = (work: Work): number =>
  unitsToMeasureAt(work, AXIS_PLACE.verification) + partsToRaiseAt(work, AXIS_PLACE.verification);

const sourceAfter = (source: SourceFacts | null, records: number, asOf: Instant): SourceFacts | null =>
  records === 0 ? source : { lastAt: asOf, medianMs: source?.medianMs ?? null };

const countOf = (steps: readonly NextStep[], name: string, action: OwnAction): number => {
  let most = 0;
  for (const step of steps) if (step.axis === name && step.action === action) most = Math.max(most, step.count ?? 0);
  return most;
};

/** The reports of own axes once the steps about them are done. */
const ownAxesAfter = (
  { ownAxes = {} }: ReleaseFacts,
  steps: readonly NextStep[],
  asOf: Instant,
): NonNullable<ReleaseFacts['ownAxes']> => {
  const after = new Map(Object.entries(ownAxes));
  for (const { axis: name } of steps) {
    const own = Object.hasOwn(ownAxes, name) ? ownAxes[name] : undefined;
    const parts = countOf(steps, name, 'improve');
    const whole = own?.whole ?? 1;
    if (countOf(steps, name, 'report') + countOf(steps, name, 'provide') > 0)
      after.set(name, statedReport({ part: whole, whole }, asOf));
    else if (own !== undefined && parts > 0) after.set(name, { ...own, part: own.part + parts });
  }
  return Object.fromEntries(after);
};

/**
 * The facts once the steps are done with the least work that reaches all of their targets: a resolved critical bug
 * counts as a resolved bug and a resolved bug as a closed issue, added issues are done, added items ticked, a recorded
 * test run passes fully at `asOf`, added deployments begin at `asOf`, and an import that is awaited finds all issues done
 * but the critical bugs known to be open. Other steps without a count are left out. Assessing these facts answers
 * "what if?".
 */
export const factsAfter = (before: ReleaseFacts, steps: readonly NextStep[], asOf: Instant): ReleaseFacts => {
  const facts = steps.some(({ action }) => action === 'await_import') ? afterImport(before) : before;
  const work = workOf(steps);
  const closed = closedIssues(facts, work);
  const resolved = resolvedBugs(facts, work, closed);
  const critical = resolvedCriticalBugs(facts, work, resolved);
  const { scope, quality, ops, verification, stability, sources } = facts;
  const added = unitsToMeasureAt(work, AXIS_PLACE.ops);
  const ticked = partsToRaiseAt(work, AXIS_PLACE.ops);
  return {
    scope: { done: scope.done + closed + work.addIssues, total: scope.total + work.addIssues },
    quality: qualityAfter(quality, resolved, critical),
    ops: withOpsCounts(ops, {
      done: ops.done + ticked + added,
      total: ops.total + added,
      openItems: ops.openItems.slice(ticked),
    }),
    verification: verificationAfterWork(verification, work, asOf),
    stability: { ...stability, succeeded: stability.succeeded + work.deployments },
    ...(facts.issuesAsOf === undefined ? {} : { issuesAsOf: facts.issuesAsOf }),
    ...(facts.issuesPending === undefined ? {} : { issuesPending: facts.issuesPending }),
    ...(facts.testRunSetAside === undefined || unitsToMeasureAt(work, AXIS_PLACE.verification) > 0
      ? {}
      : { testRunSetAside: facts.testRunSetAside }),
    ...(sources === undefined
      ? {}
      : {
          sources: {
            deployments: sourceAfter(sources.deployments, work.deployments, asOf),
            testRuns: sourceAfter(sources.testRuns, testRunsOf(work), asOf),
          },
        }),
    ...(facts.ownAxes === undefined && !steps.some(({ action }) => action === 'report' || action === 'provide')
      ? {}
      : { ownAxes: ownAxesAfter(facts, steps, asOf) }),
  };
};

/** The state of one axis in a report. */
interface AxisStanding {
  readonly state: 'measured' | 'unmeasured';
  /** null: unmeasured. */
  readonly score: number | null;
}

/** What changed from one report to another. */
export interface Difference {
  /** All five, in axis order. */
  readonly axes: readonly { readonly axis: Axis; readonly before: AxisStanding; readonly after: AxisStanding }[];
  /** Own axes of either report, by name; missing: there are none. */
  readonly ownAxes?: readonly {
    readonly axis: AxisName;
    readonly before: AxisStanding;
    readonly after: AxisStanding;
  }[];
  readonly reasons: {
    /** The reasons that are gone, as they were before. */
    readonly gone: readonly Reason[];
    /** The reasons that have come, as they are after. */
    readonly come: readonly Reason[];
  };
}

const standingOf = ({ axes, ownAxes = [] }: ReadinessReport, axis: AxisName): AxisStanding => {
  const reading = [...axes, ...ownAxes].find((each) => each.axis === axis);
  return reading?.state === 'measured'
    ? { state: 'measured', score: reading.score }
    : { state: 'unmeasured', score: null };
};

/** The reasons of one report that the other does not give, by code and axis. */
const onlyIn = ({ gate }: ReadinessReport, other: ReadinessReport): readonly Reason[] =>
  gate.reasons.filter(({ code, axis }) => !other.gate.reasons.some((each) => each.code === code && each.axis === axis));

/** What changed between two reports of one release: each axis before and after, reasons that went and that came. */
export const difference = (before: ReadinessReport, after: ReadinessReport): Difference => {
  const compared = <Name extends AxisName>(axis: Name) => ({
    axis,
    before: standingOf(before, axis),
    after: standingOf(after, axis),
  });
  const own = new Set([...(before.ownAxes ?? []), ...(after.ownAxes ?? [])].map(({ axis }) => axis));
  return {
    axes: AXES.map(compared),
    ...(own.size === 0 ? {} : { ownAxes: [...own].sort().map(compared) }),
    reasons: { gone: onlyIn(before, after), come: onlyIn(after, before) },
  };
};

/** A release with all it was judged by, to be judged again. */
export interface RecordedRelease<Release> extends ReportBasis {
  readonly release: Release;
  /** The facts as the next policy counts them; missing: it counts the same. */
  readonly factsUnderNext?: ReleaseFacts;
  readonly shipped: boolean;
  /** Deployments of its window that are known to have failed by now and count under the next policy. */
  readonly failedDeployments: number;
}

/** A release's score, 0-100 or null, and its decision with waivers applied. */
interface Judgement {
  readonly score: number | null;
  readonly decision: GateDecision;
}

/** One release under the policy it was judged by, and under the next one. */
export interface ReplayedRelease<Release> {
  readonly release: Release;
  readonly before: Judgement;
  readonly after: Judgement;
  /** Whether the decision differs. */
  readonly flips: boolean;
}

export interface PolicyPreview<Release> {
  /** In the order given. */
  readonly releases: readonly ReplayedRelease<Release>[];
  /** How many decisions flip. */
  readonly flips: number;
  /** The releases that shipped, have failed deployments and would be held by the next policy, in the order given. */
  readonly wouldHaveHeld: readonly Release[];
}

const judged = (facts: ReleaseFacts, policy: Policy, { asOf, waivers }: ReportBasis): Judgement => {
  const { score, gate } = assessRelease(facts, policy, asOf, waivers, { nextSteps: false });
  return { score, decision: gate.decision };
};

/**
 * Judges every release again as if `next` had been its policy: with the same waivers, at the same moment. Pure; `next` is
 * valid by `policyFaults`.
 */
export const previewPolicy = <Release>(
  recorded: readonly RecordedRelease<Release>[],
  next: Policy,
): PolicyPreview<Release> => {
  const releases: ReplayedRelease<Release>[] = [];
  const wouldHaveHeld: Release[] = [];
  for (const one of recorded) {
    const { release, facts, policy, factsUnderNext = facts } = one;
    const before = judged(facts, policy, one);
    const after = judged(factsUnderNext, next, one);
    releases.push({ release, before, after, flips: before.decision !== after.decision });
    if (one.shipped && one.failedDeployments > 0 && after.decision === 'hold') wouldHaveHeld.push(release);
  }
  return { releases, flips: releases.filter(({ flips }) => flips).length, wouldHaveHeld };
};
