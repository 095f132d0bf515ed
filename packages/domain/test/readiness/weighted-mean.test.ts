import { expect } from 'chai';
import fc from 'fast-check';
import { AXES, inAxisOrder, type PerAxis } from '../../src/readiness/index.js';
import { type Share, share, unmeasured } from '../../src/readiness/share.js';
import { weightedHundredths } from '../../src/readiness/weighted-mean.js';

type Shares = PerAxis<Share>;

const MAX = 2 ** 31 - 1;

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
    // a/m + (m - a)/m is 1 whatever a and m are; doubles alone would now and then miss it by a hair.
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
