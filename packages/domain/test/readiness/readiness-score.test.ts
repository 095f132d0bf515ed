import { expect } from 'chai';
import fc from 'fast-check';
import { AXES, assessRelease, type ReleaseFacts } from '../../src/readiness/index.js';
import { anyFacts, anyPolicy } from './arbitrary-release.js';
import { exactScore, exactShare, reaches, reachesMinimum, roundedDown } from './rational-oracle.js';
import {
  checklist,
  deployments,
  EMPTY,
  everyAxis,
  issues,
  lenient,
  NOW,
  policy,
  READY,
  ready,
  standing,
  testRun,
} from './sample-release.js';

const scoreOf = (facts: ReleaseFacts, changes = {}) => assessRelease(facts, policy(changes), NOW);

describe('the readiness score', () => {
  it('is a single percentage composed of five checks, in this order', () => {
    const report = scoreOf(READY);
    expect(report.score).to.equal(100);
    expect(report.formula).to.equal('1');
    expect(report.axes.map(({ axis }) => axis)).to.deep.equal(['scope', 'quality', 'ops', 'verification', 'stability']);
  });

  it('scope 2/3, ops 1/3 and three times 100 is exactly 80 and passes 80', () => {
    const report = assessRelease(ready({ ...issues(2, 3), ops: checklist(1, 3) }), lenient(), NOW);
    expect(report.score).to.equal(80);
    expect(report.gate.decision).to.equal('go');
  });

  it('a mean a hair below 80 shows 79.99 and does not pass', () => {
    const facts = ready({ ...issues(2, 3), ops: checklist(333_333_333, 1_000_000_000) });
    const report = assessRelease(facts, lenient(), NOW);
    expect(report.score).to.equal(79.99);
    expect(report.gate.decision).to.equal('hold');
  });

  for (const [half, of, expected] of [
    [1, [13, 25], 80.4],
    [1, [43, 50], 87.2],
    [1, [47, 50], 88.8],
  ] as const)
    it(`a mean of exactly ${expected}, which doubles put a hair below, shows ${expected} and passes it`, () => {
      const facts = ready({ ...issues(half, 2), ops: checklist(of[0], of[1]) });
      const report = assessRelease(facts, lenient({ threshold: expected }), NOW);
      expect(report.score).to.equal(expected);
      expect(report.gate.decision).to.equal('go');
    });

  it('is the mean of the exact shares, not of the rounded ones', () => {
    const facts = { ...issues(2, 3), ops: checklist(2, 3), verification: testRun(2, 3), stability: deployments(2, 1) };
    const report = assessRelease(facts, lenient({ weights: { ...everyAxis(1), quality: 0 }, threshold: 0 }), NOW);
    expect(report.score).to.equal(66.66);
    const mixed = { ...facts, stability: deployments(1, 0), ops: checklist(2, 3) };
    expect(assessRelease(mixed, lenient({ weights: { ...everyAxis(1), quality: 0 } }), NOW).score).to.equal(75);
  });

  it('weights count: 3 to 1', () => {
    const weights = { ...everyAxis(0), scope: 3, ops: 1 };
    expect(scoreOf(ready({ ...issues(1, 2) }), { weights }).score).to.equal(62.5);
  });

  it('unmeasured axes are left out of the mean and lower the coverage; they are never 0 or 100', () => {
    const report = scoreOf(ready({ ...issues(1, 2), verification: null }));
    expect(report.score).to.equal(87.5);
    expect(report.coverage).to.equal(0.8);
    expect(standing(report, 'verification')).to.equal('no_test_run');
  });

  it('coverage is weight of the measured / weight of all axes, unrounded', () => {
    const weights = { scope: 1, quality: 1, ops: 1, verification: 4, stability: 0 };
    expect(scoreOf(ready({ verification: null }), { weights }).coverage).to.equal(3 / 7);
  });

  it('an axis of weight 0 is shown, but enters neither score nor coverage', () => {
    const report = scoreOf(ready({ ...issues(1, 2), verification: null }), {
      weights: { ...everyAxis(1), scope: 0, verification: 0 },
    });
    expect(report.axes[0]).to.include({ state: 'measured', score: 50, weight: 0 });
    expect(report.score).to.equal(100);
    expect(report.coverage).to.equal(1);
  });

  it('is null while the weight of the measured axes is 0; the coverage then is 0', () => {
    expect(scoreOf(EMPTY)).to.include({ score: null, coverage: 0 });
    expect(scoreOf(READY, { weights: everyAxis(0) })).to.include({ score: null, coverage: 0 });
  });

  it('equals an independent rational oracle, and so do its axes, for any facts and weights', () => {
    fc.assert(
      fc.property(anyFacts, anyPolicy, (facts, rules) => {
        const report = assessRelease(facts, rules, NOW);
        const exact = exactScore(facts, rules, NOW);
        expect(report.score).to.equal(exact === null ? null : roundedDown(exact));
        for (const axis of AXES) {
          const share = exactShare(facts, rules, NOW, axis);
          const shown = standing(report, axis);
          if (share === null) expect(shown).to.be.a('string');
          else expect(shown).to.equal(roundedDown(share));
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('is compared with the threshold, and axes with their minimums, as the oracle does', () => {
    fc.assert(
      fc.property(anyFacts, anyPolicy, (facts, rules) => {
        const { gate } = assessRelease(facts, rules, NOW);
        const exact = exactScore(facts, rules, NOW);
        const low = gate.reasons.some(({ code }) => code === 'score_below_threshold');
        expect(low).to.equal(exact !== null && !reaches(exact, rules.threshold));
        for (const axis of AXES) {
          const share = exactShare(facts, rules, NOW, axis);
          const fails = share !== null && rules.weights[axis] > 0 && !reachesMinimum(facts, rules, axis, share);
          const reason = gate.reasons.some((one) => one.code === 'axis_below_minimum' && one.axis === axis);
          expect(reason).to.equal(fails);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('stays within 0-100 and the coverage within 0-1', () => {
    fc.assert(
      fc.property(anyFacts, anyPolicy, (facts, rules) => {
        const { score, coverage } = assessRelease(facts, rules, NOW, [], { nextSteps: false });
        expect(coverage).to.be.within(0, 1);
        if (score === null) expect(coverage).to.equal(0);
        else expect(score).to.be.within(0, 100);
      }),
    );
  });
});
