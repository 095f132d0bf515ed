import { expect } from 'chai';
import { addChecklistItem } from '../../src/use-cases/add-checklist-item.js';
import { refused } from '../refusal.js';
import { itemScene, opsOf, shipped, titles } from './checklist-items.js';
import { actions } from './world.js';

describe('Adding a checklist item', () => {
  it('puts it open at the end, counts it, and is noted', async () => {
    const here = await itemScene();
    const item = await addChecklistItem(here)({ by: here.member, ...here.at, title: 'Load test' });
    expect(item).to.include({ title: 'Load test', key: 'load_test', state: 'open', position: 3, updatedBy: 'Ben' });
    const items = await here.stores.checklists.ofRelease(here.release.id);
    expect(titles(items)).to.deep.equal(['Docs', 'Feature flag', 'Rollback', 'Load test']);
    expect(await opsOf(here)).to.deep.include({ done: 0, total: 4 });
    expect(await actions(here, here.teamId)).to.include('checklist_item.add');
  });
  it('keeps keys apart', async () => {
    const here = await itemScene();
    const item = await addChecklistItem(here)({ by: here.member, ...here.at, title: 'docs' });
    expect(item.key).to.not.equal('docs');
  });
  it('is refused on a closed release, and is for members', async () => {
    const here = await itemScene();
    await refused(addChecklistItem(here)({ by: here.viewer, ...here.at, title: 'x' }), 'forbidden');
    await shipped(here);
    await refused(addChecklistItem(here)({ by: here.member, ...here.at, title: 'x' }), 'release-closed');
  });
});
