import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN, STARTED } from '../harness/reports.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const MINUTE = 60_000;
const wire = (at: number): string => new Date(at).toISOString();

/** What the release says of an axis, as it shipped and live. */
const factsOf = async ({ pipeline, inRelease }: Stage, axis: string) => {
  const read = async (view: 'frozen' | 'live') => {
    const { data } = (await pipeline.ok('readReadiness', { path: inRelease, query: { view } })).body;
    return data.axes.find((reading) => reading.axis === axis)?.facts;
  };
  return { frozen: await read('frozen'), live: await read('live') };
};

onEveryStore('a late report on a release that shipped', (open) => {
  const stage = useFreshStage(open);
  const notCounted = async (kind: 'deployment' | 'test_run') => {
    const { body } = await stage().pipeline.ok('listNotCounted', { path: stage().inProject, query: { kind } });
    return body.data.map((row) => ['deployment' in row ? row.deployment.id : row.test_run.id, row.reason]);
  };
  const ship = async (): Promise<void> => {
    const { browser, inRelease, service } = stage();
    service.clock.pass(MINUTE);
    await browser.ok('shipRelease', { path: inRelease });
    service.clock.pass(MINUTE);
  };

  it('of a deployment is stored, says that it does not count, and leaves the frozen report as it is', async () => {
    const { pipeline, release, service, inRelease } = stage();
    const start = service.clock.pass(MINUTE);
    const counted = (await pipeline.ok('recordDeployment', { body: FINISHED })).body.data;
    const begun = (await pipeline.ok('recordDeployment', { body: STARTED })).body.data;
    await ship();
    const late = await pipeline.ok('recordDeployment', {
      body: { ...FINISHED, status: 'failure', started_at: wire(start), finished_at: wire(start + 1) },
    });
    const lines = [{ id: release.id, name: release.name, counts: false, reason: 'release_frozen' }];
    expect(late.body.data.attribution.releases).to.deep.equal(lines);
    const deployment_id = late.body.data.id;
    const read = async (id: string) =>
      (await pipeline.ok('readDeployment', { path: { deployment_id: id } })).body.data.attribution.releases;
    expect(await read(deployment_id)).to.deep.equal(lines);
    expect((await read(begun.id))[0]).to.include({ counts: false, reason: 'still_in_progress' });
    const end = await pipeline.ok('finishDeployment', {
      path: { deployment_id: begun.id },
      body: { status: 'success' },
    });
    expect(end.body.data.attribution.releases).to.deep.equal(lines);
    expect((await read(counted.id))[0]?.counts).to.equal(true);
    const { frozen, live } = await factsOf(stage(), 'stability');
    expect(frozen).to.include({ succeeded: 1, failed: 0, in_progress: 1 });
    expect(live).to.include({ succeeded: 2, failed: 1, in_progress: 0 });
    const rows = await pipeline.ok('listAxisRows', { path: { ...inRelease, axis: 'stability' } });
    expect(rows.body.data.map(({ id, counts }) => [id, counts])).to.have.deep.members([
      [counted.id, true],
      [begun.id, false],
      [deployment_id, false],
    ]);
    expect(await notCounted('deployment')).to.have.deep.members([
      [begun.id, 'release_frozen'],
      [deployment_id, 'release_frozen'],
    ]);
  });

  it('of a test run that was kept through an outage is stored where it ran, and does not count', async () => {
    const { pipeline, browser, release, service, inProject, inRelease, world, ada, project } = stage();
    const ran_at = wire(service.clock.pass(MINUTE));
    const red = { total: 10, passed: 3, failed: 7 };
    const counted = (await pipeline.ok('recordTestRun', { path: inProject, body: RUN })).body.data;
    await ship();
    const next = await world.release(ada, project, '2.5');
    const late = (await pipeline.ok('recordTestRun', { path: inProject, body: { ...red, ran_at } })).body.data;
    const lines = [{ id: release.id, name: release.name, counts: false, reason: 'release_frozen' }];
    expect(late.attribution.releases).to.deep.equal(lines);
    expect(late.release_id).to.equal(release.id);
    const batch = await pipeline.ok('importTestRuns', {
      path: inProject,
      body: [
        { ...red, ran_at, suite: 'batch' },
        { ...red, ran_at: wire(service.clock.read() - 1), suite: 'batch' },
      ],
    });
    const ids = batch.body.data.map((outcome) => ('id' in outcome ? outcome.id : outcome.result));
    const read = async (test_run_id = '') =>
      (await pipeline.ok('readTestRun', { path: { ...inProject, test_run_id } })).body.data;
    expect((await read(late.id)).attribution.releases).to.deep.equal(lines);
    expect((await read(ids[0])).attribution.releases).to.deep.equal(lines);
    expect((await read(ids[1])).release_id).to.equal(next.id);
    const [line] = (await read(counted.id)).attribution.releases;
    expect(line).to.include({ id: release.id, counts: true });
    expect(line?.contribution).to.deep.equal({ score_with: 49.75, score_without: 0 });
    const { frozen, live } = await factsOf(stage(), 'verification');
    expect(frozen).to.include({ passed: 410, total: 412 });
    expect(live).to.include({ passed: 3, total: 10 });
    expect(await notCounted('test_run')).to.have.deep.members([
      [late.id, 'release_frozen'],
      [ids[0], 'release_frozen'],
    ]);
    const rows = await pipeline.ok('listAxisRows', { path: { ...inRelease, axis: 'verification' } });
    expect(rows.body.data.filter(({ counts }) => counts).map(({ id }) => id)).to.deep.equal([counted.id]);
    const body = { ...red, ran_at, release_id: release.id };
    await browser.refused('recordTestRun', 'release-closed', { path: inProject, body });
  });

  it('of a time at which none was active goes to the active release, and is refused without one', async () => {
    const { pipeline, service, release, inProject } = stage();
    const body = { ...RUN, ran_at: wire(service.clock.read() - 9 * MINUTE) };
    const { data } = (await pipeline.ok('recordTestRun', { path: inProject, body })).body;
    expect(data.release_id).to.equal(release.id);
    await ship();
    await pipeline.refused('recordTestRun', 'no-active-release', { path: inProject, body });
    await pipeline.refused('recordTestRun', 'no-active-release', { path: inProject, body: RUN });
  });
});
