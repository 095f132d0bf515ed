import { expect } from 'chai';
import fc from 'fast-check';
import { barSpan, flowTicks } from '../../src/charts/flow-chart.js';

const count = fc.integer({ min: 0, max: 5_000 });

describe('bars of what came and went', () => {
  it('fit between ticks of one step that hold zero', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ came: count, went: count }), { minLength: 1 }), (flows) => {
        const ticks = flowTicks(flows.map((flow) => ({ from: 0, to: 1, ...flow })));
        expect(ticks).to.include(0);
        expect(ticks.at(-1)).to.be.at.least(Math.max(1, ...flows.map(({ came }) => came)));
        expect(ticks[0]).to.be.at.most(-Math.max(...flows.map(({ went }) => went)));
        const steps = new Set(ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0)));
        expect(steps.size).to.equal(1);
        expect(ticks.length).to.be.at.most(13);
      }),
    );
  });

  it('leave a gap, are never too thin to be seen, and never a block', () => {
    expect(barSpan(10, 30)).to.deep.equal([13, 14]);
    expect(barSpan(10, 10)).to.deep.equal([8, 4]);
    expect(barSpan(0, 400)).to.deep.equal([186, 28]);
  });
});
