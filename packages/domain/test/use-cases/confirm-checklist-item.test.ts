import { expect } from 'chai';
import { confirmChecklistItem } from '../../src/use-cases/confirm-checklist-item.js';
import { editChecklistItem } from '../../src/use-cases/edit-checklist-item.js';
import { refused } from '../refusal.js';
import { itemScene, opsOf, shipped } from './checklist-items.js';
import { lastDeed, withRoles } from './world.js';

/** An item that the member marked as not applicable, at version 2. */
const markedScene = async () => {
  const here = await itemScene();
  const edit = { state: 'not_applicable', reason: 'Texts only' } as const;
  await editChecklistItem(here)({ by: here.member, ...here.there, edit });
  const confirm = (version: number, by = here.owner) => confirmChecklistItem(here)({ by, ...here.there, version });
  return { ...here, confirm };
};

describe('Confirming that a checklist item does not apply', () => {
  it('takes it out of the count, and is noted', async () => {
    const here = await markedScene();
    expect(await opsOf(here)).to.deep.include({ done: 0, total: 3 });
    const confirmed = await here.confirm(2);
    expect(confirmed.mark).to.include({ markedBy: 'Ben', confirmedBy: 'Ada', confirmedAt: here.time.now });
    expect(await opsOf(here)).to.deep.include({ done: 0, total: 2 });
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'checklist_item.confirm',
      resource: { type: 'checklist_item', id: here.item.id },
      detail: { title: 'Docs', reason: 'Texts only', marked_by: 'Ben' },
    });
    expect(await here.confirm(3)).to.deep.equal(confirmed);
  });
  it('is for the version that was seen: no other reason is confirmed', async () => {
    const here = await markedScene();
    await editChecklistItem(here)({ by: here.member, ...here.there, edit: { reason: 'Nobody will look' } });
    await refused(here.confirm(2), 'version-mismatch');
    expect(await opsOf(here)).to.deep.include({ total: 3 });
  });
  it('and marking it anew at once leave nothing confirmed that was not seen', async () => {
    const here = await markedScene();
    const again = { by: here.member, ...here.there, edit: { reason: 'Nobody will look' }, version: 2 };
    const ends = await Promise.allSettled([here.confirm(2), editChecklistItem(here)(again)]);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const mark = (await here.stores.checklists.byId(here.item.id))?.mark;
    expect([mark?.reason, mark?.confirmedBy]).to.deep.equal(
      ends[0]?.status === 'fulfilled' ? ['Texts only', 'Ada'] : ['Nobody will look', null],
    );
  });
  it('is for owners: also a person who marked it and became one says so expressly', async () => {
    const here = await markedScene();
    await refused(here.confirm(2, here.member), 'forbidden');
    await refused(here.confirm(2, here.viewer), 'forbidden');
    await here.stores.teams.changeRole(here.teamId, here.member.principal.userId, 'owner');
    const promoted = withRoles(here.member, { [here.teamId]: 'owner' });
    expect(await opsOf(here)).to.deep.include({ total: 3 });
    expect((await here.confirm(2, promoted)).mark).to.include({ markedBy: 'Ben', confirmedBy: 'Ben' });
    expect(await opsOf(here)).to.deep.include({ total: 2 });
  });
  it('is refused where nothing is marked, and on a closed release', async () => {
    const here = await itemScene();
    const confirm = () => confirmChecklistItem(here)({ by: here.owner, ...here.there, version: 1 });
    await refused(confirm(), 'not-marked');
    await shipped(here);
    await refused(confirm(), 'release-closed');
  });
});
