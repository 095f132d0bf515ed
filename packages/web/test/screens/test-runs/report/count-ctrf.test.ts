import { expect } from 'chai';
import { BrokenReport } from '../../../../src/screens/test-runs/report/broken-report.js';
import { countCtrf } from '../../../../src/screens/test-runs/report/count-ctrf.js';

const tests = ['passed', 'passed', 'failed', 'skipped', 'pending', 'other', 7].map((status) => ({ name: 'a', status }));

describe('counting CTRF', () => {
  it('goes by its tests', () => {
    const start = Date.UTC(2026, 10, 20, 9);
    const summary = { tests: 7, passed: 1, start, stop: start + 1500 };
    expect(countCtrf({ results: { tests, summary } })).to.deep.equal({
      total: 5,
      passed: 2,
      failed: 1,
      errored: 2,
      skipped: 2,
      doubts: ['1 test has the status "7", which is not known'],
      durationSeconds: 1.5,
      ranAt: start + 1500,
    });
  });

  it('leaves times open that no run can have', () => {
    expect(countCtrf({ results: { tests: [], summary: { start: 9e12, stop: 8e12 } } })).to.deep.include({
      total: 0,
      durationSeconds: undefined,
    });
    expect(countCtrf({ results: { tests } })).to.deep.include({ ranAt: undefined });
  });

  for (const report of [null, [], {}, { results: {} }, { results: { tests: {} } }, { stats: { passes: 1 } }])
    it(`refuses ${JSON.stringify(report)}`, () => {
      expect(() => countCtrf(report)).to.throw(BrokenReport, 'no CTRF report');
    });
});
