import { expect } from 'chai';
import { activateRelease, parkRelease, shipRelease } from '../../../src/use-cases/release.js';
import { readTestRun } from '../../../src/use-cases/test-run.js';
import { testRunOf } from '../../repository/host-records-of.js';
import { type ImportScene, importScene } from '../import-scene.js';
import { planned } from '../scene.js';
import { MINUTE } from '../world.js';

const scene = async (): Promise<ImportScene> => importScene({ milestones: 'none', deployments: false });
const kept = async ({ stores, project }: ImportScene) =>
  (await stores.testRuns.page({ projectId: project.id }, { limit: 200, after: null })).rows;
const activated = async (here: ImportScene, name = '1.0'): Promise<string> => {
  const { id: releaseId } = await planned(here, name);
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
  it('records each for the release that was active when it ran, and for the active one where none was', async () => {
    const here = await scene();
    const first = await activated(here, '1.0');
    const before = here.time.now - MINUTE;
    here.time.now += MINUTE;
    const inFirst = here.time.now;
    here.time.now += MINUTE;
    const { shippedAt } = (await shipRelease(here, { by: here.member, ...here.there, releaseId: first, note: null }))
      .release;
    here.time.now += MINUTE;
    const between = here.time.now;
    here.time.now += MINUTE;
    const second = await activated(here, '1.1');
    here.time.now += MINUTE;
    const moments = { before, inFirst, between, inSecond: here.time.now };
    here.model.testRuns = Object.entries(moments).map(([id, ranAt]) => testRunOf({ id, ranAt }));
    here.time.now += MINUTE;
    await here.settle();
    const rows = await kept(here);
    expect(Object.fromEntries(rows.map(({ external, releaseId }) => [external?.id, releaseId]))).to.deep.equal({
      'github:checks:before': second,
      'github:checks:inFirst': first,
      'github:checks:between': second,
      'github:checks:inSecond': second,
    });
    const late = rows.find(({ releaseId }) => releaseId === first);
    expect(late?.recordedAt, 'too late for the frozen report').to.be.at.least(shippedAt ?? Infinity);
    const { attribution } = await readTestRun(here, {
      principal: here.viewer.principal,
      ...here.there,
      testRunId: late?.id ?? '',
    });
    expect(attribution.releases[0]).to.include({ counts: false, reason: 'release_frozen' });
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
