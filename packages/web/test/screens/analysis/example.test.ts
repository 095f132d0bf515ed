import { expect } from 'chai';
import { EXAMPLE_POINTS, EXAMPLE_SCOPE } from '../../../src/screens/analysis/example.js';

describe('the example', () => {
  it('could be a release: levels follow from what moved', () => {
    let [total, done] = [0, 0];
    for (const point of EXAMPLE_POINTS) {
      total += point.added - point.removed - point.canceled;
      done += point.completed;
      expect(point).to.deep.include({ total, done });
      expect(point.done).to.be.at.most(point.total);
      expect(point.open_bugs).to.be.within(0, point.bugs);
    }
  });

  it('says of its scope what its points show', () => {
    const { before_start, after_start } = EXAMPLE_SCOPE;
    expect(before_start.net + (after_start?.net ?? 0)).to.equal(EXAMPLE_POINTS.at(-1)?.total);
    expect((after_start?.net ?? 0) / before_start.net).to.equal(EXAMPLE_SCOPE.change_rate);
  });

  it('is the same every time, without a gap', () => {
    EXAMPLE_POINTS.forEach(({ from }, index) => {
      const before = EXAMPLE_POINTS[index - 1];
      if (before !== undefined) expect(Date.parse(from) - Date.parse(before.at)).to.equal(1);
    });
    expect(EXAMPLE_POINTS[0]?.from).to.equal('2026-01-05T00:00:00.000Z');
  });
});
