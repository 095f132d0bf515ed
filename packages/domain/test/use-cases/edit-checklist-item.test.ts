import { expect } from 'chai';
import { type EditChecklistItem, editChecklistItem } from '../../src/use-cases/edit-checklist-item.js';
import { refused } from '../refusal.js';
import { itemScene, opsOf, shipped } from './checklist-items.js';
import { planned, type ReleaseScene } from './scene.js';
import { actions } from './world.js';

const edit = (
  here: ReleaseScene & { readonly there: { readonly itemId: string } },
  change: EditChecklistItem['edit'],
  version: number | null = null,
) => editChecklistItem(here)({ by: here.member, ...here.at, itemId: here.there.itemId, edit: change, version });

describe('Editing a checklist item', () => {
  it('ticks and unticks it, and is noted', async () => {
    const here = await itemScene();
    here.time.now += 3;
    const done = await edit(here, { state: 'done' }, 1);
    expect(done).to.include({ state: 'done', version: 2, updatedAt: here.time.now, updatedBy: 'Ben' });
    expect(await opsOf(here)).to.deep.equal({ done: 1, total: 3, openItems: ['Feature flag', 'Rollback'] });
    await edit(here, { state: 'open' }, 2);
    expect(await opsOf(here)).to.deep.include({ done: 0, total: 3 });
    expect(await actions(here, here.teamId)).to.include('checklist_item.edit');
  });
  it('not applicable takes it out of done and total', async () => {
    const here = await itemScene();
    await edit(here, { state: 'not_applicable' });
    expect(await opsOf(here)).to.deep.include({ done: 0, total: 2 });
  });
  it('renames it and keeps the key', async () => {
    const here = await itemScene();
    expect(await edit(here, { title: 'Handbook' })).to.include({ title: 'Handbook', key: 'docs' });
  });
  it('refuses an older version with the newer state', async () => {
    const here = await itemScene();
    const current = await edit(here, { state: 'done' }, 1);
    expect((await refused(edit(here, { state: 'open' }, 1), 'version-mismatch')).details).to.deep.equal({ current });
  });
  it('lets one of two who saw the same version win', async () => {
    const here = await itemScene();
    const ends = await Promise.allSettled([edit(here, { state: 'done' }, 1), edit(here, { title: 'Manual' }, 1)]);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
  });
  it('is refused on a closed release', async () => {
    const here = await itemScene();
    await shipped(here);
    await refused(edit(here, { state: 'done' }, 1), 'release-closed');
    await refused(edit(here, { state: 'done' }, 9), 'version-mismatch');
  });
  it('does not reach items of other releases, and is for members', async () => {
    const here = await itemScene();
    const { id: releaseId } = await planned(here, '2.0');
    const change = { ...here.there, edit: {}, version: null };
    await refused(editChecklistItem(here)({ by: here.member, ...change, releaseId }), 'not-found');
    await refused(editChecklistItem(here)({ by: here.viewer, ...change }), 'forbidden');
  });
});
