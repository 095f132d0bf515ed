import { expect } from 'chai';
import { recomputeVerdict, type VerdictPredicate } from '../../src/readiness/index.js';
import { PREDICATE } from './sample-predicate.js';

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
    ['reasons', { reasons: [{ ...reason, axis: 'scope' }] as typeof PREDICATE.result.reasons }],
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

  it('reads when something last came from each source, and how often it does', () => {
    const at = '2026-11-19T12:00:00.000Z';
    const sources = { deployments: { last_at: at, median_ms: 3_600_000 }, test_runs: { last_at: at, median_ms: null } };
    const heard = (changes: object) => {
      const again = recomputeVerdict({
        ...PREDICATE,
        facts: { ...PREDICATE.facts, sources: { ...sources, ...changes } },
      });
      return again.outcome === 'agrees' ? again.report.silentSources : undefined;
    };
    const silent = { source: 'deployments', lastAt: Date.parse(at), limitMs: 3 * 3_600_000, basis: 'rhythm' };
    expect(heard({})).to.deep.equal([{ ...silent, since: Date.parse(at) + 3 * 3_600_000 }]);
    expect(heard({ deployments: null })).to.deep.equal([]);
  });

  it('takes the policy at its word about how long a source may be silent', () => {
    const at = '2026-11-20T09:00:00.000Z';
    const source = { last_at: at, median_ms: 86_400_000 };
    const again = recomputeVerdict({
      ...PREDICATE,
      facts: { ...PREDICATE.facts, sources: { deployments: source, test_runs: null } },
      policy: { ...PREDICATE.policy, silence_hours: 2 },
    });
    const [lastAt, limitMs] = [Date.parse(at), 2 * 3_600_000];
    expect(again.outcome === 'agrees' ? again.report.silentSources : again.outcome).to.deep.equal([
      { source: 'deployments', lastAt, limitMs, basis: 'policy', since: lastAt + limitMs },
    ]);
  });

  it('reads what was signed before there were bounds, limits of silence and imports', () => {
    const { stability_bound: _, silence_hours: __, ...policy } = PREDICATE.policy;
    const { issues_as_of: ___, issues_pending: ____, ...facts } = PREDICATE.facts;
    const again = recomputeVerdict({ ...PREDICATE, policy, facts });
    expect(again.outcome).to.equal('agrees');
    expect(again.outcome === 'agrees' && again.report.axes[0]).to.include({ asOf: null });
    const live = recomputeVerdict({ ...PREDICATE, facts: { ...facts, issues_as_of: null } });
    expect(live.outcome === 'agrees' && live.report.axes[0]).to.include({ asOf: null });
  });

  it('knows waivers of every kind', () => {
    const [waiver] = PREDICATE.waivers;
    for (const code of ['score_below_threshold', 'axis_below_minimum', 'axis_unmeasured', 'open_critical_bugs'])
      expect(
        recomputeVerdict({ ...PREDICATE, waivers: [waiver, { ...waiver, id: code, code }] }).outcome,
        code,
      ).to.equal('agrees');
    expect(recomputeVerdict({ ...PREDICATE, waivers: [{ ...waiver, code: 'other' }] }).outcome).to.equal('unfit');
  });

  it('leaves how a reason is put into words alone', () => {
    const reasons = PREDICATE.result.reasons.map((one) => ({ ...one, message: 'Ops is too low' }));
    expect(recomputeVerdict(withResult({ reasons })).outcome).to.equal('agrees');
  });

  it('says that it does not know the formula, rather than judging by another one', () => {
    expect(recomputeVerdict({ ...PREDICATE, formula: '2' })).to.deep.equal({ outcome: 'unknown_formula' });
  });

  it('judges at no moment that is none, nor what is no predicate', () => {
    for (const odd of [
      { ...PREDICATE, as_of: 'x' },
      { ...PREDICATE, facts: {} },
      { formula: '1' },
      { formula: 2 },
      Object.create({ formula: '2' }),
      {},
      null,
      undefined,
    ])
      expect(recomputeVerdict(odd).outcome).to.equal('unfit');
    expect(recomputeVerdict({ formula: '2' }).outcome).to.equal('unknown_formula');
    const hostile = {
      get formula() {
        throw new Error('not to be read');
      },
    };
    expect(recomputeVerdict(hostile).outcome).to.equal('unfit');
  });

  it('names what is unfit to be judged', () => {
    const facts = { ...PREDICATE.facts, ops: { done: 4, total: 3, open_items: [] } };
    const policy = { ...PREDICATE.policy, threshold: 101 };
    const again = recomputeVerdict({ ...PREDICATE, facts, policy });
    const faults = again.outcome === 'unfit' ? again.faults : [];
    expect(faults.map(({ pointer }) => pointer)).to.deep.equal(['/facts/ops/done', '/policy/threshold']);
  });

  it('leaves aside what a later service adds, while it comes to the same without it', () => {
    const { facts, policy, waivers, result } = PREDICATE;
    const later = {
      ...PREDICATE,
      facts: { ...facts, scope: { ...facts.scope, moved: 1 }, scans: {} },
      policy: { ...policy, weights: { ...policy.weights, security: 0 }, max_failed_tests: null, version: 3 },
      waivers: waivers.map((one) => ({ ...one, later: 1 })),
      result: { ...result, later: 1, reasons: result.reasons.map((reason) => ({ ...reason, later: 1 })) },
    };
    expect(recomputeVerdict(later).outcome).to.equal('agrees');
  });

  it('names what it does not know where it comes out otherwise, and accuses nobody', () => {
    const { facts, policy } = PREDICATE;
    const later = {
      ...withResult({ score: 12 }),
      facts: { ...facts, scans: { found: 2 } },
      policy: { ...policy, version: 3, weights: { ...policy.weights, security: 5 } },
    };
    expect(recomputeVerdict(later)).to.deep.equal({
      outcome: 'unknown_members',
      members: ['/facts/scans', '/policy/weights/security'],
    });
    expect(recomputeVerdict({ ...withResult({ score: 12 }), policy: { ...policy, version: 3 } }).outcome).to.equal(
      'disagrees',
    );
  });
});
