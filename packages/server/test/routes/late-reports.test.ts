import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, STARTED } from '../harness/reports.js';
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
});
