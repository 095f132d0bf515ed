import type { Instant } from '../instant.js';
import { afterImport } from './after-import.js';
import { opsWith } from './axes/left-out.js';
import type { QualityFacts, ReleaseFacts, VerificationFacts } from './facts.js';
import type { NextStep, StepAction } from './readiness-report.js';
import { closedIssues, noWork, resolvedBugs, resolvedCriticalBugs, type Work } from './work.js';

const TARGETS: { readonly [action in Exclude<StepAction, 'await_import'>]: keyof Work } = Object.freeze({
  add_issues: 'addIssues',
  close_issues: 'closeIssues',
  resolve_bugs: 'resolveBugs',
  resolve_critical_bugs: 'resolveCriticalBugs',
  add_checklist_items: 'addItems',
  tick_checklist_items: 'tickItems',
  fix_tests: 'fixTests',
  record_test_run: 'recordRuns',
  deploy_successfully: 'deployments',
});

const workOf = (steps: readonly NextStep[]): Work => {
  const work = noWork();
  for (const { action, count } of steps)
    if (action !== 'await_import') work[TARGETS[action]] = Math.max(work[TARGETS[action]], count ?? 0);
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
  if (work.recordRuns === 0) return facts === null ? null : { ...facts, passed: facts.passed + work.fixTests };
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
  return {
    scope: { done: scope.done + closed + work.addIssues, total: scope.total + work.addIssues },
    quality: qualityAfter(quality, resolved, critical),
    ops: opsWith(ops, {
      done: ops.done + work.tickItems + work.addItems,
      total: ops.total + work.addItems,
      openItems: ops.openItems.slice(work.tickItems),
    }),
    verification: verificationAfter(verification, work, asOf),
    stability: { ...stability, succeeded: stability.succeeded + work.deployments },
    ...(facts.issuesAsOf === undefined ? {} : { issuesAsOf: facts.issuesAsOf }),
    ...(facts.issuesPending === undefined ? {} : { issuesPending: facts.issuesPending }),
  };
};
