import { expect } from 'chai';
import { DomainError } from '../../src/errors.js';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import type { TestRunReport } from '../../src/test-run.js';
import { changePolicy } from '../../src/use-cases/policy.js';
import { shipRelease } from '../../src/use-cases/release.js';
import { addTestRunContribution, importTestRuns, readTestRun, recordTestRun } from '../../src/use-cases/test-run.js';
import { pointers, refused } from '../refusal.js';
import { testRunReport } from '../report/report-of.js';
import { tested } from './reporting.js';
import { type ProjectScene, planned, projectScene, type ReleaseScene, releaseScene } from './scene.js';

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
  it('is sent to the store once, unless the release that was meant without a name is closed by then', async () => {
    const here = await releaseScene();
    const closed = new DomainError('release-closed', 'The release was shipped or canceled.');
    const timesSent = async (thrown: Error, over: Partial<TestRunReport> = {}) => {
      let times = 0;
      const submit = async () => {
        times += 1;
        throw thrown;
      };
      expect(await record({ ...here, reports: { submit } }, over).catch((error: unknown) => error)).to.equal(thrown);
      return times;
    };
    expect(await timesSent(closed)).to.equal(2);
    expect(await timesSent(closed, { releaseId: here.release.id })).to.equal(1);
    expect(await timesSent(new DomainError('unavailable', 'Try again.'))).to.equal(1);
    expect(await timesSent(new TypeError('a bug'))).to.equal(1);
  });
  it('tells the log of receipts what does not count, of new records only', async () => {
    const scene = await releaseScene();
    const told: string[] = [];
    const here = { ...scene, receipts: { notCounted: (...given: readonly string[]) => told.push(given.join(' ')) } };
    const ranAt = here.time.now;
    here.time.now += 60_000;
    await record(here, { ranAt: ranAt + 1 });
    expect(told).to.deep.equal([]);
    const external = { id: 'run-1', fingerprint: 'same' };
    for (const outcome of ['created', 'duplicate'])
      expect((await record(here, { ranAt, external })).outcome).to.equal(outcome);
    expect(told).to.deep.equal(['test_run superseded_by_newer_run']);
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
    const elsewhere = await refused(
      record({ ...here, there: { ...here.there, teamId } }, {}, here.stranger),
      'not-found',
    );
    expect(elsewhere.details).to.deep.equal({ what: 'project' });
    const unknown = await refused(record({ ...here, there: { ...here.there, projectId: 'p9' } }), 'not-found');
    expect(unknown.details).to.deep.equal({ what: 'project' });
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
    await refused(read({ ...here, there: { ...here.there, projectId: 'p9' } }, testRun.id), 'not-found');
    // The stranger names a team of their own, so that only the project's team is left to keep the run from them.
    const [teamId = ''] = here.stranger.principal.roles.keys();
    const elsewhere = () => read({ ...here, there: { ...here.there, teamId } }, testRun.id, here.stranger);
    const lookups = { ...here.lookups, testRunTarget: async () => undefined };
    for (const hidden of [() => read(here, 'none'), elsewhere, () => read({ ...here, lookups }, testRun.id)])
      expect((await refused(hidden(), 'not-found')).details).to.deep.equal({ what: 'test run' });
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
  it('weighs nothing in a closed release where the run before it may have been removed for its age', async () => {
    const here = await releaseScene();
    await tested(here, { passed: 8, failed: 2 });
    here.time.now += 60_000;
    const view = await tested(here, { passed: 9 });
    const weighed = async () => (await addTestRunContribution(here, view)).attribution.releases[0];
    const removeRuns = () => here.stores.keptRecords.removeBefore(view.testRun.ranAt, null);
    const both = { scoreWith: 45, scoreWithout: 40 };
    await removeRuns();
    expect((await weighed())?.contribution).to.deep.equal(both);
    here.time.now += 60_000;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    expect((await weighed())?.contribution).to.deep.equal(both);
    await removeRuns();
    expect(await weighed()).to.include({ counts: true, reason: null, contribution: null });
  });
  it('is left out where an older run may have outlived the one that it replaced', async () => {
    const here = await releaseScene();
    await tested(here, { passed: 9 });
    const ranAt = here.time.now;
    here.time.now += 1_000;
    const view = await tested(here, { passed: 10, failed: 0 });
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    const contributionWith = async (testRuns: number | null) => {
      const since = async () => ({ deployments: null, testRuns, axisReports: null });
      const stores = { ...here.stores, keptRecords: { ...here.stores.keptRecords, since } };
      return (await addTestRunContribution({ ...here, stores }, view)).attribution.releases[0]?.contribution;
    };
    for (const all of [null, ranAt])
      expect(await contributionWith(all)).to.deep.equal({ scoreWith: 50, scoreWithout: 45 });
    expect(await contributionWith(ranAt + 1)).to.equal(null);
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
  it('under latest_run sets the run before it in its place, be it of another suite', async () => {
    const here = await releaseScene();
    await tested(here, { suite: 'unit', passed: 5, failed: 5 });
    here.time.now += 1_000;
    const view = await tested(here, { suite: 'end to end', passed: 9 });
    const [line] = (await addTestRunContribution(here, view)).attribution.releases;
    expect(line?.contribution).to.deep.equal({ scoreWith: 45, scoreWithout: 25 });
  });
  it('reads nothing where it does not count, and changes nothing once its release or project is gone', async () => {
    const here = await releaseScene();
    const view = await tested(here, { passed: 9 });
    const gone = async () => undefined;
    for (const missing of [{ releaseInputs: gone }, { testRunTarget: gone }])
      expect(await addTestRunContribution({ ...here, lookups: { ...here.lookups, ...missing } }, view)).to.equal(view);
    const past = await tested(here, { ranAt: here.time.now - 1 });
    expect(past.attribution.releases.map(({ counts }) => counts)).to.deep.equal([false]);
    const releaseInputs = () => Promise.reject(new Error('read'));
    const unread = { ...here, lookups: { ...here.lookups, releaseInputs } };
    expect(await addTestRunContribution(unread, past)).to.equal(past);
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
  it('of a project that is removed in between find no release', async () => {
    const here = await releaseScene();
    const testRuns = { ...here.stores.testRuns, targets: async () => [undefined] };
    expect(await told({ ...here, stores: { ...here.stores, testRuns } }, [{}])).to.deep.equal(['no-active-release']);
  });
  it('tells a repeat from a contradiction by external id', async () => {
    const here = await releaseScene();
    const same = { external: { id: 'e1', fingerprint: 'x' } };
    const other = { external: { id: 'e1', fingerprint: 'y' } };
    expect(await told(here, [same, same, other])).to.deep.equal(['created', 'duplicate', 'external-id-conflict']);
  });
  it('knows its runs again once their release has shipped, and refuses those that are new', async () => {
    const here = await releaseScene();
    const sent = (id: string, fingerprint: string, releaseId: string | null) => {
      return { external: { id, fingerprint }, releaseId };
    };
    const file = [sent('e1', 'x', here.release.id), sent('e2', 'x', null)];
    const first = await bring(here, file);
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    const ids = first.map((outcome) => outcome.result === 'created' && outcome.id);
    expect(await bring(here, file)).to.deep.equal(ids.map((id) => ({ result: 'duplicate', id })));
    const others = [sent('e1', 'y', here.release.id), sent('e2', 'y', null)];
    expect(await told(here, others)).to.deep.equal(['external-id-conflict', 'external-id-conflict']);
    const fresh = [sent('e3', 'x', here.release.id), sent('e4', 'x', null)];
    expect(await told(here, fresh)).to.deep.equal(['release-closed', 'no-active-release']);
    const { rows } = await here.stores.testRuns.page({ projectId: here.project.id }, { limit: 9, after: null });
    expect(rows).to.have.length(2);
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
