import type { ReadinessReport } from '@shipworthy/client';
import { expect } from 'chai';
import { scorecard } from '../src/scorecard.js';

const nothing = (axis: string, cause: string, explanation: string) =>
  ({ axis, state: 'unmeasured', cause, weight: 1, explanation }) as ReadinessReport['axes'][number];

const REPORT: ReadinessReport = {
  project: { id: 'p', name: 'checkout' },
  release: { id: 'r', name: '2.4', state: 'active' },
  as_of: '2026-11-20T09:30:00.000Z',
  formula: '1',
  score: 79.99,
  coverage: 0.4,
  silent_sources: [],
  axes: [
    {
      axis: 'scope',
      state: 'measured',
      score: 64.1,
      weight: 1,
      facts: { done: 641, total: 1000 },
      explanation: '641 of 1000 issues done',
    },
    {
      axis: 'quality',
      state: 'measured',
      score: 95.88,
      weight: 1,
      facts: { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
      explanation: 'words '.repeat(20).trim(),
    },
    nothing('ops', 'no_checklist_items', 'Nothing applies'),
    nothing('verification', 'no_test_run', 'No run'),
    nothing('stability', 'no_finished_deployment', 'None finished'),
  ],
  gate: {
    decision: 'hold',
    decision_without_waivers: 'hold',
    waivers: [],
    reasons: [
      { code: 'score_below_threshold', actual: 79.99, required: 80, message: 'Too low', waived: true },
      { code: 'axis_unmeasured', axis: 'ops', actual: null, required: null, message: 'Ops is open', waived: false },
    ],
    next_steps: [
      { axis: 'scope', action: 'close_issues', count: 1, gain: 0.01, message: 'Close 1 issue' },
      { axis: 'verification', action: 'record_test_run', count: 1, gain: null, message: 'Record a test run' },
    ],
  },
};

describe('the scorecard', () => {
  it('shows every axis, never rounding up, in 80 columns', () => {
    expect(scorecard(REPORT).split('\n')).to.deep.equal([
      'checkout 2.4                                     readiness 79.9, 2 of 5 measured',
      '-'.repeat(80),
      'scope         64.1  ######....  641 of 1000 issues done',
      `quality       95.8  #########.  ${'words '.repeat(8).trim()}`,
      `                                ${'words '.repeat(8).trim()}`,
      `                                ${'words '.repeat(4).trim()}`,
      'ops              -              Nothing applies',
      'verification     -              No run',
      'stability        -              None finished',
      '',
      'Ship gate: HOLD',
      '  because  Too low (waived)',
      '  because  Ops is open',
      '  next     Close 1 issue (+0.01)',
      '  next     Record a test run',
    ]);
  });

  it('shows that nothing is measured yet', () => {
    const [title] = scorecard({ ...REPORT, score: null }).split('\n');
    expect(title).to.match(/^checkout 2\.4 +readiness -, 2 of 5 measured$/);
  });
});
