import { expect } from 'chai';
import { scaleLinear } from 'd3-scale';
import fc from 'fast-check';
import { countTicks, linearScale } from '../../src/charts/linear-scale.js';

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
