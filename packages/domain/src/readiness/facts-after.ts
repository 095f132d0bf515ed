import type { Instant } from '../instant.js';
import { afterImport } from './after-import.js';
import { opsWith } from './axes/left-out.js';
import { PLACE } from './axis.js';
import type { QualityFacts, ReleaseFacts, VerificationFacts } from './facts.js';
import type { NextStep, StepAction } from './readiness-report.js';
import {
  closedIssues,
  type IndependentAxis,
  measuresAt,
  noWork,
  raisesAt,
  resolvedBugs,
  resolvedCriticalBugs,
  type Work,
} from './work.js';

/** Raises the target of an action to so many at least. */
type Raise = (work: Work, count: number) => void;

const targetOf =
  (name: 'addIssues' | 'closeIssues' | 'resolveBugs' | 'resolveCriticalBugs' | 'deployments'): Raise =>
  (work, count) => {
    work[name] = Math.max(work[name], count);
  };
const measureOf =
  (axis: IndependentAxis): Raise =>
  (work, count) => {
    work.measures[PLACE[axis]] = Math.max(measuresAt(work, PLACE[axis]), count);
  };
const raiseOf =
  (axis: IndependentAxis): Raise =>
  (work, count) => {
    work.raises[PLACE[axis]] = Math.max(raisesAt(work, PLACE[axis]), count);
  };

/** Actions without a target: one ends by itself, one says what the policy leaves out. */
type Untargeted = 'await_import' | 'count_every_suite';

const RAISES: { readonly [action in Exclude<StepAction, Untargeted>]: Raise } = Object.freeze({
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
  const work = noWork();
  for (const { action, count } of steps)
    if (action !== 'await_import' && action !== 'count_every_suite') RAISES[action](work, count ?? 0);
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

const verificationAfter = (facts: VerificationFacts | null, work: Work, asOf: Instant): VerificationFacts | null => {
  if (measuresAt(work, PLACE.verification) === 0)
    return facts === null ? null : { ...facts, passed: facts.passed + raisesAt(work, PLACE.verification) };
  const total = Math.max(1, facts?.total ?? 1);
  return { passed: total, total, ranAt: asOf, suite: null, commitSha: null, runs: 1 };
};

/**
 * The facts once the steps are done with the least work that reaches all of their targets: a resolved critical bug
 * counts as a resolved bug and a resolved bug as a closed issue, added issues are done, added items ticked, a recorded
 * test run passes fully at `asOf`, and an import that is awaited finds all issues done but the critical bugs known to be
 * open. Other steps without a count are left out. Assessing these facts answers "what if?".
 */
export const factsAfter = (before: ReleaseFacts, steps: readonly NextStep[], asOf: Instant): ReleaseFacts => {
  const facts = steps.some(({ action }) => action === 'await_import') ? afterImport(before) : before;
  const work = workOf(steps);
  const closed = closedIssues(facts, work);
  const resolved = resolvedBugs(facts, work, closed);
  const critical = resolvedCriticalBugs(facts, work, resolved);
  const { scope, quality, ops, verification, stability } = facts;
  const added = measuresAt(work, PLACE.ops);
  const ticked = raisesAt(work, PLACE.ops);
  return {
    scope: { done: scope.done + closed + work.addIssues, total: scope.total + work.addIssues },
    quality: qualityAfter(quality, resolved, critical),
    ops: opsWith(ops, {
      done: ops.done + ticked + added,
      total: ops.total + added,
      openItems: ops.openItems.slice(ticked),
    }),
    verification: verificationAfter(verification, work, asOf),
    stability: { ...stability, succeeded: stability.succeeded + work.deployments },
    ...(facts.issuesAsOf === undefined ? {} : { issuesAsOf: facts.issuesAsOf }),
    ...(facts.issuesPending === undefined ? {} : { issuesPending: facts.issuesPending }),
    ...(facts.testRunSetAside === undefined || measuresAt(work, PLACE.verification) > 0
      ? {}
      : { testRunSetAside: facts.testRunSetAside }),
  };
};
