import { expect } from 'chai';
import { activeThen, targetRelease, testRunFaults, testRunFrom } from '../../src/report/test-run-report.js';
import { pointers, refusal } from '../refusal.js';
import { releaseOf } from '../release/release-of.js';
import { testRunReport } from './report-of.js';

const recording = { id: 'x1', projectId: 'p1', releaseId: 'r1', recordedBy: 'CI', now: 700 };

describe('A test run report', () => {
  it('becomes a record of the release found for it; ran_at defaults to recorded_at', () => {
    const { now: _, ...kept } = recording;
    const report = testRunReport();
    expect(testRunFrom(report, recording)).to.deep.equal({
      ...report,
      ...kept,
      ranAt: 700,
      recordedAt: 700,
      setAside: null,
    });
    expect(testRunFrom(testRunReport({ ranAt: 5 }), recording)).to.include({ ranAt: 5, recordedAt: 700 });
  });
  it('ran when it was recorded, at the latest: a clock that runs ahead is set back', () => {
    expect(testRunFrom(testRunReport({ ranAt: 200_000 }), recording)).to.include({ ranAt: 700, recordedAt: 700 });
  });
  it('names every fault at once', () => {
    const faults = testRunFaults(testRunReport({ total: 1, durationSeconds: -1, ranAt: 900_000 }), 700);
    expect(pointers(faults)).to.deep.equal(['/total', '/ran_at', '/duration_seconds']);
  });
});

describe('The release of a test run', () => {
  it('is the one found, while it is open', () => {
    const planned = releaseOf();
    expect(targetRelease({ releaseId: 'r1' }, planned)).to.equal(planned);
  });
  it('may be closed by now where none is named: it was active when the run ran', () => {
    const shipped = releaseOf({ state: 'shipped' });
    expect(targetRelease({ releaseId: null }, shipped)).to.equal(shipped);
    expect(activeThen({ releaseId: null, ranAt: 5 }, 6)).to.equal(5);
    for (const report of [
      { releaseId: null, ranAt: 6 },
      { releaseId: null, ranAt: null },
      { releaseId: 'r1', ranAt: 5 },
    ])
      expect(activeThen(report, 6)).to.equal(null);
  });
  it('is refused without release_id while none is active', () => {
    refusal(() => targetRelease({ releaseId: null }, null), 'no-active-release');
  });
  it('is a fault at /release_id when it is not of this project', () => {
    const { details } = refusal(() => targetRelease({ releaseId: 'r9' }, null), 'invalid');
    expect(pointers(details.faults)).to.deep.equal(['/release_id']);
  });
  for (const state of ['shipped', 'canceled'] as const)
    it(`is refused when ${state}`, () => {
      refusal(() => targetRelease({ releaseId: 'r1' }, releaseOf({ state })), 'release-closed');
    });
});
