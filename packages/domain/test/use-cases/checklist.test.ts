import { expect } from 'chai';
import { DEFAULT_TEMPLATE, RESTORABLE_MS } from '../../src/checklist.js';
import {
  addChecklistItem,
  addEvidence,
  changeChecklistTemplate,
  confirmChecklistItem,
  type EditChecklistItem,
  editChecklistItem,
  removeChecklistItem,
  removeEvidence,
  restoreChecklistItem,
} from '../../src/use-cases/checklist.js';
import { refused } from '../refusal.js';
import { addedItemScene, itemScene, opsOf, shipped, titles, titles as titlesOf } from './checklist-items.js';
import { planned, type ReleaseScene, releaseScene } from './scene.js';
import { actions, lastDeed, needing, withRoles } from './world.js';

describe('Adding a checklist item', () => {
  it('puts it open at the end, counts it, and is noted', async () => {
    const here = await itemScene();
    const item = await addChecklistItem(here, { by: here.member, ...here.at, title: 'Load test' });
    expect(item).to.include({ title: 'Load test', key: 'load_test', state: 'open', position: 3, updatedBy: 'Ben' });
    const items = await here.stores.checklists.ofRelease(here.release.id);
    expect(titles(items)).to.deep.equal(['Docs', 'Feature flag', 'Rollback', 'Load test']);
    expect(await opsOf(here)).to.deep.include({ done: 0, total: 4 });
    expect(await actions(here, here.teamId)).to.include('checklist_item.add');
  });
  it('keeps keys apart', async () => {
    const here = await itemScene();
    const item = await addChecklistItem(here, { by: here.member, ...here.at, title: 'docs' });
    expect(item.key).to.not.equal('docs');
  });
  it('is refused on a release that has 500 items, removed ones included', async () => {
    const here = await itemScene();
    const add = (title: string) => addChecklistItem(here, { by: here.member, ...here.at, title });
    const added = await add('Item');
    for (let count = 4; count < 500; count += 1) await add(`Item ${count}`);
    await removeChecklistItem(here, { by: here.owner, ...here.at, itemId: added.id });
    const { details } = await refused(add('One more'), 'invalid');
    const message = 'A release has 500 checklist items at most, those that were removed included.';
    expect(details.faults).to.deep.equal([{ pointer: '/title', code: 'too-many', message }]);
  });
  it('is refused on a closed release, and is for members', async () => {
    const here = await itemScene();
    await refused(addChecklistItem(here, { by: needing('member', here.viewer), ...here.at, title: 'x' }), 'forbidden');
    await shipped(here);
    await refused(addChecklistItem(here, { by: here.member, ...here.at, title: 'x' }), 'release-closed');
  });
});

const edit = (
  here: ReleaseScene & { readonly there: { readonly itemId: string } },
  change: EditChecklistItem['edit'],
  version: number | null = null,
) => editChecklistItem(here, { by: here.member, ...here.at, itemId: here.there.itemId, edit: change, version });

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
    await refused(editChecklistItem(here, { by: here.member, ...change, releaseId }), 'not-found');
    await refused(editChecklistItem(here, { by: needing('member', here.viewer), ...change }), 'forbidden');
  });
});

describe('Removing a checklist item', () => {
  it('takes one that was added by hand out of the count, names it, and is noted', async () => {
    const here = await addedItemScene();
    const remove = () => removeChecklistItem(here, { by: here.owner, ...here.there, version: null });
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
    await refused(removeChecklistItem(here, { by: here.owner, ...here.there }), 'template-item');
    expect(await opsOf(here)).to.deep.include({ total: 3 });
  });
  it('refuses an older version, members, viewers, and a closed release', async () => {
    const here = await addedItemScene();
    const remove = (by: typeof here.member, version: number | null) =>
      removeChecklistItem(here, { by: needing('owner', by), ...here.there, version });
    await refused(remove(here.owner, 9), 'version-mismatch');
    await refused(remove(here.member, null), 'forbidden');
    await refused(remove(here.viewer, null), 'forbidden');
    await shipped(here);
    await refused(remove(here.owner, null), 'release-closed');
  });
});

const link = { url: 'https://example.com/handbook', label: 'Handbook' };

describe('Adding evidence', () => {
  it('is refused on an item that has 20 links, until one is taken off', async () => {
    const here = await itemScene();
    const add = (nth: number) =>
      addEvidence(here, { by: here.member, ...here.there, url: `https://example.com/${nth}`, label: `Link ${nth}` });
    const { evidence } = await add(0);
    for (let nth = 1; nth < 20; nth += 1) await add(nth);
    const { details } = await refused(add(20), 'invalid');
    const message = 'A checklist item has 20 links as evidence at most.';
    expect(details.faults).to.deep.equal([{ pointer: '/url', code: 'too-many', message }]);
    expect((await here.stores.checklists.byId(here.item.id))?.evidence).to.have.length(20);
    await removeEvidence(here, { by: here.member, ...here.there, evidenceId: evidence.id });
    expect((await add(20)).item.evidence).to.have.length(20);
  });
  it('is refused on a release that has 500 links, those of removed items included, until one is taken off', async () => {
    const here = await itemScene();
    const add = (itemId: string, nth: number) =>
      addEvidence(here, { by: here.member, ...here.at, itemId, url: `https://example.com/${nth}`, label: 'Log' });
    const evidence: string[] = [];
    let last = here.item.id;
    for (let nth = 0; nth < 500; nth += 1) {
      if (nth % 20 === 0) last = (await addChecklistItem(here, { by: here.member, ...here.at, title: `${nth}` })).id;
      evidence.push((await add(last, nth)).evidence.id);
    }
    const { details } = await refused(add(here.item.id, 500), 'invalid');
    const message = 'The checklist of a release has 500 links as evidence at most, those of removed items included.';
    expect(details.faults).to.deep.equal([{ pointer: '/url', code: 'too-many', message }]);
    const evidenceId = evidence.at(-1) ?? '';
    await removeEvidence(here, { by: here.member, ...here.at, itemId: last, evidenceId });
    await removeChecklistItem(here, { by: here.owner, ...here.at, itemId: last });
    await add(here.item.id, 500);
    await refused(add(here.item.id, 501), 'invalid');
  });
  it('links it to the item with the person who added it, counts the version up, and is noted', async () => {
    const here = await itemScene();
    const { item, evidence } = await addEvidence(here, { by: here.member, ...here.there, ...link });
    expect(evidence).to.deep.include({ ...link, addedBy: 'Ben', addedAt: here.time.now });
    expect(item.evidence).to.deep.equal([evidence]);
    expect(item.version).to.equal(2);
    expect(await here.stores.checklists.byId(item.id)).to.deep.equal(item);
    expect(await actions(here, here.teamId)).to.include('evidence.add');
  });
  it('is refused on a closed release, and is for members', async () => {
    const here = await itemScene();
    await refused(addEvidence(here, { by: needing('member', here.viewer), ...here.there, ...link }), 'forbidden');
    await shipped(here);
    await refused(addEvidence(here, { by: here.member, ...here.there, ...link }), 'release-closed');
  });
});

const withEvidence = async () => {
  const here = await itemScene();
  const link = { url: 'https://example.com/handbook', label: 'Handbook' };
  const { evidence } = await addEvidence(here, { by: here.member, ...here.there, ...link });
  return { ...here, there: { ...here.there, evidenceId: evidence.id } };
};

describe('Removing evidence', () => {
  it('takes it off the item, and is noted', async () => {
    const here = await withEvidence();
    const item = await removeEvidence(here, { by: here.member, ...here.there });
    expect([item.evidence, item.version]).to.deep.equal([[], 3]);
    expect(await actions(here, here.teamId)).to.include('evidence.remove');
    await refused(removeEvidence(here, { by: here.member, ...here.there }), 'not-found');
  });
  it('is refused on a closed release, and is for members', async () => {
    const here = await withEvidence();
    await refused(removeEvidence(here, { by: needing('member', here.viewer), ...here.there }), 'forbidden');
    await shipped(here);
    await refused(removeEvidence(here, { by: here.member, ...here.there }), 'release-closed');
  });
});

const TITLES = ['Docs', 'Pen test'];

describe('Changing the checklist template', () => {
  it('is for releases created from then on, and is noted with what it was', async () => {
    const here = await releaseScene();
    const next = await changeChecklistTemplate(here, { by: here.owner, ...here.there, titles: TITLES, version: 1 });
    expect(next).to.deep.equal({ titles: TITLES, version: 2, changedAt: here.time.now, changedBy: 'Ada' });
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'checklist_template.change',
      resource: { type: 'project', id: here.project.id },
      detail: { version: 2, titles: TITLES, before: DEFAULT_TEMPLATE.titles },
    });
    const { id } = await planned(here, '2.0');
    expect(titlesOf(await here.stores.checklists.ofRelease(id))).to.deep.equal(TITLES);
    expect(titlesOf(await here.stores.checklists.ofRelease(here.release.id))).to.deep.equal(DEFAULT_TEMPLATE.titles);
  });
  it('names every title that is there already', async () => {
    const here = await releaseScene();
    const command = { by: here.owner, ...here.there, titles: ['A', 'B', 'A', 'C', 'B', 'A'], version: 1 };
    const { details } = await refused(changeChecklistTemplate(here, command), 'invalid');
    expect(details.faults).to.deep.equal(
      [[2, 'A'] as const, [4, 'B'] as const, [5, 'A'] as const].map(([place, title]) => ({
        pointer: `/items/${place}/title`,
        code: 'duplicate',
        message: `The title ${title} is there already.`,
      })),
    );
  });
  it('refuses an older version with the current one, and lets one of two at once win', async () => {
    const here = await releaseScene();
    const change = (first: string) =>
      changeChecklistTemplate(here, { by: here.owner, ...here.there, titles: [first], version: 1 });
    const ends = await Promise.allSettled([change('A'), change('B')]);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const current = await here.stores.checklists.template(here.project.id);
    expect((await refused(change('C'), 'version-mismatch')).details).to.deep.equal({ current });
  });
  it('is for owners', async () => {
    const here = await releaseScene();
    const command = { ...here.there, titles: TITLES, version: 1 };
    for (const by of [here.member, here.viewer])
      await refused(changeChecklistTemplate(here, { by: needing('owner', by), ...command }), 'forbidden');
    await refused(changeChecklistTemplate(here, { by: here.stranger, ...command }), 'not-found');
  });
});

/** An item that the member marked as not applicable, at version 2. */
const markedScene = async () => {
  const here = await itemScene();
  const edit = { state: 'not_applicable', reason: 'Texts only' } as const;
  await editChecklistItem(here, { by: here.member, ...here.there, edit });
  const confirm = (version: number, by = here.owner) => confirmChecklistItem(here, { by, ...here.there, version });
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
    await editChecklistItem(here, { by: here.member, ...here.there, edit: { reason: 'Nobody will look' } });
    await refused(here.confirm(2), 'version-mismatch');
    expect(await opsOf(here)).to.deep.include({ total: 3 });
  });
  it('and marking it anew at once leave nothing confirmed that was not seen', async () => {
    const here = await markedScene();
    const again = { by: here.member, ...here.there, edit: { reason: 'Nobody will look' }, version: 2 };
    const ends = await Promise.allSettled([here.confirm(2), editChecklistItem(here, again)]);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const mark = (await here.stores.checklists.byId(here.item.id))?.mark;
    expect([mark?.reason, mark?.confirmedBy]).to.deep.equal(
      ends[0]?.status === 'fulfilled' ? ['Texts only', 'Ada'] : ['Nobody will look', null],
    );
  });
  it('is for owners: also a person who marked it and became one says so expressly', async () => {
    const here = await markedScene();
    await refused(here.confirm(2, needing('owner', here.member)), 'forbidden');
    await refused(here.confirm(2, needing('owner', here.viewer)), 'forbidden');
    await here.stores.teams.changeRole(here.teamId, here.member.principal.userId, 'owner');
    const promoted = withRoles(here.member, { [here.teamId]: 'owner' });
    expect(await opsOf(here)).to.deep.include({ total: 3 });
    expect((await here.confirm(2, promoted)).mark).to.include({ markedBy: 'Ben', confirmedBy: 'Ben' });
    expect(await opsOf(here)).to.deep.include({ total: 2 });
  });
  it('is refused where nothing is marked, and on a closed release', async () => {
    const here = await itemScene();
    const confirm = () => confirmChecklistItem(here, { by: here.owner, ...here.there, version: 1 });
    await refused(confirm(), 'not-marked');
    await shipped(here);
    await refused(confirm(), 'release-closed');
  });
});

/** An item that was ticked and then removed by the owner. */
const removedScene = async () => {
  const here = await addedItemScene();
  await editChecklistItem(here, { by: here.member, ...here.there, edit: { state: 'done' } });
  await removeChecklistItem(here, { by: here.owner, ...here.there });
  return { ...here, restore: (by = here.owner) => restoreChecklistItem(here, { by, ...here.there }) };
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
    await refused(here.restore(needing('owner', here.member)), 'forbidden');
    await refused(here.restore(needing('owner', here.viewer)), 'forbidden');
    here.time.now += RESTORABLE_MS;
    await refused(here.restore(), 'not-restorable');
    await shipped(here);
    await refused(here.restore(), 'release-closed');
  });
});
