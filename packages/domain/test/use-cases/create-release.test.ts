import { expect } from 'chai';
import { createRelease } from '../../src/use-cases/create-release.js';
import { refused } from '../refusal.js';
import { planned, projectScene } from './scene.js';
import { actions } from './world.js';

describe('Creating a release', () => {
  it('plans it without a window, with Docs, Feature flag, Rollback, and is noted', async () => {
    const here = await projectScene();
    const release = await planned(here, '1.0');
    expect(release).to.include({ name: '1.0', state: 'planned', startsAt: null, shippedAt: null, version: 1 });
    const items = await here.stores.checklists.ofRelease(release.id);
    expect(items.map((item) => [item.title, item.state])).to.deep.equal([
      ['Docs', 'open'],
      ['Feature flag', 'open'],
      ['Rollback', 'open'],
    ]);
    expect(await actions(here, here.teamId)).to.include('release.create');
  });
  it('may be given a start: then it has a window before it is active', async () => {
    const here = await projectScene();
    const release = await planned(here, '1.0', 500);
    expect(release.startsAt).to.equal(500);
    expect(await here.stores.releases.windowsAt(here.project.id, 500)).to.have.length(1);
  });
  it('keeps names unique within the project', async () => {
    const here = await projectScene();
    await planned(here, '1.0');
    await refused(planned(here, '1.0'), 'name-taken');
  });
  it('is for members', async () => {
    const here = await projectScene();
    const create = { ...here.there, name: '1.0', startsAt: null, targetAt: null };
    await refused(createRelease(here)({ by: here.viewer, ...create }), 'forbidden');
    await refused(createRelease(here)({ by: here.stranger, ...create }), 'not-found');
  });
});
