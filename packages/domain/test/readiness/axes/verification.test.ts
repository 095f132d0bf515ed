import { expect } from 'chai';
import { assessRelease, type Policy, type ReleaseFacts, staleFrom } from '../../../src/readiness/index.js';
import { EMPTY, HOUR, NOW, policy, ready, testRun } from '../sample-release.js';

const verificationOf = (verification: ReleaseFacts['verification'], changes: Partial<Policy> = {}, asOf = NOW) =>
  assessRelease(ready({ verification }), policy(changes), asOf).axes[3];

const MINUTE = 60_000;

describe('verification: the pass rate of the latest recorded test run', () => {
  for (const [passed, total, expected] of [
    [0, 3, 0],
    [2, 3, 66.66],
    [411, 412, 99.75],
    [412, 412, 100],
  ] as const)
    it(`scores ${passed} of ${total} passed as ${expected}`, () => {
      expect(verificationOf(testRun(passed, total))).to.include({ state: 'measured', score: expected });
    });

  it('is unmeasured with cause no_test_run without a run', () => {
    expect(verificationOf(EMPTY.verification)).to.include({
      state: 'unmeasured',
      cause: 'no_test_run',
      facts: null,
      explanation: 'No test run was recorded: record one here or send it from CI',
    });
  });

  it('a run of no tests verified nothing', () => {
    expect(verificationOf(testRun(0, 0), { freshnessHours: 1 })).to.include({
      cause: 'no_test_run',
      explanation: 'No test run was recorded: record one here or send it from CI',
    });
  });

  it('is stale when older than the freshness, and exactly that old is still fresh', () => {
    const run = testRun(9, 10, { ranAt: NOW - 24 * HOUR });
    expect(verificationOf(run, { freshnessHours: 24 })).to.include({ state: 'measured', score: 90 });
    expect(verificationOf(run, { freshnessHours: 24 }, NOW + 1)).to.deep.include({
      state: 'unmeasured',
      cause: 'stale_test_run',
      facts: run,
      explanation: 'The latest test run is older than 24 hours: record a new one here or send it from CI',
    });
  });

  it('is fresh for ever without a freshness in the policy', () => {
    expect(verificationOf(testRun(9, 10, { ranAt: 0 }))).to.include({ state: 'measured' });
  });

  it('takes a run from a clock that leads as fresh', () => {
    const run = testRun(9, 10, { ranAt: NOW + 5 * 60_000 });
    expect(verificationOf(run, { freshnessHours: 1 })).to.include({ state: 'measured' });
  });

  it('counts its freshness in whole minutes, one at least', () => {
    expect(staleFrom(0, 1 / 3)).to.equal(20 * MINUTE + 1);
    expect(staleFrom(0, 2.3)).to.equal(138 * MINUTE + 1);
    expect(staleFrom(0, 1.23456789)).to.equal(74 * MINUTE + 1);
    expect(staleFrom(0, 0.000001)).to.equal(MINUTE + 1);
    expect(staleFrom(NOW, 24)).to.equal(NOW + 24 * HOUR + 1);
  });

  it('explains which run counts', () => {
    const explained = (run: ReleaseFacts['verification'], changes: Partial<Policy> = {}) =>
      verificationOf(run, changes)?.explanation;
    expect(explained(testRun(411, 412))).to.equal('411 of 412 tests passed in the latest test run');
    expect(explained(testRun(1, 1))).to.equal('1 of 1 test passed in the latest test run');
    expect(explained(testRun(4, 5, { suite: 'unit' }))).to.equal('4 of 5 tests passed in the latest test run (unit)');
    expect(explained(testRun(4, 5, { runs: 3 }))).to.equal('4 of 5 tests passed in the latest runs of 3 suites');
    expect(explained(testRun(4, 5, { runs: 3, ranAt: NOW - 2 * HOUR }), { freshnessHours: 1 })).to.equal(
      "The oldest of the 3 suites' latest test runs is older than 1 hour: record a new one here or send it from CI",
    );
  });
});
