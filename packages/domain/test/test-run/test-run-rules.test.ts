import { expect } from 'chai';
import fc from 'fast-check';
import { isLater, type ReportedRun, runFaults } from '../../src/test-run/test-run-rules.js';

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
