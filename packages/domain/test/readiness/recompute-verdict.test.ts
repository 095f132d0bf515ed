import { expect } from 'chai';
import { recomputeVerdict, type VerdictPredicate } from '../../src/readiness/index.js';

/** As it stands in a signed verdict: a release with one item to tick, and a waiver for it. */
const PREDICATE: VerdictPredicate = {
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

const withResult = (changes: Partial<VerdictPredicate['result']>): VerdictPredicate => ({
  ...PREDICATE,
  result: { ...PREDICATE.result, ...changes },
});

describe('recomputeVerdict', () => {
  it('comes to the same result from what the verdict carries', () => {
    const again = recomputeVerdict(PREDICATE);
    expect(again.outcome).to.equal('agrees');
    const report = again.outcome === 'agrees' ? again.report : undefined;
    expect(report?.score).to.equal(85.9);
    expect(report?.axes[0]).to.include({ asOf: Date.UTC(2026, 10, 19, 12) });
    expect(report?.gate.waivers).to.deep.equal([
      {
        id: 'w1',
        releaseId: 'r1',
        code: 'axis_below_minimum',
        axis: 'ops',
        text: 'Rolled back by hand.',
        actual: 66.66,
        createdBy: 'Ada',
        createdAt: Date.UTC(2026, 10, 20, 10),
        expiresAt: Date.UTC(2026, 10, 21, 10),
        withdrawnAt: null,
        withdrawnBy: null,
      },
    ]);
  });

  const [reason] = PREDICATE.result.reasons;
  for (const [member, changes] of [
    ['score', { score: 85.91 }],
    ['coverage', { coverage: 0.8 }],
    ['decision', { decision: 'hold' }],
    ['decision_without_waivers', { decision_without_waivers: 'go' }],
    ['reasons', { reasons: [] }],
    ['reasons', { reasons: [{ ...reason, waived: false }] as typeof PREDICATE.result.reasons }],
    ['reasons', { reasons: [{ ...reason, actual: 66.67 }] as typeof PREDICATE.result.reasons }],
  ] as const)
    it(`finds ${member} that was said otherwise: ${JSON.stringify(changes).slice(0, 60)}`, () => {
      expect(recomputeVerdict(withResult(changes)))
        .to.include({ outcome: 'disagrees' })
        .and.to.deep.include({
          differs: [member],
        });
    });

  it('reads every part of the facts, the policy and the waivers', () => {
    const withdrawn = PREDICATE.waivers.map((one) => ({ ...one, withdrawn_at: '2026-11-20T11:00:00.000Z' }));
    const late = { ...PREDICATE, as_of: '2026-11-21T09:00:00.001Z' };
    const { facts, policy } = PREDICATE;
    const changed: readonly VerdictPredicate[] = [
      { ...PREDICATE, waivers: withdrawn },
      { ...PREDICATE, waivers: PREDICATE.waivers.map(({ axis: _, ...one }) => one) },
      late,
      { ...PREDICATE, facts: { ...facts, verification: null } },
      { ...PREDICATE, facts: { ...facts, issues_pending: true } },
      { ...PREDICATE, facts: { ...facts, stability: { succeeded: 0, failed: 0, in_progress: 10 } } },
      { ...PREDICATE, policy: { ...policy, threshold: 86 } },
      { ...PREDICATE, policy: { ...policy, required_axes: ['ops'], minimums: { ...policy.minimums, scope: 91 } } },
      { ...PREDICATE, policy: { ...policy, stability_bound: 'upper_bound' } },
      { ...PREDICATE, policy: { ...policy, min_finished_deployments: 11 } },
    ];
    for (const [index, one] of changed.entries())
      expect(recomputeVerdict(one).outcome, String(index)).to.equal('disagrees');
  });

  it('leaves how a reason is put into words alone', () => {
    const reasons = PREDICATE.result.reasons.map((one) => ({ ...one, message: 'Ops is too low' }));
    expect(recomputeVerdict(withResult({ reasons })).outcome).to.equal('agrees');
  });

  it('says that it does not know the formula, rather than judging by another one', () => {
    expect(recomputeVerdict({ ...PREDICATE, formula: '2' })).to.deep.equal({ outcome: 'unknown_formula' });
  });

  it('names what is unfit to be judged', () => {
    const facts = { ...PREDICATE.facts, ops: { done: 4, total: 3, open_items: [] } };
    const policy = { ...PREDICATE.policy, threshold: 101 };
    const again = recomputeVerdict({ ...PREDICATE, facts, policy });
    const faults = again.outcome === 'unfit' ? again.faults : [];
    expect(faults.map(({ pointer }) => pointer)).to.deep.equal(['/facts/ops/done', '/policy/threshold']);
  });
});
