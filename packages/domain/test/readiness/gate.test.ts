import { expect } from 'chai';
import fc from 'fast-check';
import { measureFiveAxes } from '../../src/readiness/all-axes.js';
import { AXIS_PLACE } from '../../src/readiness/axis.js';
import { gateDemands, meets } from '../../src/readiness/gate.js';
import {
  assessRelease,
  type GateDecision,
  type Policy,
  type Reason,
  type ReleaseFacts,
  type Waiver,
} from '../../src/readiness/index.js';
import { anyCase } from './arbitrary-release.js';
import {
  checklist,
  deployments,
  EMPTY,
  everyAxis,
  HOUR,
  issues,
  lenient,
  NOW,
  policy,
  READY,
  ready,
  testRun,
  waiver,
} from './sample-release.js';

const gateOf = (facts: ReleaseFacts, rules: Policy = policy({}), waivers: readonly Waiver[] = []) =>
  assessRelease(facts, rules, NOW, waivers).gate;

const opsWaiver = waiver({ id: 'ops', code: 'axis_below_minimum', axis: 'ops', actual: 66.66 });
const runWaiver = waiver({ id: 'run', code: 'axis_unmeasured', axis: 'verification', actual: null });

describe('the ship gate decides', () => {
  for (const [title, facts, rules, decision] of [
    ['go when every condition is met', READY, policy({}), 'go'],
    ['hold when a measured condition fails', ready({ ops: checklist(2, 3) }), policy({}), 'hold'],
    ['unknown when something required is unmeasured', ready({ verification: null }), policy({}), 'unknown'],
    [
      'hold when one condition fails and another is unmeasured',
      ready({ verification: null, ops: checklist(2, 3) }),
      policy({}),
      'hold',
    ],
    ['unknown when nothing is known', EMPTY, policy({}), 'unknown'],
    ['unknown when nothing is known and nothing required', EMPTY, lenient({ threshold: 0 }), 'unknown'],
    ['unknown when no axis has weight', READY, policy({ weights: everyAxis(0) }), 'unknown'],
    [
      'hold when a critical bug is open although there is no score',
      ready(issues(1, 2, { critical: 1 })),
      policy({ weights: everyAxis(0) }),
      'hold',
    ],
    ['go when only what is not required is unmeasured', ready({ verification: null }), lenient(), 'go'],
    ['hold when only the score is too low', ready(issues(0, 1)), lenient({ threshold: 80.01 }), 'hold'],
  ] as const satisfies readonly (readonly [string, ReleaseFacts, Policy, GateDecision])[])
    it(title, () => {
      const gate = gateOf(facts, rules);
      expect(gate.decision).to.equal(decision);
      expect(gate.decisionWithoutWaivers).to.equal(decision);
    });

  it('never go while the score is null: nothing passes because nothing was measured', () => {
    const unmeasured = ['scope', 'quality', 'ops', 'verification', 'stability'] as const;
    const all = unmeasured.map((axis) => waiver({ id: axis, code: 'axis_unmeasured', axis, actual: null }));
    const gate = gateOf(EMPTY, policy({}), all);
    expect(gate.reasons.every(({ waived }) => waived)).to.equal(true);
    expect(gate.decision).to.equal('unknown');
  });
});

describe('waivers at the ship gate', () => {
  it('turn the decision, keep the reason marked, and the decision without them is given too', () => {
    const gate = gateOf(ready({ ops: checklist(2, 3) }), policy({}), [opsWaiver]);
    expect(gate.decision).to.equal('go');
    expect(gate.decisionWithoutWaivers).to.equal('hold');
    expect(gate.reasons).to.have.length(1);
    expect(gate.reasons[0]).to.include({ code: 'axis_below_minimum', axis: 'ops', waived: true });
    expect(gate.waivers).to.deep.equal([opsWaiver]);
    expect(gate.nextSteps).to.deep.equal([]);
  });

  it('a waived unmeasured axis no longer makes it unknown', () => {
    const gate = gateOf(ready({ verification: null }), policy({}), [runWaiver]);
    expect(gate).to.include({ decision: 'go', decisionWithoutWaivers: 'unknown' });
  });

  it('one waiver does not answer for another reason', () => {
    const gate = gateOf(ready({ ops: checklist(2, 3), verification: null }), policy({}), [opsWaiver]);
    expect(gate).to.include({ decision: 'unknown', decisionWithoutWaivers: 'hold' });
    expect(gate.reasons.map(({ waived }) => waived)).to.deep.equal([true, false]);
  });

  it('no longer apply once it is worse than signed', () => {
    const gate = gateOf(ready({ ops: checklist(1, 3) }), policy({}), [opsWaiver]);
    expect(gate.decision).to.equal('hold');
    expect(gate.waivers).to.deep.equal([]);
  });

  it('that apply now are listed oldest first; expired, withdrawn and idle ones are not', () => {
    const listed = [
      opsWaiver,
      { ...opsWaiver, id: 'expired', expiresAt: NOW },
      { ...opsWaiver, id: 'withdrawn', withdrawnAt: NOW - 1 },
      waiver({ id: 'idle', code: 'open_critical_bugs', actual: 3 }),
      { ...opsWaiver, id: 'b' },
      { ...opsWaiver, id: 'a' },
      { ...opsWaiver, id: 'oldest', createdAt: NOW - 2 * HOUR },
    ];
    const gate = gateOf(ready({ ops: checklist(2, 3) }), policy({}), listed);
    expect(gate.waivers.map(({ id }) => id)).to.deep.equal(['oldest', 'a', 'b', 'ops']);
    const reversed = gateOf(ready({ ops: checklist(2, 3) }), policy({}), [...listed].reverse());
    expect(reversed.waivers).to.deep.equal(gate.waivers);
  });

  it('never change score, coverage, readings or what the reasons say', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy: rules, waivers }) => {
        const bare = assessRelease(facts, rules, NOW);
        const report = assessRelease(facts, rules, NOW, waivers);
        expect({ ...report, gate: null }).to.deep.equal({ ...bare, gate: null });
        expect(report.gate.decisionWithoutWaivers).to.equal(bare.gate.decision);
        const unmarked = report.gate.reasons.map((reason) => ({ ...reason, waived: false }));
        expect(unmarked).to.deep.equal(bare.gate.reasons);
        if (bare.gate.decision === 'go') expect(report.gate.decision).to.equal('go');
      }),
      { numRuns: 2_000 },
    );
  });
});

const reasonsOf = (facts: ReleaseFacts, rules: Policy = policy({})): readonly Reason[] =>
  assessRelease(facts, rules, NOW).gate.reasons;
const named = (reasons: readonly Reason[]): readonly string[] =>
  reasons.map(({ code, axis }) => (axis === null ? code : `${code} ${axis}`));

describe('the reasons of the ship gate', () => {
  it('there is none for a release that meets every default demand exactly', () => {
    const facts = {
      ...issues(6, 10, { resolved: 3, minor: 2 }),
      ops: checklist(3, 3),
      verification: testRun(95, 100),
      stability: deployments(85, 15),
    };
    expect(assessRelease(facts, policy({}), NOW).score).to.equal(80);
    expect(reasonsOf(facts)).to.deep.equal([]);
  });

  it('score_below_threshold gives what is, what must be and a sentence', () => {
    expect(reasonsOf(ready(issues(0, 12)), lenient({ threshold: 80.01 }))).to.deep.equal([
      {
        code: 'score_below_threshold',
        axis: null,
        actual: 80,
        required: 80.01,
        message: 'The score is 80, below the threshold of 80.01',
        waived: false,
      },
    ]);
  });

  it('score_below_threshold is not evaluated while the score is null', () => {
    expect(reasonsOf(EMPTY, lenient({ threshold: 100 }))).to.deep.equal([]);
  });

  for (const [axis, title, minimum, facts] of [
    ['scope', 'Scope', 60, ready(issues(599, 1000))],
    ['quality', 'Quality', 60, ready(issues(599, 1000, { resolved: 599, minor: 100, major: 301 }))],
    ['ops', 'Ops', 100, ready({ ops: checklist(999, 1000) })],
    ['verification', 'Verification', 95, ready({ verification: testRun(949, 1000) })],
    ['stability', 'Stability', 60, ready({ stability: deployments(599, 401) })],
  ] as const)
    it(`axis_below_minimum of ${axis}: the default minimum is ${minimum}`, () => {
      const reason = reasonsOf(facts).find((one) => one.axis === axis);
      expect(reason).to.include({ code: 'axis_below_minimum', required: minimum, waived: false });
      expect(reason?.actual).to.be.lessThan(minimum);
      expect(reason?.message).to.equal(`${title} is at ${reason?.actual}, below its minimum of ${minimum}`);
    });

  it('an axis exactly at its minimum passes', () => {
    expect(reasonsOf(ready(issues(60, 100)))).to.deep.equal([]);
    expect(reasonsOf(ready({ verification: testRun(95, 100) }))).to.deep.equal([]);
    expect(reasonsOf(ready(issues(2, 3)), policy({ minimums: { ...everyAxis(0), scope: 66.66 } }))).to.deep.equal([]);
    expect(
      named(reasonsOf(ready(issues(2, 3)), policy({ minimums: { ...everyAxis(0), scope: 66.67 } }))),
    ).to.deep.equal(['axis_below_minimum scope']);
  });

  it('axis_unmeasured says why, for every required axis, with neither actual nor required', () => {
    const reasons = reasonsOf(EMPTY);
    expect(reasons.map(({ axis, message }) => `${axis}: ${message}`)).to.deep.equal([
      'scope: Scope is not measured: the release has no issue that counts',
      'quality: Quality is not measured: the release has no issue that counts',
      'ops: Ops is not measured: no checklist item applies',
      'verification: Verification is not measured: no test run was recorded',
      'stability: Stability is not measured: no deployment has finished in the release window',
    ]);
    for (const reason of reasons)
      expect(reason).to.include({ code: 'axis_unmeasured', actual: null, required: null, waived: false });
  });

  it('axis_unmeasured tells a stale test run and too few deployments apart', () => {
    const rules = policy({ freshnessHours: 0.5, minFinishedDeployments: 50 });
    expect(reasonsOf(READY, rules).map(({ message }) => message)).to.deep.equal([
      'Verification is not measured: the test run is too old',
      'Stability is not measured: too few deployments have finished in the release window',
    ]);
  });

  it('an axis that is not required may be unmeasured', () => {
    const rules = policy({ requiredAxes: ['scope', 'stability'] });
    expect(named(reasonsOf(ready({ verification: null, ops: checklist(0, 0) }), rules))).to.deep.equal([]);
  });

  it('an axis of weight 0 enters neither minimums nor what is required', () => {
    const weights = { ...everyAxis(0), scope: 1 };
    const facts = { ...EMPTY, ...issues(10, 10, { resolved: 1, minor: 0 }), ops: checklist(0, 3) };
    expect(reasonsOf(facts, policy({ weights }))).to.deep.equal([]);
  });

  it('open_critical_bugs: none may be open by default', () => {
    expect(reasonsOf(ready(issues(10, 12, { resolved: 9, critical: 1 })))).to.deep.equal([
      {
        code: 'open_critical_bugs',
        axis: null,
        actual: 1,
        required: 0,
        message: '1 critical bug open, at most 0 allowed',
        waived: false,
      },
    ]);
    const two = ready(issues(10, 12, { resolved: 9, critical: 2 }));
    expect(reasonsOf(two, policy({ maxOpenCriticalBugs: 1 }))[0]?.message).to.equal(
      '2 critical bugs open, at most 1 allowed',
    );
    expect(reasonsOf(two, policy({ maxOpenCriticalBugs: 2 }))).to.deep.equal([]);
    expect(reasonsOf(two, policy({ maxOpenCriticalBugs: null }))).to.deep.equal([]);
  });

  it('open_critical_bugs is a condition of its own, with any weight of quality', () => {
    const rules = policy({ weights: { ...everyAxis(1), quality: 0 } });
    expect(named(reasonsOf(ready(issues(11, 12, { critical: 1 })), rules))).to.deep.equal(['open_critical_bugs']);
  });

  it('come in order: score, axes in axis order (each unmeasured or below its minimum), bugs', () => {
    const facts = {
      ...issues(1, 10, { critical: 2 }),
      ops: checklist(0, 0),
      verification: testRun(1, 10),
      stability: deployments(0, 0),
    };
    expect(named(reasonsOf(facts))).to.deep.equal([
      'score_below_threshold',
      'axis_below_minimum scope',
      'axis_below_minimum quality',
      'axis_unmeasured ops',
      'axis_below_minimum verification',
      'axis_unmeasured stability',
      'open_critical_bugs',
    ]);
  });
});

describe('what the gate demands', () => {
  it('is met exactly when the decision is go, for any release, policy and waivers', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy: rules, waivers }) => {
        const shares = measureFiveAxes(facts, rules, NOW);
        const demands = gateDemands(rules, shares, waivers, NOW);
        const met = meets(demands, shares, facts.quality.open.critical);
        const { decision } = assessRelease(facts, rules, NOW, waivers, { nextSteps: false }).gate;
        expect(met).to.equal(decision === 'go');
      }),
      { numRuns: 5_000 },
    );
  });

  it('asks nothing of an axis of weight 0', () => {
    const rules = policy({ weights: { ...everyAxis(1), ops: 0 } });
    const demands = gateDemands(rules, measureFiveAxes(EMPTY, rules, NOW), [], NOW);
    expect(demands.axes[AXIS_PLACE.ops]).to.deep.equal({ minimum: 0, mustBeMeasured: false });
    expect(demands.axes[AXIS_PLACE.scope]).to.deep.equal({ minimum: 6000, mustBeMeasured: true });
  });

  it('asks for measuring only what is unmeasured, required and not waived', () => {
    const rules = policy({ requiredAxes: ['scope', 'ops', 'verification'] });
    const waived = waiver({ code: 'axis_unmeasured', axis: 'ops', actual: null });
    const { axes } = gateDemands(rules, measureFiveAxes(EMPTY, rules, NOW), [waived], NOW);
    expect(axes.filter(({ mustBeMeasured }) => mustBeMeasured)).to.have.length(2);
    expect(axes[AXIS_PLACE.ops].mustBeMeasured).to.equal(false);
    const ready = gateDemands(rules, measureFiveAxes(READY, rules, NOW), [], NOW);
    expect(ready.axes[AXIS_PLACE.scope].mustBeMeasured).to.equal(false);
  });
});
