import { expect } from 'chai';
import fc from 'fast-check';
import { measuredAxes, shownScore } from '../../src/verdict/shown-score.js';

describe('shownScore', () => {
  it('never rounds up', () => {
    expect([79.96, 80, 99.99, 0, 0.09, 100, 64.29, 8.2, 1.1].map(shownScore)).to.deep.equal([
      '79.9',
      '80.0',
      '99.9',
      '0.0',
      '0.0',
      '100.0',
      '64.2',
      '8.2',
      '1.1',
    ]);
  });

  it('is the greatest number of one decimal that is not above, for every score there is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (hundredths) => {
        expect(shownScore(hundredths / 100)).to.equal(
          `${Math.floor(hundredths / 100)}.${Math.floor(hundredths / 10) % 10}`,
        );
      }),
    );
  });
});

describe('measuredAxes', () => {
  it('leaves axes of no weight out', () => {
    expect(
      measuredAxes([
        { state: 'measured', weight: 1 },
        { state: 'unmeasured', weight: 2 },
        { state: 'measured', weight: 0 },
      ]),
    ).to.deep.equal({ measured: 1, of: 2 });
  });
});
