import { expect } from 'chai';
import fc from 'fast-check';
import { timeTicks } from '../../src/charts/time-ticks.js';

const DAY = 86_400_000;

describe('moments on a time axis', () => {
  it('are few, in order and within the span, however long it is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) }),
        fc.integer({ min: 1000, max: 4000 * DAY }),
        fc.integer({ min: 1, max: 12 }),
        (from, length, most) => {
          const ticks = timeTicks(from, from + length, most);
          expect(ticks.length).to.be.at.most(most + 1);
          expect(ticks.every(({ at }) => at >= from && at <= from + length)).to.equal(true);
          expect(ticks.map(({ at }) => at)).to.deep.equal(ticks.map(({ at }) => at).toSorted((a, b) => a - b));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('are full hours within a day, written by the clock, midnight by its date', () => {
    const from = new Date(2026, 10, 20, 17, 40).getTime();
    const texts = timeTicks(from, from + DAY, 5).map(({ text }) => text);
    expect(texts).to.deep.equal(['18:00', 'Nov 21', '06:00', '12:00']);
  });

  it('are midnights over weeks', () => {
    const from = new Date(2026, 2, 20, 9).getTime();
    for (const { at } of timeTicks(from, from + 30 * DAY, 20)) expect(new Date(at).getHours()).to.equal(0);
  });
});
