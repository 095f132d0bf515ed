import { expect } from 'chai';
import fc from 'fast-check';
import { assessRelease, factsAfter, type WhatIfAnswer, type WhatIfChanges, whatIf } from '../../src/readiness/index.js';
import { anyCase, anyPolicy, type Case } from './arbitrary-release.js';
import { deployments, issues, NOW, policy, READY, ready, testRun } from './sample-release.js';

const answered = (one: Case, changes: WhatIfChanges): WhatIfAnswer => {
  const { answer } = whatIf({ ...one, asOf: NOW }, changes);
  if (answer === null) throw new Error('there is no answer');
  return answer;
};
const readyCase: Case = { facts: READY, policy: policy({}), waivers: [] };

describe('what if', () => {
  it('nothing changed: the very report, with the score, coverage and decision of before', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const report = assessRelease(one.facts, one.policy, NOW, one.waivers);
        const before = { score: report.score, coverage: report.coverage, decision: report.gate.decision };
        expect(answered(one, {})).to.deep.equal({ report, before });
      }),
      { numRuns: 1_000 },
    );
  });

  it('another policy: the report under that policy', () => {
    fc.assert(
      fc.property(anyCase, anyPolicy, (one, other) => {
        const stabilityBound = other.stabilityBound ?? 'rate';
        const { report } = answered(one, { policy: { ...other, stabilityBound } });
        expect(report).to.deep.equal(assessRelease(one.facts, { ...other, stabilityBound }, NOW, one.waivers));
      }),
      { numRuns: 1_000 },
    );
  });

  it('the next steps are done: go, wherever numbers can clear all reasons and no issue is awaited', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const { gate } = assessRelease(one.facts, one.policy, NOW, one.waivers);
        if (gate.nextSteps.some(({ count }) => count === null) || one.facts.issuesPending === true) return;
        if (Object.values(one.policy.weights).every((weight) => weight === 0)) return;
        const { scope, quality, ops, verification, stability } = factsAfter(one.facts, gate.nextSteps, NOW);
        const { report, before } = answered(one, { facts: { scope, quality, ops, verification, stability } });
        expect(report.gate.decision).to.equal('go');
        expect(before.decision).to.equal(gate.decision);
      }),
      { numRuns: 2_000 },
    );
  });

  it('some weights and minimums: the others stay', () => {
    const changes = {
      policy: { weights: { ops: 0 }, minimums: { stability: 99 }, stabilityBound: 'upper_bound' },
    } as const;
    const { report, before } = answered(readyCase, changes);
    expect(report.axes.map(({ weight }) => weight)).to.deep.equal([1, 1, 0, 1, 1]);
    expect(report.gate.reasons.map(({ axis, required }) => [axis, required])).to.deep.equal([['stability', 99]]);
    expect(before).to.deep.equal({ score: 100, coverage: 1, decision: 'go' });
  });

  it('two more deployments fail: how far it falls', () => {
    const { report } = answered(readyCase, { facts: { stability: deployments(20, 20) } });
    expect([report.score, report.gate.decision]).to.deep.equal([90, 'hold']);
  });

  it('waivers and moment stay: a run of that moment is fresh, a waiver covers no worse', () => {
    const stale = { ...readyCase, facts: ready({ verification: testRun(9, 10, { ranAt: 0 }) }) };
    const rules = { freshnessHours: 1 };
    expect(answered(stale, { policy: rules }).report.gate.decision).to.equal('unknown');
    const again = answered(stale, { policy: rules, facts: { verification: { passed: 10, total: 10 } } });
    expect([again.report.asOf, again.report.gate.decision]).to.deep.equal([NOW, 'go']);
  });

  it('facts do not fit or demands are out of range: every fault at its place, no answer', () => {
    const { answer, faults } = whatIf(
      { ...readyCase, asOf: NOW },
      {
        facts: {
          ...issues(3, 2),
          ops: { done: 4, total: 3 },
          verification: { passed: 1, total: 1, ranAt: Number.NaN },
        },
        policy: { threshold: 101, weights: { scope: 0.5 } },
      },
    );
    expect(answer).to.equal(null);
    expect(faults.map(({ pointer }) => pointer)).to.have.members([
      '/facts/scope/done',
      '/facts/quality',
      '/facts/ops/done',
      '/facts/verification/ran_at',
      '/policy/threshold',
      '/policy/weights/scope',
    ]);
  });
});
