import { expect } from 'chai';
import { staleFrom } from '../../../src/readiness/axes/verification.js';
import {
  assessRelease,
  factFaults,
  factsAfter,
  type Policy,
  type ReleaseFacts,
  summedTests,
} from '../../../src/readiness/index.js';
import { changedFacts } from '../../../src/readiness/what-if.js';
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

  it('says its freshness in the minutes it is counted in, unless it is whole hours', () => {
    const age = (freshnessHours: number): string | undefined =>
      verificationOf(testRun(1, 1, { ranAt: 0 }), { freshnessHours })?.explanation.split(': ')[0];
    expect(age(1 / 60)).to.equal('The latest test run is older than 1 minute');
    expect(age(0.000001)).to.equal('The latest test run is older than 1 minute');
    expect(age(2.3)).to.equal('The latest test run is older than 138 minutes');
    expect(age(1.0001)).to.equal('The latest test run is older than 1 hour');
    expect(age(48)).to.equal('The latest test run is older than 48 hours');
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

describe('verification: a worse suite beside the run that counts', () => {
  const worseSuite = { suite: 'e2e', passed: 50, total: 100 };
  const three = testRun(3, 3, { suite: 'unit', worseSuite });
  const judged = (facts: ReleaseFacts, changes: Partial<Policy> = {}) => assessRelease(facts, policy(changes), NOW);

  it('is named in the explanation, and by a next step that names the policy, also beside a go', () => {
    const { axes, gate } = judged(ready({ verification: three }));
    expect(axes[3]).to.include({
      state: 'measured',
      score: 100,
      explanation: 'unit: 3 of 3; the latest run of e2e had 50 of 100',
    });
    expect(gate.decision).to.equal('go');
    expect(gate.nextSteps).to.deep.equal([
      {
        axis: 'verification',
        action: 'count_every_suite',
        count: null,
        gain: null,
        message:
          'Only the latest test run counts, and the latest run of e2e had 50 of 100: verification latest_per_suite in the policy counts every suite',
      },
    ]);
    const held = judged(ready({ verification: three, ops: EMPTY.ops })).gate;
    expect(held.nextSteps.map(({ action }) => action)).to.deep.equal(['add_checklist_items', 'count_every_suite']);
  });

  it('may be the runs without a suite, on either side', () => {
    const bare = testRun(3, 3, { worseSuite: { ...worseSuite, suite: null } });
    expect(verificationOf(bare)).to.include({
      explanation: 'The latest run, without a suite: 3 of 3; the latest run without a suite had 50 of 100',
    });
  });

  it('is not named where every suite counts, where it is no worse, and where the axis has no weight', () => {
    const explanation = '3 of 3 tests passed in the latest test run (unit)';
    expect(verificationOf(three, { verification: 'latest_per_suite' })).to.include({ explanation });
    const equal = { ...three, worseSuite: { suite: 'e2e', passed: 2 ** 31 - 1, total: 2 ** 31 - 1 } };
    expect(verificationOf(equal)).to.include({ explanation });
    const weights = { scope: 1, quality: 1, ops: 1, verification: 0, stability: 1 };
    expect(judged(ready({ verification: three }), { weights }).gate.nextSteps).to.deep.equal([]);
  });

  it('does not fit with more passed than ran, or with other members', () => {
    const faults = (worse: object) =>
      factFaults(ready({ verification: testRun(1, 1, { worseSuite: worse as never }) }));
    expect(faults({ ...worseSuite, passed: 101 }).map(({ pointer }) => pointer)).to.deep.equal([
      '/verification/worse_suite/passed',
    ]);
    expect(faults({ suite: 1, passed: 1, total: 1, more: 1 }).map(({ pointer }) => pointer)).to.deep.equal([
      '/verification/worse_suite/more',
      '/verification/worse_suite/suite',
    ]);
  });
});

describe('verification: a latest test run that is set aside', () => {
  const facts = ready({ verification: null, testRunSetAside: { suite: 'unit' } });
  it('leaves it unmeasured with any other runs, and asks for a newer run', () => {
    for (const verification of ['latest_run', 'latest_per_suite'] as const) {
      const { axes, gate } = assessRelease(facts, policy({ verification }), NOW);
      expect(axes[3]).to.include({
        state: 'unmeasured',
        cause: 'test_run_set_aside',
        explanation: 'An owner set the latest run of unit aside: record a newer one here or send it from CI',
      });
      expect(gate).to.include({ decision: 'unknown' });
      expect(gate.reasons[0]).to.include({
        code: 'axis_unmeasured',
        message: 'Verification is not measured: the latest test run of a suite is set aside',
      });
      expect(gate.nextSteps).to.deep.equal([
        {
          axis: 'verification',
          action: 'record_test_run',
          count: 1,
          gain: null,
          message: 'Record a test run in which every test passes for each suite whose latest one is set aside',
        },
      ]);
      expect(assessRelease(factsAfter(facts, gate.nextSteps, NOW), policy({}), NOW).gate.decision).to.equal('go');
    }
  });

  it('is over once a run is stated, and never was where it is null', () => {
    const stated = changedFacts(facts, { verification: { passed: 1, total: 1 } }, NOW);
    expect(stated).not.to.have.property('testRunSetAside');
    expect(changedFacts(facts, { ops: { done: 1, total: 1 } }, NOW).testRunSetAside).to.deep.equal({ suite: 'unit' });
    const { ops, ...rest } = facts;
    expect(changedFacts({ ...rest, ops }, { scope: rest.scope }, NOW).testRunSetAside).to.deep.equal({ suite: 'unit' });
    expect(assessRelease(ready({ testRunSetAside: null }), policy({}), NOW).gate.decision).to.equal('go');
    expect(factFaults(ready({ testRunSetAside: { suite: 3 } as never }))).to.deep.equal([
      { pointer: '/test_run_set_aside/suite', code: 'wrong_type', message: 'It must be a text or null' },
      {
        ...{ pointer: '/verification', code: 'does_not_fit' },
        message: 'It must be null while the latest test run of a suite is set aside',
      },
    ]);
  });
});

describe('test runs that are summed', () => {
  it('stay within what can be counted, with every failure', () => {
    const most = 2 ** 31 - 1;
    expect(summedTests(5, 7)).to.deep.equal({ passed: 5, total: 7 });
    expect(summedTests(most, most)).to.deep.equal({ passed: most, total: most });
    expect(summedTests(2 * most - 6, 2 * most)).to.deep.equal({ passed: most - 6, total: most });
    expect(summedTests(5, 2 * most)).to.deep.equal({ passed: 0, total: most });
  });
});
