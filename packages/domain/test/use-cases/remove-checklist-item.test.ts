import { expect } from 'chai';
import { removeChecklistItem } from '../../src/use-cases/remove-checklist-item.js';
import { refused } from '../refusal.js';
import { addedItemScene, itemScene, opsOf, shipped } from './checklist-items.js';
import { lastDeed } from './world.js';

describe('Removing a checklist item', () => {
  it('takes one that was added by hand out of the count, names it, and is noted', async () => {
    const here = await addedItemScene();
    const remove = () => removeChecklistItem(here)({ by: here.owner, ...here.there, version: null });
    await remove();
    const removed = [{ title: 'Pen test', removedAt: here.time.now, removedBy: 'Ada' }];
    expect(await opsOf(here)).to.deep.include({ total: 3, removed });
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'checklist_item.remove',
      resource: { type: 'checklist_item', id: here.item.id },
      detail: { title: 'Pen test', state: 'open' },
    });
    await refused(remove(), 'not-found');
  });
  it('refuses items of the template', async () => {
    const here = await itemScene();
    await refused(removeChecklistItem(here)({ by: here.owner, ...here.there }), 'template-item');
    expect(await opsOf(here)).to.deep.include({ total: 3 });
  });
  it('refuses an older version, members, viewers, and a closed release', async () => {
    const here = await addedItemScene();
    const remove = (by: typeof here.member, version: number | null) =>
      removeChecklistItem(here)({ by, ...here.there, version });
    await refused(remove(here.owner, 9), 'version-mismatch');
    await refused(remove(here.member, null), 'forbidden');
    await refused(remove(here.viewer, null), 'forbidden');
    await shipped(here);
    await refused(remove(here.owner, null), 'release-closed');
  });
});
