import { expect } from 'chai';
import { activateRelease, parkRelease } from '../../../src/use-cases/release.js';
import { testRunOf } from '../../repository/host-records-of.js';
import { type ImportScene, importScene } from '../import-scene.js';
import { planned } from '../scene.js';
import { MINUTE } from '../world.js';

const scene = async (): Promise<ImportScene> => importScene({ milestones: 'none', deployments: false });
const kept = async ({ stores, project }: ImportScene) =>
  (await stores.testRuns.page({ projectId: project.id }, { limit: 200, after: null })).rows;
const activated = async (here: ImportScene): Promise<string> => {
  const { id: releaseId } = await planned(here, '1.0');
  await activateRelease(here, { by: here.member, ...here.there, releaseId, current: null });
  return releaseId;
};
const again = async (here: ImportScene): Promise<void> => {
  here.time.now += 5 * MINUTE;
  here.model.requests.length = 0;
  await here.settle();
};

describe('Importing test runs', () => {
  it('records them once for the active release, in the name of the host', async () => {
    const here = await scene();
    const releaseId = await activated(here);
    here.model.testRuns = [testRunOf(), testRunOf({ id: 'T2', passed: 0, failed: 0 })];
    await here.settle();
    here.model.testRuns = [...here.model.testRuns, testRunOf({ id: 'T3', ranAt: 2_000 })];
    await again(here);
    const rows = await kept(here);
    expect(rows.map(({ external }) => external?.id)).to.deep.equal(['github:checks:T3', 'github:checks:T1']);
    expect(rows[1]).to.include({
      releaseId,
      total: 10,
      passed: 8,
      failed: 2,
      skipped: 3,
      ranAt: 1_000,
      recordedBy: 'GitHub',
    });
    const everything = { revision: Number.MAX_SAFE_INTEGER, at: here.time.now };
    const moves = await here.stores.history.moves(releaseId, { revision: 0, at: 0 }, everything, {
      limit: 100,
      after: null,
    });
    const runs = moves.rows.filter(({ kind }) => kind === 'test_run');
    expect(runs.map(({ by }) => by)).to.deep.equal(Array(2).fill({ kind: 'host', name: 'GitHub' }));
    expect((await here.linked()).state.counts.testRuns).to.equal(3);
    await again(here);
    expect(here.model.requests).to.deep.equal(['issues=', 'testRuns=']);
  });
  it('imports them only once a release is active', async () => {
    const here = await scene();
    here.model.testRuns = [testRunOf()];
    await here.settle();
    expect(here.model.requests).to.deep.equal(['issues']);
    expect((await here.linked()).state.checkpoint.marks).not.to.have.property('test_runs');
    await activated(here);
    await again(here);
    expect(await kept(here)).to.have.length(1);
  });
  it('keeps nothing, and has read nothing, when the release ends in the meantime', async () => {
    const here = await scene();
    const releaseId = await activated(here);
    here.model.testRuns = [testRunOf()];

    here.model.beforeAnswer = async () => {
      if (here.model.requests.length === 1) await parkRelease(here, { by: here.member, ...here.there, releaseId });
    };
    await here.settle();
    expect(await kept(here)).to.deep.equal([]);
    expect((await here.linked()).state.checkpoint.marks).not.to.have.property('test_runs');
  });
});
