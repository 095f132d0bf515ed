import { expect } from 'chai';
import type { Move } from '../../src/release/move.js';
import { nameRecords } from '../../src/use-cases/name-records.js';
import { waiveReason } from '../../src/use-cases/waive-reason.js';
import { deployed } from './reporting.js';
import { type ReleaseScene, releaseScene } from './scene.js';
import { DAY } from './world.js';

const move = (kind: Move['kind'], id: string, at = 0, title: string | null = null): Move => ({
  kind,
  id,
  at,
  what: ['changed'],
  axes: [],
  title,
});
const titles = async (here: ReleaseScene, moves: readonly Move[]) =>
  (await nameRecords(here.stores, here.release.id, moves)).map(({ title }) => title);

describe('Naming the records that moved a report', () => {
  it('asks once for each kind of record, however many there are, and not for kinds that are missing', async () => {
    const here = await releaseScene();
    const one = await deployed(here, { environment: 'staging' });
    const two = await deployed(here, { status: 'failure' });
    const asked: string[][] = [];
    const counting = {
      ...here.stores,
      deployments: {
        ...here.stores.deployments,
        byIds: (ids: readonly string[]) => {
          asked.push([...ids]);
          return here.stores.deployments.byIds(ids);
        },
      },
      issues: {
        ...here.stores.issues,
        byIds: () => {
          throw new Error('no issue was to be read');
        },
      },
    };
    const ids = [one, two, one].map(({ deployment }) => deployment.id);
    const moves = ids.map((id, at) => move('deployment', id, at));
    const named = await nameRecords(counting, here.release.id, moves);
    expect(named.map(({ title }) => title)).to.deep.equal([
      'staging, success',
      'production, failure',
      'staging, success',
    ]);
    expect(named.map(({ at }) => at)).to.deep.equal([0, 1, 2]);
    expect(asked).to.deep.equal([ids.slice(0, 2)]);
  });
  it('names a waiver by the reason it accepts', async () => {
    const here = await releaseScene();
    const reason = { code: 'axis_unmeasured', axis: 'scope', text: 'Docs.', expiresAt: here.time.now + DAY } as const;
    const { id } = await waiveReason(here)({ by: here.owner, ...here.at, ...reason });
    expect(await titles(here, [move('waiver', id)])).to.deep.equal(['axis_unmeasured, scope']);
  });
  it('leaves the title that was kept with a move', async () => {
    const here = await releaseScene();
    const { deployment } = await deployed(here);
    const kept = [move('policy', here.project.id, 0, 'version 5'), move('deployment', deployment.id, 0, 'kept')];
    expect(await titles(here, kept)).to.deep.equal(['version 5', 'kept']);
  });
  it('has no name for what is gone, for the release, the project and the passing of time', async () => {
    const here = await releaseScene();
    const kinds = ['deployment', 'test_run', 'issue', 'checklist_item', 'waiver', 'release', 'project'] as const;
    const gone = [...kinds, 'time_limit' as const].map((kind) => move(kind, here.newId()));
    expect(await titles(here, gone)).to.deep.equal(gone.map(() => null));
  });
});
