import { expect } from 'chai';
import { countsOf, sumOf } from '../../../../src/screens/test-runs/report/report-counts.js';

describe('counts of reports', () => {
  it('leave skipped tests out of the total', () => {
    expect(countsOf(['passed', 'failed', 'errored', 'skipped'])).to.deep.include({ total: 3, skipped: 1 });
  });

  it('add up, with the length of all and the last end', () => {
    const one = countsOf(['passed', 'failed'], { durationSeconds: 2, ranAt: 5 }, { errors: 0, doubts: ['one'] });
    const other = countsOf(['skipped'], { ranAt: 9 }, { errors: 1, doubts: ['two'] });
    expect(sumOf([one, other])).to.deep.equal({
      total: 3,
      passed: 1,
      failed: 1,
      errored: 1,
      skipped: 1,
      doubts: ['one', 'two'],
      durationSeconds: 2,
      ranAt: 9,
    });
  });
});
