import { expect } from 'chai';
import { type EditChecklistItem, editChecklistItem } from '../../src/use-cases/edit-checklist-item.js';
import { refused } from '../refusal.js';
import { itemScene, opsOf, shipped } from './checklist-items.js';
import { planned, type ReleaseScene } from './scene.js';
import { actions, lastDeed } from './world.js';

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
  it('not applicable needs a reason, and takes it out of done and total once an owner says so', async () => {
    const here = await itemScene();
    const marking = { state: 'not_applicable', reason: 'Texts only' } as const;
    const { details } = await refused(edit(here, { state: 'not_applicable' }), 'invalid');
    expect(details.faults).to.have.nested.property('[0].pointer', '/reason');
    await edit(here, marking);
    const mark = { title: 'Docs', reason: 'Texts only', markedBy: 'Ben', markedAt: here.time.now };
    expect(await opsOf(here)).to.deep.equal({
      done: 0,
      total: 3,
      openItems: ['Docs', 'Feature flag', 'Rollback'],
      notApplicable: [{ ...mark, confirmedBy: null, confirmed: false }],
    });
    await edit({ ...here, member: here.owner }, marking);
    expect(await opsOf(here)).to.deep.equal({
      done: 0,
      total: 2,
      openItems: ['Feature flag', 'Rollback'],
      notApplicable: [{ ...mark, markedBy: 'Ada', confirmedBy: 'Ada', confirmed: true }],
    });
  });
  it('keeps what it was before in the audit', async () => {
    const here = await itemScene();
    await edit({ ...here, member: here.owner }, { state: 'not_applicable', reason: 'Texts only' });
    await edit(here, { state: 'open' });
    const deed = await lastDeed(here, here.teamId);
    expect(deed?.detail).to.deep.equal({
      title: 'Docs',
      state: 'open',
      awaits_confirmation: false,
      before: { title: 'Docs', state: 'not_applicable', reason: 'Texts only', confirmed_by: 'Ada' },
    });
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
