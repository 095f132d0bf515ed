import { expect } from 'chai';
import fc from 'fast-check';
import { flooredRatio, inHundredths, missingParts, shareInHundredths } from '../../src/readiness/hundredths.js';

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
