import { expect } from 'chai';
import fc from 'fast-check';
import {
  assessRelease,
  type GateDecision,
  type Policy,
  type ReleaseFacts,
  type Waiver,
} from '../../src/readiness/index.js';
import { anyCase } from './arbitrary-release.js';
import {
  checklist,
  EMPTY,
  everyAxis,
  HOUR,
  issues,
  lenient,
  NOW,
  policy,
  READY,
  ready,
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
