import type { VerdictPredicate } from '../../src/readiness/index.js';

/** The predicate of a signed verdict: a release with one item to tick, and a waiver for it. */
export const PREDICATE: VerdictPredicate = {
  formula: '1',
  release: { id: 'r1' },
  as_of: '2026-11-20T12:00:00.000Z',
  facts: {
    scope: { done: 18, total: 20 },
    quality: { resolved: 5, total: 6, open: { critical: 0, major: 1, minor: 0, unspecified: 0 } },
    ops: { done: 2, total: 3, open_items: ['Rollback'] },
    verification: {
      passed: 410,
      total: 412,
      ran_at: '2026-11-20T09:00:00.000Z',
      suite: 'unit',
      commit_sha: null,
      runs: 1,
    },
    stability: { succeeded: 9, failed: 1, in_progress: 0 },
    issues_as_of: '2026-11-19T12:00:00.000Z',
    issues_pending: false,
  },
  policy: {
    weights: { scope: 1, quality: 1, ops: 1, verification: 1, stability: 1 },
    threshold: 85,
    minimums: { scope: 60, quality: 60, ops: 100, verification: 95, stability: 60 },
    required_axes: ['scope', 'quality', 'ops', 'verification', 'stability'],
    environments: null,
    freshness_hours: 24,
    verification: 'latest_run',
    max_open_critical_bugs: 0,
    min_finished_deployments: 1,
    stability_bound: 'rate',
    silence_hours: null,
  },
  waivers: [
    {
      id: 'w1',
      code: 'axis_below_minimum',
      axis: 'ops',
      text: 'Rolled back by hand.',
      actual: 66.66,
      created_by: 'Ada',
      created_at: '2026-11-20T10:00:00.000Z',
      expires_at: '2026-11-21T10:00:00.000Z',
      withdrawn_at: null,
      withdrawn_by: null,
    },
  ],
  result: {
    score: 85.9,
    coverage: 1,
    decision: 'go',
    decision_without_waivers: 'hold',
    reasons: [
      {
        code: 'axis_below_minimum',
        axis: 'ops',
        actual: 66.66,
        required: 100,
        message: 'Ops is at 66.66, below its minimum of 100',
        waived: true,
      },
    ],
  },
};
