import { expect } from 'chai';
import {
  type Attribution,
  arrivedAfter,
  attributedTo,
  checklistItemCountStatus,
  contribution,
  deploymentAttribution,
  deploymentView,
  issueCountStatus,
  notCountedReason,
  receiptCountStatus,
  testRunAttribution,
  testRunCountStatus,
  withContributions,
  withoutDeployment,
  withoutTestRun,
} from '../src/attribution.js';
import { CHECKLIST_STATES } from '../src/checklist.js';
import type { Deployment } from '../src/deployment.js';
import { ISSUE_STATES } from '../src/issue.js';
import { staleFrom } from '../src/readiness/axes/verification.js';
import { type TestRun, type TestRunTarget, testRunFrom } from '../src/test-run.js';
import { projectAt } from './attribution/project-at.js';
import { deploymentOf } from './deployment/deployment-of.js';
import { HOUR, inputsOf } from './release/inputs-of.js';
import { releaseOf } from './release/release-of.js';
import { testRunReport } from './report/report-of.js';

const receiptOfDeployment = (deployment: Partial<Deployment>, at = projectAt()) =>
  deploymentAttribution(deploymentOf({ status: 'success', ...deployment }), at);
const line = { id: 'r1', name: '1.0' };

describe('The receipt of a deployment', () => {
  it('names project, releases and axis', () => {
    expect(receiptOfDeployment({})).to.deep.equal({
      project: { id: 'p1', name: 'Shop' },
      releases: [{ ...line, counts: true, reason: null, contribution: null }],
      axis: 'stability',
      reason: null,
    });
  });
  it('counts a failure like a success', () => {
    expect(receiptOfDeployment({ status: 'failure' }).releases[0]?.counts).to.equal(true);
  });
  it('says no_release_window only when there is no release', () => {
    expect(receiptOfDeployment({}, projectAt({ releases: [] }))).to.include({ reason: 'no_release_window' });
  });
  it('decides membership by started_at: exactly starts_at inside, exactly the end outside', () => {
    const inside = [99, 100, 199, 200].map((startedAt) => receiptOfDeployment({ startedAt }).releases.length);
    expect(inside).to.deep.equal([0, 1, 1, 0]);
  });
  it('does not move when it finishes outside', () => {
    expect(receiptOfDeployment({ startedAt: 199, finishedAt: 900 }).releases).to.have.length(1);
  });
  it('counts in each of overlapping windows', () => {
    const windows = [
      { id: 'r1', name: '1.0', startsAt: 50, endsAt: null, shippedAt: null },
      { id: 'r2', name: '1.1', startsAt: 100, endsAt: 101, shippedAt: 101 },
    ];
    const counted = receiptOfDeployment({}, projectAt({ releases: windows })).releases.map(({ id, counts }) => [
      id,
      counts,
    ]);
    expect(counted).to.deep.equal([
      ['r1', true],
      ['r2', true],
    ]);
  });
  it('does not count one in progress', () => {
    expect(receiptOfDeployment({ status: 'started' }).releases).to.deep.equal([
      { ...line, counts: false, reason: 'still_in_progress', contribution: null },
    ]);
  });
  it('counts every environment unless the policy names some, compared exactly', () => {
    const only = projectAt({ environments: ['production'] });
    expect(receiptOfDeployment({ environment: 'staging' }).releases[0]?.counts).to.equal(true);
    expect(receiptOfDeployment({}, only).releases[0]?.counts).to.equal(true);
    expect(receiptOfDeployment({ environment: 'Production' }, only).releases).to.deep.equal([
      { ...line, counts: false, reason: 'environment_not_counted', contribution: null },
    ]);
  });
  it('does not count a return that succeeded, for any environment', () => {
    const pending = [{ ...line, counts: false, reason: 'rollback_pending_outcome', contribution: null }];
    expect(receiptOfDeployment({ isReturn: true }).releases).to.deep.equal(pending);
    expect(receiptOfDeployment({ isReturn: true }, projectAt({ environments: [] })).releases).to.deep.equal(pending);
  });
  it('counts a return that failed, and waits for one in progress, like every deployment', () => {
    expect(receiptOfDeployment({ isReturn: true, status: 'failure' }).releases[0]?.counts).to.equal(true);
    expect(receiptOfDeployment({ isReturn: true, status: 'started' }).releases[0]?.reason).to.equal(
      'still_in_progress',
    );
  });
  it('blames the environment before the progress', () => {
    const started = receiptOfDeployment({ status: 'started' }, projectAt({ environments: [] }));
    expect(started.releases[0]?.reason).to.equal('environment_not_counted');
  });
  it('does not count in a release that shipped before it was recorded, or before it finished', () => {
    const shipped = projectAt({ releases: [{ ...line, startsAt: 100, endsAt: 200, shippedAt: 200 }] });
    const frozen = [{ ...line, counts: false, reason: 'release_frozen', contribution: null }];
    expect(receiptOfDeployment({ createdAt: 200 }, shipped).releases).to.deep.equal(frozen);
    expect(receiptOfDeployment({ createdAt: 150, finishedAt: 200 }, shipped).releases).to.deep.equal(frozen);
    expect(receiptOfDeployment({ createdAt: 200, status: 'started' }, shipped).releases).to.deep.equal(frozen);
    expect(receiptOfDeployment({ createdAt: 199, finishedAt: 199 }, shipped).releases[0]?.counts).to.equal(true);
    expect(receiptOfDeployment({ createdAt: 199, status: 'started' }, shipped).releases[0]?.reason).to.equal(
      'still_in_progress',
    );
    expect(receiptOfDeployment({ createdAt: 900, finishedAt: 900 }).releases[0]?.counts).to.equal(true);
  });
  it('goes with the record in one view', () => {
    const deployment = deploymentOf();
    expect(deploymentView(deployment, projectAt())).to.deep.equal({
      deployment,
      attribution: deploymentAttribution(deployment, projectAt()),
    });
  });
});

describe('The arrival of a deployment after a shipping', () => {
  it('is moved to the shipping where it would seem to lie before it, and stays where it does not', () => {
    const deployment = deploymentOf({ createdAt: 150, finishedAt: 250 });
    expect(arrivedAfter(deployment, 'createdAt', 200)).to.deep.equal({ ...deployment, createdAt: 200 });
    expect(arrivedAfter(deployment, 'finishedAt', 200)).to.deep.equal(deployment);
    expect(arrivedAfter(deploymentOf(), 'finishedAt', 200)).to.deep.equal(deploymentOf({ finishedAt: 200 }));
  });
});

const judgedRun = { ranAt: 10, recordedAt: 10, id: 'a', setAside: null };
const later = { ranAt: 11, recordedAt: 11, id: 'b' };
const earlier = { ranAt: 9, recordedAt: 99, id: 'z' };
const target: TestRunTarget = {
  project: { id: 'p1', teamId: 't1', name: 'Shop' },
  release: releaseOf({ state: 'active' }),
  verification: 'latest_run',
  latest: null,
  latestOfSuite: null,
  otherSuiteSetAside: false,
};
const reason = (over: Partial<TestRunTarget>) =>
  testRunAttribution(judgedRun, { ...target, ...over }).releases[0]?.reason;

describe('The receipt of a test run', () => {
  it('names project, release and axis', () => {
    expect(testRunAttribution(judgedRun, target)).to.deep.equal({
      project: { id: 'p1', name: 'Shop' },
      releases: [{ id: 'r1', name: '1.0', counts: true, reason: null, contribution: null }],
      axis: 'verification',
      reason: null,
    });
  });
  it('says when there is no release for which it could count', () => {
    expect(testRunAttribution(judgedRun, { ...target, release: null })).to.deep.equal({
      project: { id: 'p1', name: 'Shop' },
      releases: [],
      axis: 'verification',
      reason: 'no_release_window',
    });
  });
  it('counts as the latest: first, itself, or after an earlier one', () => {
    expect(reason({ latest: judgedRun, latestOfSuite: judgedRun })).to.equal(null);
    expect(reason({ latest: earlier, latestOfSuite: earlier })).to.equal(null);
  });
  it('is superseded by a newer run, of any suite', () => {
    expect(reason({ latest: later })).to.equal('superseded_by_newer_run');
  });
  it('under latest_per_suite is superseded by a newer run of its own suite only', () => {
    expect(reason({ verification: 'latest_per_suite', latest: later })).to.equal(null);
    expect(reason({ verification: 'latest_per_suite', latestOfSuite: later })).to.equal('superseded_by_newer_run');
  });
  it('does not count while it is set aside', () => {
    const setAside = { reason: 'Wrong branch.', by: 'Ada', at: 12 };
    expect(testRunAttribution({ ...judgedRun, setAside }, target).releases[0]?.reason).to.equal('set_aside');
  });
  it('does not count while the latest run of another suite is set aside, unless it would not count anyway', () => {
    const beside = { otherSuiteSetAside: true };
    expect(reason(beside)).to.equal('other_suite_set_aside');
    expect(reason({ ...beside, verification: 'latest_per_suite' })).to.equal('other_suite_set_aside');
    expect(reason({ ...beside, latest: later })).to.equal('superseded_by_newer_run');
    const shipped = releaseOf({ state: 'shipped', shippedAt: 10 });
    expect(reason({ ...beside, release: shipped })).to.equal('release_frozen');
  });
  it('does not count in a release that had shipped when it was recorded', () => {
    const at = (shippedAt: number) => reason({ release: releaseOf({ state: 'shipped', shippedAt }), latest: later });
    expect([at(10), at(11)]).to.deep.equal(['release_frozen', 'superseded_by_newer_run']);
  });
});

const receiptWith = (over: Partial<Attribution>): Attribution => ({
  project: { id: 'p1', name: 'checkout' },
  releases: [],
  axis: 'stability',
  reason: null,
  ...over,
});
const release = (id: string) => ({ id, name: id });

describe('why a record counts for no release', () => {
  it('is the reason of the receipt where no release is concerned', () => {
    expect(notCountedReason(receiptWith({ reason: 'no_release_window' }))).to.equal('no_release_window');
  });

  it('is the common reason of all releases where it counts in none', () => {
    const releases = ['r1', 'r2'].map((id) => attributedTo(release(id), 'still_in_progress'));
    expect(notCountedReason(receiptWith({ releases }))).to.equal('still_in_progress');
  });

  it('is that of the release whose report is not frozen, where they differ', () => {
    const releases = [attributedTo(release('r1'), 'release_frozen'), attributedTo(release('r2'), 'still_in_progress')];
    expect(notCountedReason(receiptWith({ releases }))).to.equal('still_in_progress');
    expect(notCountedReason(receiptWith({ releases: releases.slice(0, 1) }))).to.equal('release_frozen');
  });

  it('is missing when it counts for at least one release', () => {
    const releases = [attributedTo(release('r1'), 'superseded_by_newer_run'), attributedTo(release('r2'), null)];
    expect(notCountedReason(receiptWith({ releases }))).to.equal(null);
  });
});

const receiptOfRun = (reason: 'superseded_by_newer_run' | null) => ({
  project: { id: 'p1', name: 'Shop' },
  releases: [attributedTo(line, reason)],
  axis: 'verification' as const,
  reason: null,
});
const counted = { counts: true, reason: null };
const recording = { id: 'x1', projectId: 'p1', releaseId: 'r1', recordedBy: 'CI', now: 1_000 };
const testRun = testRunFrom(testRunReport(), recording);

describe('A row under an axis', () => {
  it('of issues counts unless canceled', () => {
    for (const state of ISSUE_STATES)
      expect(issueCountStatus({ state })).to.deep.equal(
        state === 'canceled' ? { counts: false, reason: 'canceled' } : counted,
      );
  });
  it('of checklist items counts unless not applicable, and as open until an owner has confirmed that', () => {
    const mark = { reason: 'Texts only', markedBy: 'Ben', markedAt: 1, confirmedBy: 'Ada', confirmedAt: 2 };
    for (const state of CHECKLIST_STATES) {
      const item = { state, mark: state === 'not_applicable' ? mark : null };
      expect(checklistItemCountStatus(item)).to.deep.equal(
        state === 'not_applicable' ? { counts: false, reason: 'not_applicable' } : counted,
      );
    }
    for (const awaiting of [null, { ...mark, confirmedBy: null, confirmedAt: null }])
      expect(checklistItemCountStatus({ state: 'not_applicable', mark: awaiting })).to.deep.equal({
        counts: true,
        reason: 'awaiting_confirmation',
      });
  });
  it('of reports counts as its receipt says about that release', () => {
    expect(receiptCountStatus(receiptOfRun(null), 'r1')).to.deep.equal(counted);
    const superseded = { counts: false, reason: 'superseded_by_newer_run' };
    expect(receiptCountStatus(receiptOfRun('superseded_by_newer_run'), 'r1')).to.deep.equal(superseded);
    expect(receiptCountStatus(receiptOfRun(null), 'r2')).to.deep.equal({ counts: false, reason: 'no_release_window' });
  });
  it('of test runs does not count once it is older than the policy allows', () => {
    const view = { testRun, attribution: receiptOfRun(null) };
    const limit = staleFrom(testRun.ranAt, 2);
    expect(testRunCountStatus(view, { freshnessHours: 2 }, limit - 1)).to.deep.equal(counted);
    expect(testRunCountStatus(view, { freshnessHours: 2 }, limit)).to.deep.equal({
      counts: false,
      reason: 'stale_test_run',
    });
    expect(testRunCountStatus(view, { freshnessHours: null }, limit * 9)).to.deep.equal(counted);
  });
  it('names a later run as the reason before the age of the run', () => {
    const view = { testRun, attribution: receiptOfRun('superseded_by_newer_run') };
    expect(testRunCountStatus(view, { freshnessHours: 1 }, 1e12).reason).to.equal('superseded_by_newer_run');
  });
});

const inputs = inputsOf();
const { facts } = inputs;
const runWith = (over: Partial<TestRun>): TestRun => ({
  ...testRunFrom(testRunReport(), { id: 'x', projectId: 'p1', releaseId: 'r1', recordedBy: 'CI', now: 1_000 }),
  ...over,
});

describe('Facts without one record', () => {
  it('have one deployment less of its status', () => {
    expect(withoutDeployment(facts, { status: 'success' }).stability).to.deep.include({ succeeded: 8, failed: 1 });
    expect(withoutDeployment(facts, { status: 'failure' }).stability).to.deep.include({ succeeded: 9, failed: 0 });
    const worse = { ...facts, stability: { ...facts.stability, failed: 3 } };
    expect(withoutDeployment(worse, { status: 'failure' }).stability).to.deep.include({ failed: 2 });
    expect(withoutDeployment(facts, { status: 'started' }).stability).to.deep.equal(facts.stability);
  });
  it('have no run, or the one before', () => {
    const counted = runWith({ passed: 99, total: 100 });
    expect(withoutTestRun(facts, counted, null, null).verification).to.equal(null);
    const before = runWith({ passed: 3, total: 4, ranAt: 500 });
    expect(withoutTestRun(facts, counted, before, before).verification).to.include({
      passed: 3,
      total: 4,
      ranAt: 500,
      runs: 1,
    });
  });
  it('are unmeasured without a run where the one before it is set aside, and say of which suite', () => {
    const setAside = { reason: 'Wrong branch.', by: 'Ada', at: 12 };
    const before = runWith({ suite: 'unit', passed: 3, total: 4, setAside });
    expect(withoutTestRun(facts, runWith({}), before, before)).to.deep.equal({
      ...facts,
      verification: null,
      testRunSetAside: { suite: 'unit' },
    });
  });
  it('stay unmeasured without a run where none counts', () => {
    const unmeasured = { ...facts, verification: null };
    for (const before of [null, runWith({ ranAt: 500 })])
      expect(withoutTestRun(unmeasured, runWith({}), before, before)).to.deep.equal(unmeasured);
  });
  it('keep the runs of other suites', () => {
    const summed = { passed: 15, total: 20, ranAt: 400, suite: null, commitSha: null, runs: 2 };
    const without = withoutTestRun({ ...facts, verification: summed }, runWith({ passed: 9, total: 10 }), null, null);
    expect(without.verification).to.include({ passed: 6, total: 10, runs: 1 });
  });
});

describe('A contribution', () => {
  it('is the score with the record and without it', () => {
    const without = withoutDeployment(facts, { status: 'failure' });
    expect(contribution(inputs, without, 5_000)).to.deep.equal({ scoreWith: 91.13, scoreWithout: 93.13 });
  });
  it('is that at the shipping of a shipped release, however much later it is asked for', () => {
    const fresh = inputsOf({ freshnessHours: 1 });
    const shipped = { ...fresh, release: releaseOf({ state: 'shipped', startsAt: 0, shippedAt: 5_000 }) };
    const measured = { scoreWith: 91.13, scoreWithout: 91.13 };
    const at = (now: number, given = fresh) => contribution(given, given.facts, now);
    expect([at(5_000), at(9 * HOUR, shipped)]).to.deep.equal([measured, measured]);
    expect(at(9 * HOUR)).not.to.deep.equal(measured);
  });
  it('is missing where what the release is judged by is gone', () => {
    expect(withContributions(receiptOfRun(null), [undefined], (all) => all, 5_000)).to.deep.equal(receiptOfRun(null));
  });
  it('is told only for releases the record counts for', () => {
    const line = { id: 'r1', name: '1.0', counts: true, reason: null, contribution: null };
    const other = { ...line, counts: false, reason: 'still_in_progress' as const };
    const receipt = {
      project: { id: 'p1', name: 'Shop' },
      releases: [line, other],
      axis: 'stability' as const,
      reason: null,
    };
    const told = withContributions(receipt, [undefined, inputs], (all) => all, 5_000);
    expect(told.releases.map((release) => release.contribution)).to.deep.equal([
      { scoreWith: 91.13, scoreWithout: 91.13 },
      null,
    ]);
  });
});
