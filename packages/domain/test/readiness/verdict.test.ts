import { expect } from 'chai';
import type { Fault } from '../../src/errors.js';
import { recomputeVerdict, type VerdictPredicate } from '../../src/readiness/index.js';
import {
  asFlag,
  asList,
  asMoment,
  asNumber,
  asObject,
  asOneOf,
  asText,
  orNull,
  type ReadAs,
  readPredicate,
} from '../../src/readiness/verdict.js';
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
      { ...PREDICATE, facts: { ...facts, verification: null, test_run_set_aside: { suite: 'unit' } } },
      { ...PREDICATE, facts: { ...facts, stability: { succeeded: 0, failed: 0, in_progress: 10 } } },
      { ...PREDICATE, policy: { ...policy, threshold: 86 } },
      { ...PREDICATE, policy: { ...policy, required_axes: ['ops'], minimums: { ...policy.minimums, scope: 91 } } },
      { ...PREDICATE, policy: { ...policy, stability_bound: 'upper_bound' } },
      { ...PREDICATE, policy: { ...policy, min_finished_deployments: 11 } },
    ];
    for (const [index, one] of changed.entries())
      expect(recomputeVerdict(one).outcome, String(index)).to.equal('disagrees');
  });

  it('reads which suite was set aside, and which did worse than the run that counts', () => {
    const { facts } = PREDICATE;
    const readingOf = (changes: object) => {
      const again = recomputeVerdict({ ...PREDICATE, facts: { ...facts, ...changes } });
      return 'report' in again ? again.report.axes[3] : undefined;
    };
    expect(readingOf({ verification: null, test_run_set_aside: { suite: 'unit' } })?.setAside).to.deep.equal({
      suite: 'unit',
    });
    const worse_suite = { suite: 'e2e', passed: 1, total: 2 };
    expect(readingOf({ verification: { ...facts.verification, worse_suite } })?.facts).to.deep.include({
      worseSuite: worse_suite,
    });
  });

  it('calls a verdict wrong, and does not throw, where it can be read only once', () => {
    let reads = 0;
    const once = {
      ...PREDICATE,
      result: { ...PREDICATE.result, score: 1 },
      get facts() {
        reads += 1;
        if (reads > 1) throw new Error('read twice');
        return PREDICATE.facts;
      },
    };
    expect(recomputeVerdict(once)).to.deep.include({ outcome: 'disagrees', differs: ['score'] });
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
    expect(recomputeVerdict({ ...PREDICATE, formula: '3' })).to.deep.equal({ outcome: 'unknown_formula' });
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
    expect(recomputeVerdict({ formula: '3' }).outcome).to.equal('unknown_formula');
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

  it('names unknown members when the result differs, instead of calling the verdict forged', () => {
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

const pointers = (value: unknown): readonly string[] =>
  (readPredicate(value).faults ?? []).map(({ pointer }) => pointer);
const { facts, policy, waivers, result } = PREDICATE;

describe('readPredicate', () => {
  it('answers a copy of what the engine needs, and of nothing else', () => {
    const told = { ...PREDICATE, project: { id: 'p1' }, facts: { ...facts, weather: 'fine' } };
    const { predicate } = readPredicate(told);
    expect(predicate).to.deep.equal(PREDICATE);
    expect(predicate?.facts.scope).not.to.equal(facts.scope);
  });

  it('names every member that is missing or of another kind', () => {
    const { threshold: _, ...rest } = policy;
    const odd = {
      ...PREDICATE,
      facts: { ...facts, scope: { done: '18', total: 20 }, issues_pending: 0 },
      policy: { ...rest, freshness_hours: '24', required_axes: ['ops', 'luck'] },
      waivers: [{ ...waivers[0], actual: '66' }],
    };
    expect(pointers(odd)).to.deep.equal([
      '/facts/scope/done',
      '/facts/issues_pending',
      '/policy/threshold',
      '/policy/required_axes/1',
      '/policy/freshness_hours',
      '/waivers/0/actual',
    ]);
    for (const none of [undefined, null, 7, 'text', [], [PREDICATE], () => PREDICATE])
      expect(pointers(none)).to.deep.equal(['']);
  });

  it('takes real moments in UTC only', () => {
    for (const as_of of ['2026-11-20T12:00:00Z', '2024-02-29T23:59:59.999Z', '0001-01-01T00:00:00.000Z'])
      expect(pointers({ ...PREDICATE, as_of }), as_of).to.deep.equal([]);
    for (const as_of of [
      'x',
      '',
      '2026',
      '2026-11-20',
      '2026-11-20T12:00:00.000',
      '2026-11-20T12:00:00.000+01:00',
      '2026-02-29T12:00:00.000Z',
      '2026-04-31T12:00:00Z',
      '0000-11-20T12:00:00.000Z',
      '2026-11-20T24:00:00.000Z',
      '2026-11-20T12:60:00.000Z',
      '2026-11-20T12:00:00.0Z',
      1_763_640_000_000,
      new Date(0),
    ])
      expect(pointers({ ...PREDICATE, as_of }), String(as_of)).to.deep.equal(['/as_of']);
  });

  it('takes no number that JSON has not', () => {
    for (const actual of [Number.NaN, Number.POSITIVE_INFINITY, 1n, Object(66.66)])
      expect(
        pointers({ ...PREDICATE, result: { ...result, reasons: [{ ...result.reasons[0], actual }] } }),
      ).to.deep.equal(['/result/reasons/0/actual']);
  });

  it('does not believe what is inherited', () => {
    expect(pointers(Object.create(PREDICATE))).to.have.lengthOf(7);
    expect(pointers({ ...PREDICATE, release: Object.create({ id: 'r1' }) })).to.deep.equal(['/release/id']);
    expect(pointers(JSON.parse(`{"__proto__": ${JSON.stringify(PREDICATE)}}`))).to.have.lengthOf(7);
  });

  it('does not go through a list without end, nor trust one to be read at all', () => {
    expect(pointers({ ...PREDICATE, waivers: new Array(2 ** 32 - 1) })).to.deep.equal(['/waivers']);
    const traps: ProxyHandler<object> = {
      ownKeys: () => {
        throw new Error('a trap');
      },
    };
    const getter = {
      get facts(): never {
        throw new Error('a trap');
      },
    };
    for (const odd of [new Proxy({}, traps), getter, { ...PREDICATE, policy: new Proxy([], traps) }])
      expect(pointers(odd)).to.have.lengthOf(1);
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    expect(readPredicate({ ...PREDICATE, waivers: proxy }).faults).to.deep.equal([
      { pointer: '', code: 'wrong_kind', message: 'It cannot be read' },
    ]);
  });
});

const read = <Value>(as: ReadAs<Value>, value: unknown) => {
  const faults: Fault[] = [];
  return { value: as(value, '/at', faults), faults };
};
const wrong = (message: string, pointer = '/at'): readonly Fault[] => [{ pointer, code: 'wrong_kind', message }];

describe('reading a value as what it must be', () => {
  for (const [kind, as, good, bad] of [
    ['a finite number', asNumber, [0, -1.5], ['1', Number.NaN, Number.NEGATIVE_INFINITY, null]],
    ['a text', asText, ['', 'a'], [1, null, Object('a')]],
    ['either true or false', asFlag, [true, false], ['true', 0, null]],
    [
      'a moment by RFC 3339 in UTC',
      asMoment,
      ['2026-11-21T09:30:00Z'],
      ['2026-11-31T09:30:00Z', '2026-13-01T00:00:00Z'],
    ],
    ['one of go, hold', asOneOf(['go', 'hold']), ['go', 'hold'], ['Go', '', null, ['go']]],
  ] as const satisfies readonly (readonly [string, ReadAs<unknown>, readonly unknown[], readonly unknown[]])[])
    it(`as ${kind}`, () => {
      for (const value of good) expect(read<unknown>(as, value)).to.deep.equal({ value, faults: [] });
      for (const value of bad)
        expect(read<unknown>(as, value).faults, String(value)).to.deep.equal(wrong(`It must be ${kind}`));
    });

  it('as a moment takes nothing that only looks like one', () => {
    const disguised = { toString: () => '2026-11-21T09:30:00Z' };
    expect(read(asMoment, disguised).faults).to.deep.equal(wrong('It must be a moment by RFC 3339 in UTC'));
  });

  it('as something or null', () => {
    expect(read(orNull(asText), null)).to.deep.equal({ value: null, faults: [] });
    expect(read(orNull(asText), 7).faults).to.deep.equal(wrong('It must be a text'));
  });

  it('as a list of 10,000 at most, each entry at its place', () => {
    const most = Array.from({ length: 10_000 }, (_, index) => index);
    expect(read(asList(asNumber), most)).to.deep.equal({ value: most, faults: [] });
    expect(read(asList(asNumber), [1, '2']).faults).to.deep.equal(wrong('It must be a finite number', '/at/1'));
    for (const odd of [[...most, 0], { length: 1 }, 'ab', null])
      expect(read(asList(asNumber), odd)).to.deep.equal({
        value: [],
        faults: wrong('It must be a list of 10000 at most'),
      });
  });

  it('as an object with its own members, of which some may be missing', () => {
    const as = asObject<{ name: string; age?: number }>({ name: asText, age: asNumber }, ['age']);
    expect(read(as, { name: 'Ada', age: 36, more: 1 })).to.deep.equal({ value: { name: 'Ada', age: 36 }, faults: [] });
    expect(read(as, { name: 'Ada', age: undefined })).to.deep.equal({ value: { name: 'Ada' }, faults: [] });
    expect(read(as, { age: 36 }).faults).to.deep.equal([
      { pointer: '/at/name', code: 'missing', message: 'It is missing' },
    ]);
    for (const odd of [null, [], 'text', undefined])
      expect(read(as, odd).faults).to.deep.equal(wrong('It must be an object'));
  });
});
