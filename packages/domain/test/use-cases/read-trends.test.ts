import { expect } from 'chai';
import { type KnownTrend, readTrends } from '../../src/use-cases/read-trends.js';
import { recordHistory } from '../../src/use-cases/record-history.js';
import { counted } from './counted.js';
import { tested } from './reporting.js';
import { releaseScene } from './scene.js';

describe('Reading the trends of releases', () => {
  it('reads points only of releases whose trend has grown', async () => {
    const here = await releaseScene();
    const { stores, calls } = counted(here.stores);
    const kept = new Map<string, KnownTrend>();
    const id = here.release.id;
    const read = async () => (await readTrends({ stores }, kept, 20)([id])).get(id);
    expect(await read()).to.equal(undefined);
    expect(calls.splice(0)).to.deep.equal(['history.newest']);
    await recordHistory(here)({ limit: 10, leaseMs: 1_000 });
    const first = await read();
    expect(first).to.have.length(1);
    expect(calls.splice(0)).to.deep.equal(['history.newest', 'history.trends']);
    expect(await read()).to.equal(first);
    expect(calls.splice(0)).to.deep.equal(['history.newest']);
    await tested(here);
    await recordHistory(here)({ limit: 10, leaseMs: 1_000 });
    const [second] = await here.stores.history.trends([id], 20);
    expect(await read()).to.deep.equal(second);
    expect(second).to.not.deep.equal(first);
    expect(calls).to.deep.equal(['history.newest', 'history.trends']);
  });

  it('reads again what is of another revision, moment or score than what was kept', async () => {
    const here = await releaseScene();
    const id = here.release.id;
    await recordHistory(here)({ limit: 10, leaseMs: 1_000 });
    const [newest] = await here.stores.history.newest([id]);
    if (newest === undefined) throw new Error('The release was expected to have a point.');
    const points = [{ at: 1, score: 1 }];
    const readWith = async (known: KnownTrend['newest']) =>
      (await readTrends(here, new Map([[id, { newest: known, points }]]), 20)([id])).get(id);
    expect(await readWith(newest)).to.equal(points);
    for (const other of [{ at: newest.at - 1 }, { revision: newest.revision + 1 }, { score: 3.25 }])
      expect(await readWith({ ...newest, ...other })).to.deep.equal([{ at: newest.at, score: newest.score }]);
  });
});
