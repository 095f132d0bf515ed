import { sumOf } from '@shipworthy/test-reports';
import { expect } from 'chai';
import fc from 'fast-check';
import { enteredCounts, timesOf } from '../../../../src/screens/test-runs/record/entered-counts.js';

const UNREADABLE = 'Enter a whole number.';

describe('counts entered by hand', () => {
  it('take what did not pass for failed', () => {
    expect(enteredCounts(' 412 ', '410')).to.deep.equal({ counts: { total: 412, passed: 410, failed: 2 } });
  });

  it('always add up', () => {
    const count = fc.integer({ min: 0, max: 2_147_483_647 });
    fc.assert(
      fc.property(count, count, (total, passed) => {
        const { counts } = enteredCounts(String(total), String(passed));
        if (counts === null) expect(total === 0 || passed > total).to.equal(true);
        else expect(counts.passed + counts.failed).to.equal(counts.total);
      }),
    );
  });

  for (const [total, passed, wrong] of [
    ['', '', { total: UNREADABLE, passed: UNREADABLE }],
    ['1.5', '-1', { total: UNREADABLE, passed: UNREADABLE }],
    ['1e3', '0x1', { total: UNREADABLE, passed: UNREADABLE }],
    ['2147483648', '1', { total: UNREADABLE }],
    ['0', '0', { total: 'At least one test must have run.' }],
    ['4', '5', { passed: 'More than the 4 tests that ran.' }],
    ['1', '2', { passed: 'More than the 1 test that ran.' }],
  ] as const)
    it(`refuse a total of "${total}" with "${passed}" passed`, () => {
      expect(enteredCounts(total, passed)).to.deep.equal({ counts: null, wrong });
    });
});

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
