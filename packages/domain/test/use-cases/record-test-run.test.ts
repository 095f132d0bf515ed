import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import type { TestRunReport } from '../../src/report/test-run-report.js';
import { changePolicy } from '../../src/use-cases/change-policy.js';
import { recordTestRun } from '../../src/use-cases/record-test-run.js';
import { shipRelease } from '../../src/use-cases/ship-release.js';
import { pointers, refused } from '../refusal.js';
import { testRunReport } from '../report/report-of.js';
import { tested } from './reporting.js';
import { type ProjectScene, planned, projectScene, type ReleaseScene, releaseScene } from './scene.js';

const record = (here: ProjectScene, over: Partial<TestRunReport> = {}, by = here.member) =>
  recordTestRun(here)({ principal: by.principal, ...here.there, report: testRunReport(over), remember: null });
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
      await shipRelease(here)({ by: here.member, ...here.at, note: null });
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
    await changePolicy(here)({ by: here.owner, ...here.there, policy, version: 1 });
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
    await shipRelease(here)({ by: here.member, ...here.at, note: null });
    await refused(record(here, { releaseId: here.release.id }), 'release-closed');
    const { rows } = await here.stores.testRuns.page({ projectId: here.project.id }, { limit: 9, after: null });
    expect(rows).to.deep.equal([]);
  });
  it('of a past time goes to the release that was active then, and does not count where that one has shipped', async () => {
    const here = await releaseScene();
    const ranAt = here.time.now;
    here.time.now += 60_000;
    await shipRelease(here)({ by: here.member, ...here.at, note: null });
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
        await shipRelease(here)({ by: here.member, ...here.at, note: null });
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
      shipRelease(here)({ by: here.member, ...here.at, note: null }),
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
