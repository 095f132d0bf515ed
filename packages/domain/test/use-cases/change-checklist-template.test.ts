import { expect } from 'chai';
import { DEFAULT_TEMPLATE } from '../../src/checklist/checklist-template.js';
import { changeChecklistTemplate } from '../../src/use-cases/change-checklist-template.js';
import { refused } from '../refusal.js';
import { titles as titlesOf } from './checklist-items.js';
import { planned, releaseScene } from './scene.js';
import { lastDeed } from './world.js';

const titles = ['Docs', 'Pen test'];

describe('Changing the checklist template', () => {
  it('is for releases created from then on, and is noted with what it was', async () => {
    const here = await releaseScene();
    const next = await changeChecklistTemplate(here)({ by: here.owner, ...here.there, titles, version: 1 });
    expect(next).to.deep.equal({ titles, version: 2, changedAt: here.time.now, changedBy: 'Ada' });
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'checklist_template.change',
      resource: { type: 'project', id: here.project.id },
      detail: { version: 2, titles, before: DEFAULT_TEMPLATE.titles },
    });
    const { id } = await planned(here, '2.0');
    expect(titlesOf(await here.stores.checklists.ofRelease(id))).to.deep.equal(titles);
    expect(titlesOf(await here.stores.checklists.ofRelease(here.release.id))).to.deep.equal(DEFAULT_TEMPLATE.titles);
  });
  it('refuses an older version with the current one, and lets one of two at once win', async () => {
    const here = await releaseScene();
    const change = (first: string) =>
      changeChecklistTemplate(here)({ by: here.owner, ...here.there, titles: [first], version: 1 });
    const ends = await Promise.allSettled([change('A'), change('B')]);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const current = await here.stores.checklists.template(here.project.id);
    expect((await refused(change('C'), 'version-mismatch')).details).to.deep.equal({ current });
  });
  it('is for owners', async () => {
    const here = await releaseScene();
    const command = { ...here.there, titles, version: 1 };
    for (const by of [here.member, here.viewer])
      await refused(changeChecklistTemplate(here)({ by, ...command }), 'forbidden');
    await refused(changeChecklistTemplate(here)({ by: here.stranger, ...command }), 'not-found');
  });
});
