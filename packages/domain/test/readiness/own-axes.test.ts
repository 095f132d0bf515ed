import { expect } from 'chai';
import { ownAxesFacts } from '../../src/readiness/axes/own.js';
import {
  AXES,
  assessRelease,
  DEFAULT_POLICY,
  difference,
  factFaults,
  factsAfter,
  nextTimeLimit,
  type OwnAxis,
  type Policy,
  policyFaults,
  type ReportedFacts,
  reasonForm,
  recomputeVerdict,
} from '../../src/readiness/index.js';
import { areFrozenAndSorted } from '../../src/readiness/own-axis.js';
import { axesOfPolicy } from '../../src/readiness/policy.js';
import { HOUR, NOW, READY, ready, waiver } from './sample-release.js';

const SECURITY: OwnAxis = { name: 'security', title: 'Security', weight: 1, minimum: 90, required: true };

const report = (part: number, whole: number | null, more: Partial<ReportedFacts> = {}): ReportedFacts => ({
  ...{ part, whole, explanation: null, url: null, measuredAt: NOW - HOUR },
  ...more,
});
const demanding = (...ownAxes: readonly OwnAxis[]) => ({ ...DEFAULT_POLICY, ownAxes });
const judge = (own: Record<string, ReportedFacts>, ...axes: readonly OwnAxis[]) =>
  assessRelease(ready({ ownAxes: own }), demanding(...axes), NOW);
const codes = (value: unknown): readonly string[] =>
  policyFaults(value).map(({ pointer, code }) => `${pointer} ${code}`);

describe('An own axis', () => {
  it('enters the score with its weight, after the five, by formula 2', () => {
    const judged = judge({ security: report(48, 50) }, SECURITY);
    expect(judged).to.deep.include({ formula: '2', score: 99.33, coverage: 1 });
    expect(judged.axes.map(({ axis }) => axis)).to.deep.equal([...AXES]);
    expect(judged.ownAxes).to.deep.equal([
      {
        ...{ axis: 'security', title: 'Security', unit: { one: 'part', many: 'parts' } },
        ...{ weight: 1, minimum: 90, required: true, facts: report(48, 50) },
        ...{ state: 'measured', score: 96, explanation: '48 of 50 parts' },
      },
    ]);
    expect(judged.gate.decision).to.equal('go');
  });

  it('without weight is shown and changes neither score, formula nor decision', () => {
    const watched = judge({ security: report(0, 50) }, { name: 'security' });
    const { ownAxes, ...others } = watched;
    expect(others).to.deep.equal(assessRelease(READY, DEFAULT_POLICY, NOW));
    expect(ownAxes?.map(({ axis, title, weight }) => [axis, title, weight])).to.deep.equal([
      ['security', 'Security', 0],
    ]);
  });

  it('below its minimum holds the release, and says the least that helps', () => {
    const { gate } = judge({ security: report(40, 50) }, { ...SECURITY, unit: { one: 'finding', many: 'findings' } });
    expect(gate.decision).to.equal('hold');
    expect(gate.reasons).to.deep.equal([
      {
        ...{ code: 'axis_below_minimum', axis: 'security', actual: 80, required: 90, waived: false },
        message: 'Security is at 80, below its minimum of 90',
      },
    ]);
    expect(gate.nextSteps).to.deep.equal([
      {
        ...{ axis: 'security', action: 'improve', count: 5, gain: 1.66 },
        message: 'Security: improve 5 more findings of 50',
      },
    ]);
  });

  it('raises the score where a unit of it gains most', () => {
    const facts = ready({ ownAxes: { speed: report(0, 2) } });
    const policy = { ...demanding({ name: 'speed', weight: 5 }), threshold: 70 };
    const { gate } = assessRelease(facts, policy, NOW);
    expect(gate.nextSteps.map(({ axis, action, count }) => [axis, action, count])).to.deep.equal([
      ['speed', 'improve', 1],
    ]);
  });

  const causes: readonly (readonly [string, Record<string, ReportedFacts>, string, string])[] = [
    ['without a report', {}, 'no_report', 'Security is not measured: nothing was reported for it'],
    [
      'with one that is too old',
      { security: report(1, 1, { measuredAt: NOW - 2 * HOUR - 1 }) },
      'stale_report',
      'Security is not measured: its latest report is too old',
    ],
    [
      'that could not be measured',
      { security: report(0, null, { explanation: 'the scanner is down' }) },
      'not_measurable',
      'Security is not measured: its latest report could not measure it',
    ],
  ];
  for (const [title, own, cause, message] of causes)
    it(`${title} is unmeasured, and a report of all its parts is what is missing`, () => {
      const axis = { ...SECURITY, freshForHours: 2 };
      const judged = judge(own, axis);
      expect(judged.ownAxes?.[0]).to.include({ state: 'unmeasured', cause });
      expect(judged.gate.decision).to.equal('unknown');
      expect(judged.gate.reasons.map((reason) => reason.message)).to.deep.equal([message]);
      expect(judged.gate.nextSteps.map(({ action, count }) => [action, count])).to.deep.equal([['report', 1]]);
      const after = factsAfter(ready({ ownAxes: own }), judged.gate.nextSteps, NOW);
      expect(assessRelease(after, demanding(axis), NOW).gate.decision).to.equal('go');
    });

  it('is fresh until its last minute, which is a time limit', () => {
    const axis = { ...SECURITY, freshForHours: 2 };
    const facts = ready({ ownAxes: { security: report(1, 1, { measuredAt: NOW }) } });
    const limit = nextTimeLimit(facts, demanding(axis), [], NOW);
    expect(limit).to.equal(NOW + 2 * HOUR + 1);
    const decisionAt = (at: number) => assessRelease(facts, demanding(axis), at).gate.decision;
    expect([decisionAt(NOW + 2 * HOUR), decisionAt(NOW + 2 * HOUR + 1)]).to.deep.equal(['go', 'unknown']);
  });

  it('can be waived by its name, and a waiver of an axis that is gone covers nothing', () => {
    const signed = waiver({ code: 'axis_below_minimum', axis: 'security', actual: 80 });
    const facts = ready({ ownAxes: { security: report(40, 50) } });
    const { gate } = assessRelease(facts, demanding(SECURITY), NOW, [signed]);
    expect([gate.decision, gate.decisionWithoutWaivers]).to.deep.equal(['go', 'hold']);
    expect(assessRelease(facts, DEFAULT_POLICY, NOW, [signed]).gate.waivers).to.deep.equal([]);
  });

  it('named like a member that every object has is an axis like any other', () => {
    const judged = judge({}, { name: 'constructor', weight: 1, required: true });
    expect(judged.ownAxes?.[0]).to.include({ state: 'unmeasured', cause: 'no_report', title: 'Constructor' });
  });

  it('is compared in a difference, and named by a policy that changes it', () => {
    const before = assessRelease(READY, DEFAULT_POLICY, NOW);
    const after = judge({ security: report(40, 50) }, SECURITY);
    expect(difference(before, after).ownAxes).to.deep.equal([
      { axis: 'security', before: { state: 'unmeasured', score: null }, after: { state: 'measured', score: 80 } },
    ]);
    expect(axesOfPolicy(DEFAULT_POLICY, demanding(SECURITY))).to.deep.equal(['security']);
    expect(axesOfPolicy(demanding(SECURITY), demanding({ ...SECURITY, title: 'Safety' }))).to.deep.equal([]);
  });
});

describe('The own axes of a policy', () => {
  it('have no fault where they are fit', () => {
    expect(codes(demanding(SECURITY, { name: 'a11y', weight: 0 }))).to.deep.equal([]);
    const none = { scope: 0, quality: 0, ops: 0, verification: 0, stability: 0 };
    expect(codes({ ...demanding(SECURITY), weights: none })).to.deep.equal([]);
    expect(codes({ ...demanding({ name: 'security' }), weights: none })).to.deep.equal(['/weights all_zero']);
  });

  const faulty: readonly (readonly [string, object, string])[] = [
    ['a name that one of the five has', { name: 'scope' }, '/own_axes/0/name name'],
    ['a name of 41 characters', { name: 'a'.repeat(41) }, '/own_axes/0/name name'],
    ['a name that ends otherwise than it began', { name: 'security!' }, '/own_axes/0/name name'],
    ['a name with a capital letter', { name: 'Security' }, '/own_axes/0/name name'],
    ['a minimum without weight', { name: 'security', minimum: 1 }, '/own_axes/0/minimum does_not_fit'],
    [
      'a demand to be measured without weight',
      { name: 'security', required: true },
      '/own_axes/0/required does_not_fit',
    ],
    ['a weight that is no whole number', { name: 'security', weight: 0.5 }, '/own_axes/0/weight not_whole'],
    [
      'a weight that is a text, beside a minimum',
      { name: 'security', weight: '5', minimum: 50 },
      '/own_axes/0/weight wrong_type',
    ],
    ['a title of blanks', { name: 'security', title: ' ' }, '/own_axes/0/title length'],
    ['a unit without a plural', { name: 'security', unit: { one: 'x' } }, '/own_axes/0/unit/many missing'],
    ['a freshness of nothing', { name: 'security', freshForHours: 0 }, '/own_axes/0/fresh_for_hours out_of_range'],
    ['a member that there is not', { name: 'security', colour: 'red' }, '/own_axes/0/colour surplus'],
  ];
  for (const [title, axis, fault] of faulty)
    it(`have a fault for ${title}`, () => {
      const policy = { ...DEFAULT_POLICY, ownAxes: [axis] } as Policy;
      expect(codes(policy)).to.deep.equal([fault]);
      expect(() => assessRelease(READY, policy, NOW)).to.throw(TypeError, `/policy${fault.split(' ')[0]}: `);
    });

  it('are 20 at most, each named once', () => {
    const endless = new Proxy([], { get: (list, name) => (name === 'length' ? Number.NaN : Reflect.get(list, name)) });
    expect(codes({ ...DEFAULT_POLICY, ownAxes: endless })).to.deep.equal(['/own_axes too_many']);
    const many = Array.from({ length: 21 }, (_, index) => ({ name: `axis_${index}` }));
    expect(codes({ ...DEFAULT_POLICY, ownAxes: many })).to.deep.equal(['/own_axes too_many']);
    expect(codes(demanding(SECURITY, SECURITY))).to.deep.equal(['/own_axes/1/name duplicate']);
    expect(() => judge({}, SECURITY, SECURITY)).to.throw(TypeError, '/policy/own_axes/1/name');
  });
});

describe('Own axes that are prepared', () => {
  const axes = (...names: readonly string[]) => Object.freeze(names.map((name) => Object.freeze({ name })));

  it('are known by being frozen throughout, plain, and in the order of their names', () => {
    expect(areFrozenAndSorted(axes('a', 'b', 'c'))).to.equal(true);
    const unit = { one: 'item', many: 'items' };
    expect(
      areFrozenAndSorted(Object.freeze([Object.freeze({ name: 'a', unit: Object.freeze({ ...unit }) })])),
    ).to.equal(true);
    const others = [
      [...axes('a', 'b')],
      axes('b', 'a'),
      axes('a', 'b', 'b'),
      Object.freeze([{ name: 'a' }]),
      Object.freeze([Object.freeze({ name: 'a', unit })]),
      Object.freeze([
        Object.freeze({
          get name() {
            return 'a';
          },
        }),
      ]),
    ];
    for (const [index, other] of others.entries()) expect(areFrozenAndSorted(other), String(index)).to.equal(false);
  });
});

describe('The facts of own axes', () => {
  it('are the count where the policy asks for one, and the latest report elsewhere', () => {
    const reports = { security: report(1, 2), evidence: report(9, 9) };
    const ownAxes = [{ name: 'evidence', countedFrom: 'checklist_evidence' as const }, { name: 'security' }];
    const counting = { ...DEFAULT_POLICY, ownAxes };
    const of = (total: number) =>
      ownAxesFacts(counting, reports, { ...READY, ops: { ...READY.ops, total }, itemsWithEvidence: total && 2 }, 7)
        .ownAxes;
    const counted = { explanation: null, url: null, measuredAt: 7 };
    expect(of(3)).to.deep.equal({ security: reports.security, evidence: { ...counted, part: 2, whole: 3 } });
    expect(of(0)?.evidence).to.deep.equal({ ...counted, part: 0, whole: null });
    expect(ownAxesFacts(DEFAULT_POLICY, {}, { ...READY, itemsWithEvidence: 0 }, 7)).to.deep.equal({});
  });

  it('are refused as a whole where they are no object', () => {
    for (const ownAxes of [null, [], 7, 'all'])
      expect(
        factFaults({ ...READY, ownAxes } as never).map(({ pointer, message }) => [pointer, message]),
      ).to.deep.equal([['/own_axes', 'It must be an object']]);
  });
});

describe('The facts of an own axis', () => {
  const faulty: readonly (readonly [string, object, string])[] = [
    ['a part that exceeds its whole', { part: 3, whole: 2 }, '/own_axes/security/part does_not_fit'],
    ['a whole of 0', { part: 0, whole: 0 }, '/own_axes/security/whole out_of_range'],
    ['a part of nothing', { part: 1, whole: null }, '/own_axes/security/part does_not_fit'],
    ['a part that is no whole number', { part: 0.5, whole: 1 }, '/own_axes/security/part out_of_range'],
    ['a whole that is no whole number', { part: 0, whole: 1.5 }, '/own_axes/security/whole out_of_range'],
    ['an explanation that is no text', { explanation: 5 }, '/own_axes/security/explanation wrong_type'],
    ['an address that is no text', { url: 5 }, '/own_axes/security/url wrong_type'],
    ['a member that there is not', { colour: 'red' }, '/own_axes/security/colour surplus'],
    ['a moment that is none', { measuredAt: Number.NaN }, '/own_axes/security/measured_at out_of_range'],
  ];
  for (const [title, change, fault] of faulty)
    it(`have a fault for ${title}`, () => {
      const facts = ready({ ownAxes: { security: report(1, 2, change) } });
      expect(factFaults(facts).map(({ pointer, code }) => `${pointer} ${code}`)).to.deep.equal([fault]);
      expect(() => assessRelease(facts, demanding(SECURITY), NOW)).to.throw(TypeError, '/facts/own_axes/security');
    });
});

describe('A verdict over own axes', () => {
  const predicateOf = (own: ReportedFacts) => {
    const judged = judge({ security: own }, SECURITY);
    const { measuredAt, ...counts } = own;
    return {
      formula: judged.formula,
      release: { id: 'r1' },
      as_of: new Date(NOW).toISOString(),
      facts: {
        ...{ scope: READY.scope, quality: READY.quality, ops: { done: 3, total: 3, open_items: [] } },
        verification: {
          ...{ passed: 412, total: 412, ran_at: new Date(NOW - HOUR).toISOString() },
          ...{ suite: null, commit_sha: null, runs: 1 },
        },
        stability: { succeeded: 20, failed: 0, in_progress: 0 },
        own_axes: [{ axis: 'security', ...counts, measured_at: new Date(measuredAt).toISOString() }],
      },
      policy: {
        ...{ weights: DEFAULT_POLICY.weights, minimums: DEFAULT_POLICY.minimums, threshold: 80 },
        ...{ required_axes: DEFAULT_POLICY.requiredAxes, environments: null, freshness_hours: null },
        ...{ verification: 'latest_run', max_open_critical_bugs: 0, min_finished_deployments: 1 },
        own_axes: [
          {
            ...{ name: 'security', title: 'Security', weight: 1, minimum: 90, required: true },
            fresh_for_hours: null,
          },
        ],
      },
      waivers: [],
      result: {
        score: judged.score,
        coverage: judged.coverage,
        decision: judged.gate.decision,
        decision_without_waivers: judged.gate.decisionWithoutWaivers,
        reasons: judged.gate.reasons.map(reasonForm),
      },
    };
  };

  it('comes out again by formula 2', () => {
    expect(predicateOf(report(40, 50)).formula).to.equal('2');
    expect(recomputeVerdict(predicateOf(report(40, 50))).outcome).to.equal('agrees');
    expect(recomputeVerdict(predicateOf(report(50, 50))).outcome).to.equal('agrees');
  });

  it('is of a rule that is not known where it claims formula 2 without an own axis of weight', () => {
    const { facts, policy, ...others } = { ...predicateOf(report(50, 50)), formula: '2' };
    const [five, demands] = [
      { ...facts, own_axes: [] },
      { ...policy, own_axes: [] },
    ];
    expect(recomputeVerdict({ ...others, facts: five, policy: demands })).to.deep.equal({ outcome: 'unknown_formula' });
    const later = { ...demands, max_failed_tests: 3 };
    expect(recomputeVerdict({ ...others, facts: five, policy: later })).to.deep.equal({
      outcome: 'unknown_members',
      members: ['/policy/max_failed_tests'],
    });
  });

  it('disagrees where it claims the formula of the five, and is unknown by a later one', () => {
    const again = recomputeVerdict({ ...predicateOf(report(40, 50)), formula: '1' });
    expect(again.outcome === 'disagrees' && again.differs).to.deep.equal(['formula']);
    expect(recomputeVerdict({ ...predicateOf(report(40, 50)), formula: '3' }).outcome).to.equal('unknown_formula');
  });
});
