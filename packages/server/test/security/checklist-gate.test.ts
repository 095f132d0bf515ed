import { expect } from 'chai';
import { inSqlite } from '../harness/openings.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const REASON = 'Nothing can be rolled back in a release of texts.';

/** A release that is held by one open checklist item alone: the last of the template, or one that was added by hand. */
const heldByOneItem = async (stage: Stage, which: 'template' | 'added') => {
  const { world, ada, project, release, pipeline, browser, inProject, inRelease } = stage;
  const issue = await world.issue(ada, project, { title: 'Refunds', releaseId: release.id, state: 'done' });
  expect(issue.state).to.equal('done');
  await pipeline.ok('recordTestRun', { path: inProject, body: { ...RUN, total: 10, passed: 10, failed: 0 } });
  await pipeline.ok('recordDeployment', { body: FINISHED });
  await world.tickAll(ada, project, release);
  const all = (await browser.ok('listChecklist', { path: inRelease })).body.data;
  const last = all.at(-1) ?? expect.fail('A release starts with items.');
  const open =
    which === 'added'
      ? (await browser.ok('addChecklistItem', { path: inRelease, body: { title: 'Pen test' } })).body.data
      : (await browser.ok('changeChecklistItem', { path: { ...inRelease, item_id: last.id }, body: { state: 'open' } }))
          .body.data;
  return { ...inRelease, item_id: open.id };
};

describe('a person who wants a go that the checklist does not give', () => {
  const stage = useFreshStage(inSqlite);
  const decision = async () => {
    const { pipeline, inRelease: path } = stage();
    return (await pipeline.ok('readGate', { path })).body.data.decision;
  };
  const colleague = async (role: 'viewer' | 'member') => {
    const { world, service, team } = stage();
    const person = await world.person('Eve');
    await world.member(team, person, role);
    return { person, browser: service.signedIn(person) };
  };

  for (const which of ['template', 'added'] as const) {
    it(`does not remove the last open item as a member (${which})`, async () => {
      const path = await heldByOneItem(stage(), which);
      const { browser } = await colleague('member');
      expect(await decision()).to.equal('hold');
      await browser.ask('removeChecklistItem', { path });
      expect(await decision()).to.equal('hold');
    });

    it(`does not mark the last open item as not applicable as a member (${which})`, async () => {
      const path = await heldByOneItem(stage(), which);
      const { browser } = await colleague('member');
      await browser.ask('changeChecklistItem', { path, body: { state: 'not_applicable' } });
      expect(await decision()).to.equal('hold');
      await browser.ask('changeChecklistItem', {
        path,
        rawBody: JSON.stringify({ state: 'not_applicable', reason: REASON }),
      });
      expect(await decision()).to.equal('hold');
    });
  }

  it('does not remove an item of the template as an owner', async () => {
    const path = await heldByOneItem(stage(), 'template');
    await stage().browser.ask('removeChecklistItem', { path });
    expect(await decision()).to.equal('hold');
  });

  it('does not mark an item as not applicable without a reason as an owner', async () => {
    const path = await heldByOneItem(stage(), 'template');
    await stage().browser.ask('changeChecklistItem', { path, body: { state: 'not_applicable' } });
    expect(await decision()).to.equal('hold');
  });

  it('refuses all of it to a viewer and to a key', async () => {
    const path = await heldByOneItem(stage(), 'added');
    const { browser } = await colleague('viewer');
    const body = JSON.stringify({ state: 'not_applicable', reason: REASON });
    await browser.refused('changeChecklistItem', 'forbidden', { path, rawBody: body });
    await browser.refused('removeChecklistItem', 'forbidden', { path });
    await stage().pipeline.refused('changeChecklistItem', 'session-only', { path, rawBody: body });
    await stage().pipeline.refused('removeChecklistItem', 'session-only', { path });
    expect(await decision()).to.equal('hold');
  });
});
