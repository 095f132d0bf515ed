import { expect } from 'chai';
import { RESTORABLE_MS } from '../../src/checklist/removal.js';
import { editChecklistItem } from '../../src/use-cases/edit-checklist-item.js';
import { removeChecklistItem } from '../../src/use-cases/remove-checklist-item.js';
import { restoreChecklistItem } from '../../src/use-cases/restore-checklist-item.js';
import { refused } from '../refusal.js';
import { addedItemScene, opsOf, shipped, titles } from './checklist-items.js';
import { lastDeed } from './world.js';

/** An item that was ticked and then removed by the owner. */
const removedScene = async () => {
  const here = await addedItemScene();
  await editChecklistItem(here)({ by: here.member, ...here.there, edit: { state: 'done' } });
  await removeChecklistItem(here)({ by: here.owner, ...here.there });
  return { ...here, restore: (by = here.owner) => restoreChecklistItem(here)({ by, ...here.there }) };
};

describe('Restoring a checklist item', () => {
  it('puts it back as it was, and is noted', async () => {
    const here = await removedScene();
    here.time.now += RESTORABLE_MS - 1;
    const { removal, ...restored } = await here.restore();
    expect(removal).to.equal(null);
    expect(restored).to.include({ state: 'done', version: 4, updatedBy: 'Ada', updatedAt: here.time.now });
    expect(await opsOf(here)).to.deep.equal({ done: 1, total: 4, openItems: ['Docs', 'Feature flag', 'Rollback'] });
    expect(titles(await here.stores.checklists.ofRelease(here.release.id)).at(-1)).to.equal('Pen test');
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'checklist_item.restore',
      resource: { type: 'checklist_item', id: here.item.id },
      detail: { title: 'Pen test', state: 'done' },
    });
  });
  it('leaves an item that is on the checklist as it is', async () => {
    const here = await removedScene();
    expect(await here.restore()).to.deep.equal(await here.restore());
  });
  it('is for 30 days, for owners, and for open releases', async () => {
    const here = await removedScene();
    await refused(here.restore(here.member), 'forbidden');
    await refused(here.restore(here.viewer), 'forbidden');
    here.time.now += RESTORABLE_MS;
    await refused(here.restore(), 'not-restorable');
    await shipped(here);
    await refused(here.restore(), 'release-closed');
  });
});
