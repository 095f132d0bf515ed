import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const LINK = { url: 'https://docs.acme.dev/checkout/2.4', label: 'Release notes' };

onEveryStore('the launch checklist', (open) => {
  const stage = useFreshStage(open);
  const items = async ({ pipeline, inRelease: path } = stage()) =>
    (await pipeline.ok('listChecklist', { path })).body.data;
  const first = async (on: Stage = stage()) => {
    const [item] = await items(on);
    return { ...on.inRelease, item_id: item?.id ?? '' };
  };

  it('begins with Docs, Feature flag and Rollback, as created with the release', async () => {
    const { release } = stage();
    const found = await items();
    const made = { state: 'open', evidence: [], version: 1, updated_by: null };
    const updated_at = new Date(release.createdAt).toISOString();
    expect(found).to.deep.equal(
      [
        ['docs', 'Docs'],
        ['feature_flag', 'Feature flag'],
        ['rollback', 'Rollback'],
      ].map(([key, title], index) => ({ id: found[index]?.id, key, title, updated_at, ...made })),
    );
  });

  it('grows at its end and keeps the key of an item that is renamed', async () => {
    const { browser, inRelease, service } = stage();
    const { data } = (await browser.ok('addChecklistItem', { path: inRelease, body: { title: 'Docs' } })).body;
    expect(data).to.deep.include({ title: 'Docs', state: 'open', version: 1, updated_by: 'Ada' });
    expect(data.key).not.to.equal('docs');
    expect((await items()).map(({ id }) => id))
      .to.have.lengthOf(4)
      .and.include(data.id);
    expect((await items()).at(-1)?.id).to.equal(data.id);
    const updated_at = new Date(service.clock.pass(1000)).toISOString();
    const path = { ...inRelease, item_id: data.id };
    const renamed = (await browser.ok('changeChecklistItem', { path, body: { title: 'Manual' } })).body.data;
    expect(renamed).to.deep.equal({ ...data, title: 'Manual', version: 2, updated_at });
  });

  it('is ticked, unticked and marked not applicable, and the report follows at once', async () => {
    const { browser, pipeline, inRelease } = stage();
    const path = await first();
    const ops = async () => (await pipeline.ok('readReadiness', { path: inRelease })).body.data.axes[2];
    for (const [state, score] of [
      ['done', 33.33],
      ['open', 0],
      ['not_applicable', 0],
    ] as const) {
      const { data } = (await browser.ok('changeChecklistItem', { path, body: { state } })).body;
      expect(data.state).to.equal(state);
      expect(await ops()).to.include({ score });
    }
    expect((await ops())?.facts).to.deep.include({ done: 0, total: 2 });
  });

  it('is not changed over an unseen change', async () => {
    const { browser } = stage();
    const path = await first();
    const tick = { path, body: { state: 'done' as const }, headers: { 'if-match': '"1"' } };
    const { data } = (await browser.ok('changeChecklistItem', tick)).body;
    const { status, body } = await browser.refused('changeChecklistItem', 'version-mismatch', tick);
    expect([status, body.current]).to.deep.equal([412, data]);
    await browser.ok('changeChecklistItem', { ...tick, headers: { 'if-match': '"2"' } });
  });

  it('carries evidence, which counts as a change of its item', async () => {
    const { browser, service } = stage();
    const path = await first();
    const added_at = new Date(service.clock.pass(1000)).toISOString();
    const { data } = (await browser.ok('addEvidence', { path, body: LINK })).body;
    expect(data).to.deep.equal({ id: data.id, ...LINK, added_by: 'Ada', added_at });
    const [linked] = await items();
    expect(linked).to.deep.include({ evidence: [data], version: 2, updated_by: 'Ada', state: 'open' });
    const inEvidence = { ...path, evidence_id: data.id };
    const other = { ...inEvidence, item_id: (await items())[1]?.id ?? '' };
    await browser.refused('removeEvidence', 'not-found', { path: other });
    await browser.ok('removeEvidence', { path: inEvidence });
    await browser.refused('removeEvidence', 'not-found', { path: inEvidence });
    expect((await items())[0]).to.deep.include({ evidence: [], version: 3 });
  });

  it('loses an item with its evidence', async () => {
    const { browser } = stage();
    const path = await first();
    await browser.ok('addEvidence', { path, body: LINK });
    await browser.ok('removeChecklistItem', { path });
    expect((await items()).map(({ title }) => title)).to.deep.equal(['Feature flag', 'Rollback']);
    await browser.refused('removeChecklistItem', 'not-found', { path });
    await browser.refused('changeChecklistItem', 'not-found', { path, body: { state: 'done' } });
  });

  it('of one release is unknown in another', async () => {
    const { browser, world, ada, project, inProject } = stage();
    const other = await world.release(ada, project, '2.5', { state: 'planned' });
    const path = { ...(await first()), ...inProject, release_id: other.id };
    await browser.refused('changeChecklistItem', 'not-found', { path, body: { state: 'done' } });
  });
});

describe('addEvidence', () => {
  const stage = useFreshStage();

  it('takes addresses of the web only', async () => {
    const { browser, pipeline, inRelease } = stage();
    const [item] = (await pipeline.ok('listChecklist', { path: inRelease })).body.data;
    const path = { ...inRelease, item_id: item?.id ?? '' };
    for (const url of [
      'javascript:alert(1)',
      'ftp://acme.dev/x',
      '/relative',
      `https://acme.dev/${'x'.repeat(2048)}`,
    ]) {
      const { body } = await browser.refused('addEvidence', 'invalid', { path, body: { ...LINK, url } });
      expect(body.errors).to.have.nested.property('[0].pointer', '/url');
    }
  });
});
