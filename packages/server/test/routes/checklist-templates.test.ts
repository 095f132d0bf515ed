import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage } from '../harness/stage.js';

const DEFAULTS = { items: [{ title: 'Docs' }, { title: 'Feature flag' }, { title: 'Rollback' }], version: 1 };
const items = [{ title: 'Rollback' }, { title: 'Support team briefed' }];
const seen = (version: number) => ({ 'if-match': `"${version}"` });

onEveryStore('the checklist template of a project', (open) => {
  const stage = useFreshStage(open);
  const template = async () => {
    const { pipeline, inProject: path } = stage();
    return (await pipeline.ok('readChecklistTemplate', { path })).body.data;
  };

  it('begins with Docs, Feature flag and Rollback', async () => {
    expect(await template()).to.deep.equal(DEFAULTS);
  });

  it('is what new releases start with, while those there are keep their items', async () => {
    const { browser, pipeline, inProject: path, inRelease, release } = stage();
    const { data } = (await browser.ok('replaceChecklistTemplate', { path, body: { items }, headers: seen(1) })).body;
    expect(data).to.deep.equal({ items, version: 2 });
    expect(await template()).to.deep.equal(data);
    const next = (await browser.ok('createRelease', { path, body: { name: '2.5' } })).body.data;
    const listed = async (release_id: string) =>
      (await pipeline.ok('listChecklist', { path: { ...path, release_id } })).body.data.map(({ title, origin }) => [
        title,
        origin,
      ]);
    expect(await listed(next.id)).to.deep.equal([
      ['Rollback', 'template'],
      ['Support team briefed', 'template'],
    ]);
    expect((await listed(release.id)).map(([title]) => title)).to.deep.equal(['Docs', 'Feature flag', 'Rollback']);
    expect((await pipeline.ok('readReadiness', { path: inRelease })).body.data.axes[2]?.facts).to.include({ total: 3 });
  });

  it('may be empty: then ops of a new release is unmeasured, and its gate is not go', async () => {
    const { browser, pipeline, inProject: path } = stage();
    await browser.ok('replaceChecklistTemplate', { path, body: { items: [] }, headers: seen(1) });
    const { id } = (await browser.ok('createRelease', { path, body: { name: '2.5' } })).body.data;
    const { axes, gate } = (await pipeline.ok('readReadiness', { path: { ...path, release_id: id } })).body.data;
    expect(axes[2]).to.include({ state: 'unmeasured', cause: 'no_checklist_items' });
    expect(gate.decision).not.to.equal('go');
  });

  it('is not replaced unseen, nor over an unseen change', async () => {
    const { browser, inProject: path } = stage();
    await browser.refused('replaceChecklistTemplate', 'version-required', { path, body: { items } });
    const change = { path, body: { ...DEFAULTS, items }, headers: seen(1) };
    const { data } = (await browser.ok('replaceChecklistTemplate', change)).body;
    const { body } = await browser.refused('replaceChecklistTemplate', 'version-mismatch', change);
    expect(body.current).to.deep.equal(data);
    await browser.ok('replaceChecklistTemplate', { ...change, body: { items: [] }, headers: seen(2) });
    expect(await template()).to.deep.equal({ items: [], version: 3 });
  });

  it('takes at most 50 items, each once, of 1-200 characters', async () => {
    const { browser, inProject: path } = stage();
    const many = (length: number) => Array.from({ length }, (_, index) => ({ title: `Item ${index}` }));
    for (const wrong of [
      many(51),
      [{ title: 'Docs' }, { title: 'Docs' }],
      [{ title: '' }],
      [{ title: 'x'.repeat(201) }],
      [{ title: 'Docs', state: 'done' }],
      ['Docs'],
      null,
    ]) {
      const sent = { path, rawBody: JSON.stringify({ items: wrong }), headers: seen(1) };
      const { body } = await browser.refused('replaceChecklistTemplate', 'invalid', sent);
      expect(body.errors).to.be.an('array').that.is.not.empty;
    }
    await browser.ok('replaceChecklistTemplate', { path, body: { items: many(50) }, headers: seen(1) });
    expect((await template()).items).to.have.lengthOf(50);
  });
});

describe('replaceChecklistTemplate', () => {
  const stage = useFreshStage();

  it('is for owners in a browser session', async () => {
    const { pipeline, service, world, team, inProject: path } = stage();
    const sent = { path, body: { items: [] }, headers: seen(1) };
    await pipeline.refused('replaceChecklistTemplate', 'session-only', sent);
    for (const role of ['viewer', 'member'] as const) {
      const person = await world.person(role);
      await world.member(team, person, role);
      const browser = service.signedIn(person);
      await browser.refused('replaceChecklistTemplate', 'forbidden', sent);
      await browser.ok('readChecklistTemplate', { path });
    }
  });
});
