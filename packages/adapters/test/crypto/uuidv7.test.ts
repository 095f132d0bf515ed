import { uuidv7 } from '@shipworthy/adapters/crypto';
import { expect } from 'chai';
import fc from 'fast-check';

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('uuidv7', () => {
  it('has the layout of RFC 9562: time, version 7, variant 10', () => {
    // The moment of the example in RFC 9562, A.6: 2022-02-22 14:22:22.000 GMT-05:00.
    const newId = uuidv7(() => 0x017f22e279b0);
    for (let count = 0; count < 100; count += 1) {
      const id = newId();
      expect(id).to.match(FORM);
      expect(id.slice(0, 14)).to.equal('017f22e2-79b0-');
    }
  });

  it('takes its time from the clock of the machine by default', () => {
    const before = Date.now();
    const time = timeOf(uuidv7()());
    expect(time).to.be.within(before, Date.now());
  });

  it('goes up strictly while the clock stops, and stays near it', () => {
    const newId = uuidv7(() => 1_700_000_000_000);
    const ids = Array.from({ length: 10_000 }, newId);
    expect(ids).to.deep.equal(ids.toSorted());
    expect(new Set(ids).size).to.equal(ids.length);
    expect(timeOf(ids.at(-1) ?? '')).to.be.within(1_700_000_000_002, 1_700_000_000_010);
  });

  it('goes up strictly for any movement of the clock', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 2, maxLength: 200 }), (moves) => {
        let now = 1_700_000_000_000;
        const newId = uuidv7(() => now);
        let last = '';
        for (const move of moves) {
          now += move;
          const id = newId();
          expect(id).to.match(FORM);
          expect(id > last).to.equal(true);
          expect(timeOf(id)).to.be.at.least(now);
          last = id;
        }
      }),
      { numRuns: 100 },
    );
  });

  it('is random in every bit that is neither time, counter, version nor variant', () => {
    const newId = uuidv7(() => 1_700_000_000_000);
    let ones = 0n;
    let zeros = 0n;
    for (let count = 0; count < 200; count += 1) {
      const random = BigInt(`0x${newId().replaceAll('-', '').slice(16)}`) & (2n ** 62n - 1n);
      ones |= random;
      zeros |= ~random & (2n ** 62n - 1n);
    }
    expect(ones).to.equal(2n ** 62n - 1n);
    expect(zeros).to.equal(2n ** 62n - 1n);
  });

  it('of two makers never meet', () => {
    const makers = [uuidv7(() => 1), uuidv7(() => 1)];
    const ids = makers.flatMap((newId) => Array.from({ length: 2000 }, newId));
    expect(new Set(ids).size).to.equal(ids.length);
  });
});
