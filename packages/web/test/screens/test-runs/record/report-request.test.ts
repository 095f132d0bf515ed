import { sumOf } from '@shipworthy/test-reports';
import { expect } from 'chai';
import { timesOf } from '../../../../src/screens/test-runs/record/report-request.js';

describe('what a report says beside its counts', () => {
  it('is sent as the interface takes it', () => {
    const ranAt = Date.UTC(2026, 0, 5, 9, 30);
    expect(timesOf({ ...sumOf([]), skipped: 1, durationSeconds: 1.5, ranAt })).to.deep.equal({
      skipped: 1,
      duration_seconds: 1.5,
      ran_at: '2026-01-05T09:30:00.000Z',
    });
  });

  it('is left out where it says nothing', () => {
    expect(timesOf(sumOf([]))).to.deep.equal({ skipped: 0 });
  });
});
