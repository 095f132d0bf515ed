import { expect } from 'chai';
import { EXAMPLE_POINTS } from '../../../src/screens/analysis/example.js';
import { extentOf, flowsOf, seriesOf } from '../../../src/screens/analysis/series.js';

describe('series of the analysis', () => {
  it('hold each value from the beginning of its span on', () => {
    const [first, second] = seriesOf(EXAMPLE_POINTS, ({ total }) => total);
    expect([first, second]).to.deep.equal([
      { at: Date.UTC(2026, 0, 5), value: 8 },
      { at: Date.UTC(2026, 0, 6), value: 10 },
    ]);
  });

  it('take what was canceled for gone', () => {
    const [first] = EXAMPLE_POINTS;
    if (first === undefined) throw new Error('The example is empty.');
    expect(flowsOf([{ ...first, added: 3, removed: 1, canceled: 2 }])).to.deep.include.members([
      { from: Date.UTC(2026, 0, 5), to: Date.UTC(2026, 0, 6) - 1, came: 3, went: 3 },
    ]);
  });

  it('reach from the first moment to the last', () => {
    expect(extentOf(EXAMPLE_POINTS)).to.deep.equal([Date.UTC(2026, 0, 5), Date.UTC(2026, 0, 14) - 1]);
  });
});
