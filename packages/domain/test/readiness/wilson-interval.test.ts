import { expect } from 'chai';
import fc from 'fast-check';
import { wilsonInterval } from '../../src/readiness/index.js';

describe('the 95 % Wilson interval, clamped to 0-1', () => {
  for (const [hits, trials, low, high] of [
    [0, 1, 0, 0.793450685622763],
    [1, 1, 0.206549314377237, 1],
    [0, 40, 0, 0.0876],
    [1, 10, 0.01787621, 0.40415],
    [5, 10, 0.2365931, 0.7634069],
    [2, 21, 0.02652, 0.289142],
  ] as const)
    it(`of ${hits} of ${trials} is ${low} to ${high}`, () => {
      const interval = wilsonInterval(hits, trials);
      expect(interval.low).to.be.closeTo(low, 1e-4);
      expect(interval.high).to.be.closeTo(high, 1e-4);
      expect(interval.level).to.equal(0.95);
    });

  it('holds the rate, stays within 0-1, touches the ends exactly and narrows with more trials', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 2), fc.double({ min: 0, max: 1, noNaN: true }), (fewer, rate) => {
        const trials = fewer + 1;
        const hits = Math.round(rate * trials);
        const { low, high } = wilsonInterval(hits, trials);
        expect(low).to.be.within(0, hits / trials);
        expect(high).to.be.within(hits / trials, 1);
        if (hits === 0) expect(low).to.equal(0);
        if (hits === trials) expect(high).to.equal(1);
        const wider = wilsonInterval(hits, trials);
        const narrower = wilsonInterval(hits * 2, trials * 2);
        expect(narrower.high - narrower.low).to.be.lessThan(wider.high - wider.low);
      }),
      { numRuns: 2_000 },
    );
  });
});
