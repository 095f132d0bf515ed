import { expect } from 'chai';
import fc from 'fast-check';
import { inAxisOrder } from '../../src/readiness/axis.js';
import { AXES, assessRelease, type PerAxis, type ReleaseFacts } from '../../src/readiness/index.js';
import {
  flooredRatio,
  inHundredths,
  missingParts,
  type Share,
  share,
  shareInHundredths,
  smallestWhere,
  unmeasured,
  weightedHundredths,
} from '../../src/readiness/numbers.js';
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

const MAX = 2 ** 31 - 1;
const pair = fc
  .tuple(fc.integer({ min: 1, max: 2 ** 32 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([whole, rate]) => [Math.round(rate * whole), whole] as const);

describe('exact numbers', () => {
  it('an axis score is floor(10000 * k / n) / 100 on whole numbers, for counts up to 2^32', () => {
    fc.assert(
      fc.property(pair, ([part, whole]) => {
        expect(shareInHundredths(part, whole)).to.equal(Number((10_000n * BigInt(part)) / BigInt(whole)));
      }),
      { numRuns: 5_000 },
    );
  });

  for (const [part, whole, expected] of [
    [MAX - 1, MAX, 9999],
    [MAX, MAX, 10_000],
    [2 ** 32 - 1, 2 ** 32, 9999],
    [1, MAX, 0],
    [2, 3, 6666],
    [29, 100, 2900],
  ] as const)
    it(`rounds ${part} of ${whole} down to ${expected} hundredths`, () => {
      expect(shareInHundredths(part, whole)).to.equal(expected);
    });

  it('rounds next to every step down, on both sides of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 200_000 }), (step, times) => {
        expect(shareInHundredths(step * times, 10_000 * times)).to.equal(step);
        expect(shareInHundredths(step * times - 1, 10_000 * times)).to.equal(step - 1);
      }),
    );
  });

  it('every demand of two decimals becomes its whole hundredths', () => {
    for (let hundredths = 0; hundredths <= 10_000; hundredths++)
      expect(inHundredths(Number((hundredths / 100).toFixed(2)))).to.equal(hundredths);
  });

  it('a ratio of whole numbers below 2^53 is rounded down exactly', () => {
    const whole = fc.maxSafeNat();
    fc.assert(
      fc.property(whole, whole, (top, bottom) => {
        expect(flooredRatio(top, bottom + 1)).to.equal(Number(BigInt(top) / BigInt(bottom + 1)));
        const product = (BigInt(top) / BigInt(bottom + 1)) * BigInt(bottom + 1);
        expect(flooredRatio(Number(product), bottom + 1)).to.equal(Number(product / BigInt(bottom + 1)));
        if (product > 0n)
          expect(flooredRatio(Number(product - 1n), bottom + 1)).to.equal(Number((product - 1n) / BigInt(bottom + 1)));
      }),
      { numRuns: 5_000 },
    );
  });

  it('the missing parts reach the demand, and one fewer does not', () => {
    fc.assert(
      fc.property(pair, fc.nat(10_000), ([part, whole], demand) => {
        const missing = missingParts(part, whole, demand);
        expect(shareInHundredths(part + missing, whole)).to.be.at.least(demand);
        if (missing > 0) expect(shareInHundredths(part + missing - 1, whole)).to.be.lessThan(demand);
      }),
      { numRuns: 5_000 },
    );
  });
});

type Shares = PerAxis<Share>;

const shares = (of: PerAxis<readonly [number, number]>): Shares => ({
  scope: share(...of.scope),
  quality: share(...of.quality),
  ops: share(...of.ops),
  verification: share(...of.verification),
  stability: share(...of.stability),
});

const exactly = (weights: PerAxis<number>, of: Shares, over: number): number => {
  let top = 0n;
  let bottom = 1n;
  for (const axis of AXES) {
    if (of[axis].whole === 0) continue;
    top = top * BigInt(of[axis].whole) + BigInt(weights[axis]) * BigInt(of[axis].part) * bottom;
    bottom *= BigInt(of[axis].whole);
  }
  return Number((10_000n * top) / (bottom * BigInt(over)));
};

const mean = (weights: PerAxis<number>, of: Shares, over: number): number =>
  weightedHundredths(inAxisOrder(weights), inAxisOrder(of), over);

const fraction = (most: number) =>
  fc
    .tuple(fc.nat(most), fc.nat(most))
    .map(([part, rest]) => (part + rest === 0 ? ([1, 1] as const) : ([part, part + rest] as const)));
const perAxis = <Value>(value: fc.Arbitrary<Value>) =>
  fc.record({ scope: value, quality: value, ops: value, verification: value, stability: value });

describe('the weighted mean, exact in any order of operations', () => {
  const complement = (part: number, whole: number) => [part, whole] as const;

  it('thirds of huge counts that sum up to a whole step are decided by whole numbers', () => {
    const whole = 2_147_483_646;
    const third = whole / 3;
    const of = shares({
      scope: complement(2 * third, whole),
      quality: complement(whole, whole),
      ops: complement(third, whole),
      verification: complement(whole - 1, whole - 1),
      stability: complement(5, 5),
    });
    const ones = { scope: 1, quality: 1, ops: 1, verification: 1, stability: 1 };
    expect(mean(ones, of, 5)).to.equal(8_000);
    const less = { ...of, ops: share(third - 1, whole) };
    expect(mean(ones, less, 5)).to.equal(7_999);
  });

  it('no count and no weight moves it across a step: complements of five different denominators', () => {
    // a/m + (m - a)/m is 1 for all a and m; doubles alone would sometimes miss it by a little.
    const part = fc.tuple(fc.integer({ min: 2, max: MAX }), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(part, part, fc.integer({ min: 1, max: 1000 }), ([m, a], [n, b], weight) => {
        const first = Math.round(a * m);
        const second = Math.round(b * n);
        const of = {
          ...shares({
            scope: [first, m],
            quality: [m - first, m],
            ops: [second, n],
            verification: [n - second, n],
            stability: [1, 1],
          }),
          stability: unmeasured('no_finished_deployment'),
        };
        const equal = { scope: weight, quality: weight, ops: weight, verification: weight, stability: weight };
        expect(mean(equal, of, 4 * weight)).to.equal(5_000);
      }),
      { numRuns: 3_000 },
    );
  });

  for (const most of [6, 60, 3_000, 2 ** 30])
    it(`equals whole-number arithmetic for counts up to ${2 * most}`, () => {
      fc.assert(
        fc.property(
          perAxis(fraction(most)),
          perAxis(fc.oneof(fc.nat(3), fc.nat(1000))),
          fc.nat(3),
          (fractions, weights, more) => {
            const of = shares(fractions);
            const sum = AXES.reduce((total, axis) => total + weights[axis], 0);
            const over = Math.max(1, sum + more);
            expect(mean(weights, of, over)).to.equal(exactly(weights, of, over));
          },
        ),
        { numRuns: 2_000 },
      );
    });
});

describe('the least number for which something holds', () => {
  it('is found, wherever it lies, in few looks', () => {
    const number = fc.nat(2 ** 31 - 1);
    fc.assert(
      fc.property(number, number, number, (a, b, c) => {
        const [low = 0, wanted = 0, high = 0] = [a, b, c].sort((x, y) => x - y);
        let looks = 0;
        const found = smallestWhere(low, high, (value) => {
          looks++;
          expect(value).to.be.within(low, high);
          return value >= wanted;
        });
        expect(found).to.equal(wanted);
        expect(looks).to.be.at.most(32);
      }),
    );
  });
});

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
