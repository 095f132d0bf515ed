import { expect } from 'chai';
import { scaleLinear } from 'd3-scale';
import fc from 'fast-check';
import { countTicks, linearScale, timeTicks } from '../../src/charts/scales.js';

describe('the scale of a chart', () => {
  it('is the one of d3-scale', () => {
    const number = fc.integer({ min: -1_000_000, max: 1_000_000 });
    fc.assert(
      fc.property(number, number, number, number, number, (from, to, start, end, value) => {
        fc.pre(from !== to);
        const theirs = scaleLinear().domain([from, to]).range([start, end])(value);
        expect(linearScale([from, to], [start, end])(value)).to.be.closeTo(
          theirs,
          Math.max(1, Math.abs(theirs)) * 1e-9,
        );
      }),
    );
    expect(linearScale([5, 5], [0, 100])(5)).to.equal(0);
  });

  it('counts in round steps that reach the greatest value, six numbers or fewer', () => {
    expect(countTicks(0)).to.deep.equal([0, 1]);
    expect(countTicks(3)).to.deep.equal([0, 1, 2, 3]);
    expect(countTicks(12)).to.deep.equal([0, 5, 10, 15]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), (most) => {
        const ticks = countTicks(most);
        expect(ticks.at(-1)).to.be.at.least(most);
        expect(ticks.length).to.be.within(2, 6);
        expect(ticks.every(Number.isInteger)).to.equal(true);
      }),
    );
  });
});

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
