import type { NextStep, ReleaseFacts } from '../../src/readiness/index.js';
import type { StepAction } from '../../src/readiness/report.js';

const target = (steps: readonly NextStep[], action: StepAction): number =>
  steps.reduce((most, step) => (step.action === action ? Math.max(most, step.count ?? 0) : most), 0);

/** A release whose import ended as well as it could: nothing is left to do but the critical bugs that were open. */
const wellImported = ({ scope, quality, ...others }: ReleaseFacts): ReleaseFacts => {
  const { critical } = quality.open;
  const all = scope.total === 0 ? 1 : scope.total;
  return {
    ...others,
    scope: { done: all - critical, total: all },
    quality: {
      resolved: quality.total - critical,
      total: quality.total,
      open: { critical, major: 0, minor: 0, unspecified: 0 },
    },
    issuesPending: false,
  };
};

/**
 * The facts after the steps, by trying every way to work: of those that reach all targets the one with the fewest
 * issues, and of these the one with the fewest bugs, then the fewest critical ones. For small counts only.
 */
export const workedOff = (known: ReleaseFacts, steps: readonly NextStep[], now: number): ReleaseFacts => {
  const facts = steps.some(({ action }) => action === 'await_import') ? wellImported(known) : known;
  const { critical } = facts.quality.open;
  const openBugs = facts.quality.total - facts.quality.resolved;
  const otherIssues = facts.scope.total - facts.scope.done - openBugs;
  const ways: (readonly [closed: number, bugs: number, critical: number])[] = [];
  for (let other = 0; other <= otherIssues; other++)
    for (let minor = 0; minor <= openBugs - critical; minor++)
      for (let worst = 0; worst <= critical; worst++)
        if (
          other + minor + worst >= target(steps, 'close_issues') &&
          minor + worst >= target(steps, 'resolve_bugs') &&
          worst >= target(steps, 'resolve_critical_bugs')
        )
          ways.push([other + minor + worst, minor + worst, worst]);
  ways.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  const [closed, bugs, worst] = ways[0] ?? [Number.NaN, Number.NaN, Number.NaN];
  const added = target(steps, 'add_issues');
  const items = target(steps, 'add_checklist_items');
  const { verification } = facts;
  return {
    scope: { done: facts.scope.done + closed + added, total: facts.scope.total + added },
    quality: {
      resolved: facts.quality.resolved + bugs,
      total: facts.quality.total,
      open: { critical: critical - worst, major: 0, minor: 0, unspecified: openBugs - critical - (bugs - worst) },
    },
    ops: {
      done: facts.ops.done + target(steps, 'tick_checklist_items') + items,
      total: facts.ops.total + items,
      openItems: [],
    },
    verification:
      target(steps, 'record_test_run') > 0
        ? { passed: 7, total: 7, ranAt: now, suite: null, commitSha: null, runs: 1 }
        : verification === null
          ? null
          : { ...verification, passed: verification.passed + target(steps, 'fix_tests') },
    stability: {
      ...facts.stability,
      succeeded: facts.stability.succeeded + target(steps, 'deploy_successfully'),
    },
    issuesPending: facts.issuesPending ?? false,
  };
};
