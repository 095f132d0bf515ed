import { expect } from 'chai';
import fc from 'fast-check';
import { leastWhere } from '../../src/readiness/least.js';

describe('the least number for which something holds', () => {
  it('is found, wherever it lies, in few looks', () => {
    const number = fc.nat(2 ** 31 - 1);
    fc.assert(
      fc.property(number, number, number, (a, b, c) => {
        const [low = 0, wanted = 0, high = 0] = [a, b, c].sort((x, y) => x - y);
        let looks = 0;
        const found = leastWhere(low, high, (value) => {
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
