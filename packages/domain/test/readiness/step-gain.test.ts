import { expect } from 'chai';
import fc from 'fast-check';
import { assessRelease, factsAfter } from '../../src/readiness/index.js';
import { anyCase } from './arbitrary-release.js';
import { exactScore } from './rational-oracle.js';
import { checklist, deployments, issues, lenient, NOW, READY, ready } from './sample-release.js';

describe('the gain of a step', () => {
  it('is the change of the whole score by that step alone, exactly, rounded down to two decimals', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy, waivers }) => {
        const before = exactScore(facts, policy, NOW);
        for (const step of assessRelease(facts, policy, NOW, waivers).gate.nextSteps) {
          const after = exactScore(factsAfter(facts, [step], NOW), policy, NOW);
          if (step.gain === null || before === null || after === null) continue;
          const top = after[0] * before[1] - before[0] * after[1];
          expect(step.gain).to.equal(Number((10_000n * top) / (before[1] * after[1])) / 100);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('is null where it cannot be told: the axis is unmeasured, there is no score, or no number helps', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy, waivers }) => {
        const { score, axes, gate } = assessRelease(facts, policy, NOW, waivers);
        for (const { axis, count, gain } of gate.nextSteps) {
          const isMeasured = axes.some((reading) => reading.axis === axis && reading.state === 'measured');
          expect(gain === null).to.equal(!isMeasured || score === null || count === null);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('of an axis of weight 0 comes from the axes it moves besides', () => {
    const weights = { scope: 1, quality: 0, ops: 1, verification: 1, stability: 1 };
    const facts = ready(issues(9, 10, { critical: 1 }));
    const step = assessRelease(facts, lenient({ weights, maxOpenCriticalBugs: 0 }), NOW).gate.nextSteps[0];
    expect(step).to.include({ action: 'resolve_critical_bugs', gain: 2.5 });
  });

  it('is exact for the greatest counts and weights', () => {
    const weights = { scope: 1000, quality: 999, ops: 1000, verification: 1, stability: 998 };
    const rules = lenient({ weights, threshold: 99.5 });
    const total = 2 ** 31 - 1;
    const facts = {
      ...READY,
      ...issues(5, total, { resolved: 3, minor: 1_000_000_007 }),
      ops: checklist(7, total),
      stability: deployments(11, 1_000_003),
    };
    const before = exactScore(facts, rules, NOW) ?? [0n, 1n];
    const steps = assessRelease(facts, rules, NOW).gate.nextSteps;
    expect(steps.map(({ action }) => action)).to.include.members(['tick_checklist_items', 'deploy_successfully']);
    for (const step of steps) {
      const after = exactScore(factsAfter(facts, [step], NOW), rules, NOW) ?? [0n, 1n];
      const top = after[0] * before[1] - before[0] * after[1];
      expect(step.gain).to.equal(Number((10_000n * top) / (before[1] * after[1])) / 100);
    }
  });
});
