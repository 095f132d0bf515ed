import { expect } from 'chai';
import { removeChecklistItem } from '../../src/use-cases/remove-checklist-item.js';
import { refused } from '../refusal.js';
import { itemScene, opsOf, shipped } from './checklist-items.js';
import { actions } from './world.js';

describe('Removing a checklist item', () => {
  it('takes it out of the count, and is noted', async () => {
    const here = await itemScene();
    const remove = () => removeChecklistItem(here)({ by: here.member, ...here.there, version: null });
    await remove();
    expect(await opsOf(here)).to.deep.include({ total: 2 });
    expect(await actions(here, here.teamId)).to.include('checklist_item.remove');
    await refused(remove(), 'not-found');
  });
  it('refuses an older version, viewers, and a closed release', async () => {
    const here = await itemScene();
    const remove = (by: typeof here.member, version: number | null) =>
      removeChecklistItem(here)({ by, ...here.there, version });
    await refused(remove(here.member, 9), 'version-mismatch');
    await refused(remove(here.viewer, null), 'forbidden');
    await shipped(here);
    await refused(remove(here.member, null), 'release-closed');
  });
});
