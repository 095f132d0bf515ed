import { expect } from 'chai';
import fc from 'fast-check';
import {
  activeReleaseAt,
  isLater,
  type ReportedRun,
  runFaults,
  targetRelease,
  testRunFaults,
  testRunFrom,
} from '../src/test-run.js';
import { pointers, refusal } from './refusal.js';
import { releaseOf } from './release/release-of.js';
import { testRunReport } from './report/report-of.js';

const run: ReportedRun = { total: 10, passed: 8, failed: 2, ranAt: null };
const codes = (given: Partial<ReportedRun>) =>
  runFaults({ ...run, ...given }, 1_000).map((fault) => [fault.pointer, fault.code]);

describe('Test run rules', () => {
  it('let passed and failed be total or less: the rest errored', () => {
    expect(codes({})).to.deep.equal([]);
    expect(codes({ failed: 0 })).to.deep.equal([]);
    expect(codes({ failed: 3 })).to.deep.equal([['/total', 'sum-exceeds-total']]);
  });
  it('refuse a total of 0: nothing was verified', () => {
    expect(codes({ total: 0, passed: 0, failed: 0 })).to.deep.equal([['/total', 'nothing-ran']]);
    expect(codes({ total: 1, passed: 1, failed: 0 })).to.deep.equal([]);
  });
  it('let ran_at lie 5 minutes ahead and no more', () => {
    expect(codes({ ranAt: 301_000 })).to.deep.equal([]);
    expect(codes({ ranAt: 301_001 })).to.deep.equal([['/ran_at', 'in-future']]);
  });
  it('name every fault at once', () => {
    expect(codes({ total: 0, ranAt: 400_000 })).to.have.length(3);
  });
});

describe('The later of two runs', () => {
  const order = fc.record({ ranAt: fc.nat(2), recordedAt: fc.nat(2), id: fc.constantFrom('a', 'b', 'c') });
  it('is decided by ran_at, then recorded_at, then id', () => {
    const first = { ranAt: 1, recordedAt: 1, id: 'a' };
    expect(isLater({ ranAt: 2, recordedAt: 0, id: 'a' }, first)).to.equal(true);
    expect(isLater({ ranAt: 1, recordedAt: 2, id: 'a' }, first)).to.equal(true);
    expect(isLater({ ranAt: 1, recordedAt: 1, id: 'b' }, first)).to.equal(true);
  });
  it('lets a late flush of an older run not hide a newer result', () => {
    expect(isLater({ ranAt: 1, recordedAt: 9, id: 'z' }, { ranAt: 2, recordedAt: 2, id: 'a' })).to.equal(false);
  });
  it('is exactly one of them, unless they are the same', () => {
    fc.assert(
      fc.property(order, order, (a, b) => {
        const same = a.ranAt === b.ranAt && a.recordedAt === b.recordedAt && a.id === b.id;
        expect([isLater(a, b), isLater(b, a)].filter(Boolean)).to.have.length(same ? 0 : 1);
      }),
    );
  });
  it('is later than what the earlier one is later than', () => {
    fc.assert(
      fc.property(order, order, order, (a, b, c) => {
        if (isLater(a, b) && isLater(b, c)) expect(isLater(a, c)).to.equal(true);
      }),
    );
  });
});

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
    expect(activeReleaseAt({ releaseId: null, ranAt: 5 }, 6)).to.equal(5);
    for (const report of [
      { releaseId: null, ranAt: 6 },
      { releaseId: null, ranAt: null },
      { releaseId: 'r1', ranAt: 5 },
    ])
      expect(activeReleaseAt(report, 6)).to.equal(null);
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
