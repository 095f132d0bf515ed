import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import type { TestRunReport } from '../../src/test-run.js';
import { changePolicy } from '../../src/use-cases/policy.js';
import { readReadiness } from '../../src/use-cases/readiness.js';
import { shipRelease } from '../../src/use-cases/release.js';
import {
  addTestRunContribution,
  importTestRuns,
  readTestRun,
  recordTestRun,
  restoreTestRun,
  setTestRunAside,
} from '../../src/use-cases/test-run.js';
import { pointers, refused } from '../refusal.js';
import { testRunReport } from '../report/report-of.js';
import { tested } from './reporting.js';
import { type ProjectScene, planned, projectScene, type ReleaseScene, releaseScene } from './scene.js';
import { lastDeed, needing } from './world.js';

const record = (here: ProjectScene, over: Partial<TestRunReport> = {}, by = here.member) =>
  recordTestRun(here, {
    principal: by.principal,
    needs: 'member',
    ...here.there,
    report: testRunReport(over),
    remember: null,
  });
const verification = async (here: ReleaseScene) =>
  (await here.stores.facts.factsFor([here.release.id]))[0]?.facts.verification;

describe('Recording a test run', () => {
  it('without release_id goes to the active release and feeds Verification', async () => {
    const here = await releaseScene();
    const { testRun, attribution } = await tested(here, { total: 40, passed: 38, failed: 2 });
    expect(testRun).to.include({ releaseId: here.release.id, recordedBy: 'Ben', recordedAt: here.time.now });
    expect(attribution.releases.map(({ id, counts }) => [id, counts])).to.deep.equal([[here.release.id, true]]);
    expect(await verification(here)).to.include({ passed: 38, total: 40 });
  });
  it('does not count where the release that was active at its time ships while the run is on its way', async () => {
    const here = await releaseScene();
    const ranAt = here.time.now;
    const testRunTarget: typeof here.lookups.testRunTarget = async (lookup) => {
      here.time.now += 5;
      await shipRelease(here, { by: here.member, ...here.at, note: null });
      return here.lookups.testRunTarget(lookup);
    };
    here.time.now += 60_000;
    const done = await record({ ...here, lookups: { ...here.lookups, testRunTarget } }, { ranAt });
    const counted = 'view' in done && done.view.attribution.releases.map(({ counts, reason }) => [counts, reason]);
    expect(counted).to.deep.equal([[false, 'release_frozen']]);
  });
  it('of a project that is removed in between is refused as of one that was never there', async () => {
    const here = await releaseScene();
    const reports = { submit: async () => ({ result: 'not_found' }) as const };
    await refused(record({ ...here, reports }), 'not-found');
    expect(await verification(here)).to.equal(null);
  });
  it('with release_id goes there, active or not', async () => {
    const here = await releaseScene();
    const { id } = await planned(here, '2.0');
    expect((await tested(here, { releaseId: id })).testRun.releaseId).to.equal(id);
    expect(await verification(here)).to.equal(null);
  });
  it('Verification equals the pass rate of the latest one by ran_at: a late flush hides nothing', async () => {
    const here = await releaseScene();
    const ranAt = here.time.now;
    await tested(here, { passed: 10, failed: 0, ranAt });
    here.time.now += 60_000;
    const { attribution } = await tested(here, { passed: 1, failed: 9, ranAt: ranAt - 1 });
    expect(attribution.releases[0]).to.include({ counts: false, reason: 'superseded_by_newer_run' });
    expect(await verification(here)).to.include({ passed: 10 });
  });
  it('under latest_per_suite counts beside the latest of other suites', async () => {
    const here = await releaseScene();
    const policy = { ...DEFAULT_POLICY, verification: 'latest_per_suite' } as const;
    await changePolicy(here, { by: here.owner, ...here.there, policy, version: 1 });
    await tested(here, { suite: 'unit', ranAt: here.time.now });
    const { attribution } = await tested(here, { suite: 'end to end', ranAt: here.time.now - 5 });
    expect(attribution.releases[0]?.counts).to.equal(true);
    expect(await verification(here)).to.include({ passed: 18, total: 20, runs: 2 });
  });
  it('is refused while no release is active', async () => {
    const here = await projectScene();
    await refused(record(here), 'no-active-release');
  });
  it('is a fault at /release_id for a release of another project', async () => {
    const here = await releaseScene();
    const error = await refused(record(here, { releaseId: 'r9' }), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/release_id']);
  });
  it('is refused for a closed release, and nothing is stored', async () => {
    const here = await releaseScene();
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    await refused(record(here, { releaseId: here.release.id }), 'release-closed');
    const { rows } = await here.stores.testRuns.page({ projectId: here.project.id }, { limit: 9, after: null });
    expect(rows).to.deep.equal([]);
  });
  it('of a past time goes to the release that was active then, and does not count where that one has shipped', async () => {
    const here = await releaseScene();
    const ranAt = here.time.now;
    here.time.now += 60_000;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    const { testRun, attribution } = await tested(here, { ranAt, passed: 1, failed: 9 });
    expect(testRun.releaseId).to.equal(here.release.id);
    expect(attribution.releases[0]).to.include({ counts: false, reason: 'release_frozen' });
    await refused(record(here, { ranAt: here.time.now }), 'no-active-release');
  });
  it('whose active release is closed in between goes where it belongs by then', async () => {
    const here = await releaseScene();
    const ranAt = here.time.now;
    here.time.now += 60_000;
    let ships = true;
    const submit: typeof here.reports.submit = async (entry) => {
      if (ships) {
        ships = false;
        await shipRelease(here, { by: here.member, ...here.at, note: null });
      }
      return here.reports.submit(entry);
    };
    const done = await record({ ...here, reports: { submit } }, { ranAt });
    expect(done.outcome === 'created' && done.view.attribution.releases[0]?.reason).to.equal('release_frozen');
  });
  it('while the release ships is stored before it or refused', async () => {
    const here = await releaseScene();
    const runs = Array.from({ length: 10 }, () => record(here));
    const [{ frozen }, ...ends] = await Promise.all([
      shipRelease(here, { by: here.member, ...here.at, note: null }),
      ...runs.map((run) =>
        run.then(
          () => 'created',
          (error) => error.code,
        ),
      ),
    ]);
    const { rows } = await here.stores.testRuns.page({ projectId: here.project.id }, { limit: 99, after: null });
    expect(rows).to.have.length(ends.filter((end) => end === 'created').length);
    expect(frozen.facts.verification === null).to.equal(rows.length === 0);
  });
  it('names every fault at once', async () => {
    const here = await releaseScene();
    const error = await refused(record(here, { total: 0, durationSeconds: -1 }), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/total', '/total', '/duration_seconds']);
  });
  it('is for members of the project’s team', async () => {
    const here = await releaseScene();
    await refused(record(here, {}, here.viewer), 'forbidden');
    await refused(record(here, {}, here.stranger), 'not-found');
    const [teamId = ''] = here.stranger.principal.roles.keys();
    await refused(record({ ...here, there: { ...here.there, teamId } }, {}, here.stranger), 'not-found');
  });
});

const read = (here: ReleaseScene, testRunId: string, by = here.viewer) =>
  readTestRun(here, { principal: by.principal, ...here.there, testRunId });
const line = async (...given: Parameters<typeof read>) => (await read(...given)).attribution.releases[0];

describe('Reading a test run', () => {
  it('answers the record with its receipt and what it does to the score', async () => {
    const here = await releaseScene();
    const { testRun } = await tested(here, { passed: 9, total: 10 });
    expect((await read(here, testRun.id)).testRun).to.deep.equal(testRun);
    // Ops 0 and verification 90; without it only ops.
    expect((await line(here, testRun.id))?.contribution).to.deep.equal({ scoreWith: 45, scoreWithout: 0 });
  });
  it('has the run before it take its place in the score without it', async () => {
    const here = await releaseScene();
    const { testRun: first } = await tested(here, { passed: 5, failed: 5 });
    here.time.now += 1_000;
    const { testRun } = await tested(here, { passed: 9 });
    expect((await line(here, testRun.id))?.contribution).to.deep.equal({ scoreWith: 45, scoreWithout: 25 });
    expect(await line(here, first.id)).to.include({
      counts: false,
      reason: 'superseded_by_newer_run',
      contribution: null,
    });
  });
  it('under latest_per_suite leaves the other suites', async () => {
    const here = await releaseScene();
    const policy = { ...DEFAULT_POLICY, verification: 'latest_per_suite' } as const;
    await changePolicy(here, { by: here.owner, ...here.there, policy, version: 1 });
    await tested(here, { suite: 'unit', passed: 10, failed: 0 });
    const { testRun } = await tested(here, { suite: null, passed: 0, failed: 10 });
    expect((await line(here, testRun.id))?.contribution).to.deep.equal({ scoreWith: 25, scoreWithout: 50 });
  });
  it('finds nothing out of sight or under another project', async () => {
    const here = await releaseScene();
    const { testRun } = await tested(here);
    await refused(read(here, testRun.id, here.stranger), 'not-found');
    await refused(read(here, 'none'), 'not-found');
    await refused(read({ ...here, there: { ...here.there, projectId: 'p9' } }, testRun.id), 'not-found');
  });
});

describe('Weighing a test run', () => {
  it('sets the run before it in its place', async () => {
    const here = await releaseScene();
    await tested(here, { passed: 5, failed: 5 });
    here.time.now += 1_000;
    const view = await tested(here, { passed: 9 });
    const [line] = (await addTestRunContribution(here, view)).attribution.releases;
    expect(line?.contribution).to.deep.equal({ scoreWith: 45, scoreWithout: 25 });
  });
  it('under latest_per_suite sets that of its suite there, and leaves the other suites', async () => {
    const here = await releaseScene();
    const policy = { ...DEFAULT_POLICY, verification: 'latest_per_suite' } as const;
    await changePolicy(here, { by: here.owner, ...here.there, policy, version: 1 });
    await tested(here, { suite: 'unit', passed: 0, failed: 10 });
    here.time.now += 1_000;
    await tested(here, { suite: null, passed: 10, failed: 0 });
    here.time.now += 1_000;
    const view = await tested(here, { suite: 'unit', passed: 10, failed: 0 });
    const [line] = (await addTestRunContribution(here, view)).attribution.releases;
    expect(line?.contribution).to.deep.equal({ scoreWith: 50, scoreWithout: 25 });
  });
  it('weighs nothing once a later run has taken its place, be it while it is weighed', async () => {
    const here = await releaseScene();
    const view = await tested(here, { passed: 9 });
    const releaseInputs: typeof here.lookups.releaseInputs = async (id) => {
      const found = await here.lookups.releaseInputs(id);
      here.time.now += 1_000;
      await tested(here, { passed: 1, failed: 9 });
      return found;
    };
    const [line] = (await addTestRunContribution({ ...here, lookups: { ...here.lookups, releaseInputs } }, view))
      .attribution.releases;
    expect(line).to.include({ counts: false, reason: 'superseded_by_newer_run', contribution: null });
  });
});

const bring = (here: ReleaseScene, records: readonly Partial<TestRunReport>[], by = here.member) =>
  importTestRuns(here, {
    principal: by.principal,
    needs: 'member',
    ...here.there,
    records: records.map(testRunReport),
  });
const told = async (...given: Parameters<typeof bring>) =>
  (await bring(...given)).map((outcome) => (outcome.result === 'refused' ? outcome.refusal.code : outcome.result));

describe('Importing test runs', () => {
  it('stores the good ones although others are refused, outcomes in input order', async () => {
    const here = await releaseScene();
    const { id: releaseId } = await planned(here, '2.0');
    const records = [{ ranAt: 5 }, { total: 0 }, { releaseId }, { releaseId: 'r9' }];
    expect(await told(here, records)).to.deep.equal(['created', 'invalid', 'created', 'invalid']);
    const { rows } = await here.stores.testRuns.page({ projectId: here.project.id }, { limit: 9, after: null });
    expect(rows.map((row) => row.releaseId).sort()).to.deep.equal([here.release.id, releaseId].sort());
  });
  it('that ran in a release which ships while they are on their way do not count there', async () => {
    const here = await releaseScene();
    const ranAt = here.time.now;
    here.time.now += 60_000;
    let shippedAt: number | null = null;
    const targets: typeof here.stores.testRuns.targets = async (lookups) => {
      here.time.now += 5;
      shippedAt ??= (await shipRelease(here, { by: here.member, ...here.at, note: null })).release.shippedAt;
      return here.stores.testRuns.targets(lookups);
    };
    const testRuns = { ...here.stores.testRuns, targets };
    expect(await told({ ...here, stores: { ...here.stores, testRuns } }, [{ ranAt }])).to.deep.equal(['created']);
    const { rows } = await here.stores.testRuns.page({ projectId: here.project.id }, { limit: 9, after: null });
    expect(rows.map(({ recordedAt }) => recordedAt)).to.deep.equal([shippedAt]);
    const [testRunId = ''] = rows.map(({ id }) => id);
    const { attribution } = await readTestRun(here, { principal: here.viewer.principal, ...here.there, testRunId });
    expect(attribution.releases[0]).to.include({ counts: false, reason: 'release_frozen' });
  });
  it('leaves the names of what is imported from a repository host to the import', async () => {
    const here = await releaseScene();
    const external = { id: 'github:workflows:4711', fingerprint: 'x' };
    const { details } = await refused(tested(here, { external }), 'invalid');
    expect(pointers(details.faults)).to.deep.equal(['/external_id']);
    expect(await told(here, [{ external }])).to.deep.equal(['invalid']);
  });
  it('tells a repeat from a contradiction by external id', async () => {
    const here = await releaseScene();
    const same = { external: { id: 'e1', fingerprint: 'x' } };
    const other = { external: { id: 'e1', fingerprint: 'y' } };
    expect(await told(here, [same, same, other])).to.deep.equal(['created', 'duplicate', 'external-id-conflict']);
  });
  it('refuses runs of a closed release', async () => {
    const here = await releaseScene();
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    expect(await told(here, [{ releaseId: here.release.id }, {}])).to.deep.equal([
      'release-closed',
      'no-active-release',
    ]);
  });
  it('is for members', async () => {
    const here = await releaseScene();
    await refused(bring(here, [{}], here.viewer), 'forbidden');
    await refused(bring(here, [{}], here.stranger), 'not-found');
  });
});

const withRun = async () => {
  const here = await releaseScene();
  const { testRun } = await tested(here, { suite: 'unit', passed: 10, failed: 0 });
  const at = { ...here.there, testRunId: testRun.id };
  const causes = async () => {
    const { report } = await readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null });
    return report.gate.reasons.filter(({ axis }) => axis === 'verification').map(({ message }) => message);
  };
  const setAside = (by = here.owner, over: object = {}) =>
    setTestRunAside(here, { by, ...at, reason: 'It ran on the wrong branch.', ...over });
  return { ...here, testRun, inRun: at, causes, setAside };
};
const UNMEASURED = ['Verification is not measured: the latest test run of a suite is set aside'];

describe('Setting a test run aside', () => {
  it('keeps it with person, moment and reason, and leaves verification unmeasured until its suite has a newer run', async () => {
    const here = await withRun();
    expect(await here.causes()).to.deep.equal([]);
    here.time.now += 5;
    const mark = { reason: 'It ran on the wrong branch.', by: 'Ada', at: here.time.now };
    expect(await here.setAside()).to.deep.equal({ ...here.testRun, setAside: mark });
    const read = { principal: here.viewer.principal, ...here.inRun };
    const { testRun, attribution } = await readTestRun(here, read);
    expect(testRun.setAside).to.deep.equal(mark);
    expect(attribution.releases[0]).to.include({ counts: false, reason: 'set_aside' });
    expect(await here.causes()).to.deep.equal(UNMEASURED);
    expect((await lastDeed(here, here.teamId))?.detail).to.deep.include({ suite: 'unit', reason: mark.reason });
    here.time.now += 5;
    await tested(here, { suite: 'e2e', passed: 10, failed: 0 });
    expect(await here.causes()).to.deep.equal(UNMEASURED);
    here.time.now += 5;
    await tested(here, { suite: 'unit', passed: 10, failed: 0 });
    expect(await here.causes()).to.deep.equal([]);
  });
  it('is taken back, with the person in the audit log', async () => {
    const here = await withRun();
    await here.setAside();
    expect(await restoreTestRun(here, { by: here.owner, ...here.inRun })).to.deep.equal(here.testRun);
    expect(await here.causes()).to.deep.equal([]);
    const deed = await lastDeed(here, here.teamId);
    expect(deed?.action).to.equal('test_run.restore');
    expect(deed?.detail).to.deep.include({ reason: 'It ran on the wrong branch.' });
  });
  it('is for owners, once, while the release is open', async () => {
    const here = await withRun();
    await refused(here.setAside(needing('owner', here.member)), 'forbidden');
    await refused(here.setAside(here.stranger), 'not-found');
    await refused(here.setAside(here.owner, { testRunId: 'none' }), 'not-found');
    await refused(restoreTestRun(here, { by: here.owner, ...here.inRun }), 'test-run-state');
    await here.setAside();
    await refused(here.setAside(), 'test-run-state');
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    await refused(restoreTestRun(here, { by: here.owner, ...here.inRun }), 'release-closed');
  });
  it('needs a reason that explains something, in any script', async () => {
    const here = await withRun();
    const { details } = await refused(here.setAside(here.owner, { reason: ' ... ' }), 'invalid');
    const message = 'Say why the test run is wrong';
    expect(details.faults).to.deep.equal([{ pointer: '/reason', code: 'required', message }]);
    expect((await here.setAside(here.owner, { reason: '誤' })).setAside?.reason).to.equal('誤');
  });
  it('of the run before the one that counts shows in what that one contributes', async () => {
    const here = await withRun();
    here.time.now += 5;
    const { testRun } = await tested(here, { suite: 'unit', passed: 9, failed: 1 });
    await here.setAside();
    const { attribution } = await readTestRun(here, {
      principal: here.viewer.principal,
      ...here.there,
      testRunId: testRun.id,
    });
    expect(attribution.releases[0]?.contribution).to.not.equal(null);
  });
});
