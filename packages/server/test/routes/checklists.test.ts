import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const DAY = 86_400_000;
const REASON = 'A release of texts only.';
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
    const unmarked = { reason: null, marked_by: null, marked_at: null, confirmed_by: null, confirmed_at: null };
    const made = { origin: 'template', state: 'open', ...unmarked, evidence: [], version: 1, updated_by: null };
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
    expect(data).to.deep.include({ title: 'Docs', origin: 'added', state: 'open', version: 1, updated_by: 'Ada' });
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

  it('is exported as CSV, with evidence and what was removed', async () => {
    const { browser, pipeline, inRelease: path } = stage();
    const item = await first();
    for (const label of ['Release notes', 'Manual'])
      await browser.ok('addEvidence', { path: item, body: { ...LINK, label } });
    const added = (await browser.ok('addChecklistItem', { path, body: { title: '=Support' } })).body.data;
    await browser.ok('removeChecklistItem', { path: { ...path, item_id: added.id } });
    const [, flag] = await items();
    const flagPath = { ...path, item_id: flag?.id ?? '' };
    await browser.ok('changeChecklistItem', { path: flagPath, body: { state: 'not_applicable', reason: REASON } });
    const { headers, text } = await pipeline.ok('exportChecklist', { path });
    expect(headers['content-disposition']).to.equal('attachment; filename="checklist.csv"');
    const [head = '', ...lines] = text.split('\r\n');
    expect(head).to.equal(
      'title,key,origin,state,reason,marked_by,marked_at,confirmed_by,confirmed_at,evidence,updated_by,updated_at,removed_by,removed_at,id',
    );
    expect(lines).to.have.length(5);
    expect(lines[0])
      .to.match(/^"Docs","docs","template","open",,,,,,/)
      .and.contain(`,"${LINK.url} ${LINK.url}","Ada",`);
    expect(lines[1]).to.contain(`"Feature flag","feature_flag","template","not_applicable","${REASON}","Ada",`);
    expect(lines[3])
      .to.match(/^"'=Support",/)
      .and.match(/,"Ada","[^"]+","Ada","[^"]+","[^"]+"$/)
      .and.contain(added.id);
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
      const body = state === 'not_applicable' ? { state, reason: REASON } : { state };
      const { data } = (await browser.ok('changeChecklistItem', { path, body })).body;
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

  it('loses an item that was added, names it, and gets it back with its evidence', async () => {
    const { browser, pipeline, inRelease, service } = stage();
    const { data: added } = (await browser.ok('addChecklistItem', { path: inRelease, body: { title: 'Pen test' } }))
      .body;
    const path = { ...inRelease, item_id: added.id };
    await browser.ok('addEvidence', { path, body: LINK });
    const removedAt = service.clock.pass(1000);
    await browser.ok('removeChecklistItem', { path });
    const { data, removed } = (await pipeline.ok('listChecklist', { path: inRelease })).body;
    expect(data.map(({ title }) => title)).to.deep.equal(['Docs', 'Feature flag', 'Rollback']);
    const removed_at = new Date(removedAt).toISOString();
    const restorable_until = new Date(removedAt + 30 * DAY).toISOString();
    const { id, key } = added;
    const named = { id, key, title: 'Pen test', state: 'open', removed_by: 'Ada', removed_at, restorable_until };
    expect(removed).to.deep.equal([named]);
    const ops = async () => (await pipeline.ok('readReadiness', { path: inRelease })).body.data.axes[2];
    expect((await ops())?.facts).to.deep.include({ removed: [{ title: 'Pen test', by: 'Ada', at: removed_at }] });
    await browser.refused('removeChecklistItem', 'not-found', { path });
    await browser.refused('changeChecklistItem', 'not-found', { path, body: { state: 'done' } });
    await browser.refused('addEvidence', 'not-found', { path, body: LINK });
    const restored = (await browser.ok('restoreChecklistItem', { path })).body.data;
    expect(restored).to.deep.include({ title: 'Pen test', state: 'open', version: 4, updated_by: 'Ada' });
    expect(restored.evidence.map(({ label }) => label)).to.deep.equal([LINK.label]);
    expect((await browser.ok('restoreChecklistItem', { path })).body.data).to.deep.equal(restored);
    expect((await pipeline.ok('listChecklist', { path: inRelease })).body.removed).to.deep.equal([]);
    expect((await ops())?.facts).not.to.have.property('removed');
  });

  it('gets a removed item back for 30 days', async () => {
    const { browser, inRelease, service } = stage();
    const { data } = (await browser.ok('addChecklistItem', { path: inRelease, body: { title: 'Pen test' } })).body;
    const path = { ...inRelease, item_id: data.id };
    await browser.ok('removeChecklistItem', { path });
    service.clock.pass(30 * DAY);
    const again = service.signedIn(await stage().world.session(stage().ada.user));
    const { status, body } = await again.refused('restoreChecklistItem', 'not-restorable', { path });
    expect([status, body.detail]).to.deep.equal([
      409,
      'Pen test was removed 30 days ago or more; add it again instead.',
    ]);
  });

  it('keeps the items of the template', async () => {
    const { browser } = stage();
    const path = await first();
    const { status, body } = await browser.refused('removeChecklistItem', 'template-item', { path });
    expect([status, body.title]).to.deep.equal([409, 'Items of the checklist template cannot be removed']);
  });

  it('refuses an unreadable title, and an address with a password', async () => {
    const { browser, inRelease } = stage();
    const path = await first();
    for (const title of [' ', '\u00a0', '\u200b', '\u3164', 'Safe \u202egnp.exe']) {
      const added = await browser.refused('addChecklistItem', 'invalid', { path: inRelease, body: { title } });
      expect(added.body.errors).to.have.nested.property('[0].pointer', '/title');
      await browser.refused('changeChecklistItem', 'invalid', { path, body: { title } });
    }
    const body = { url: 'https://ada:pw@acme.dev/report', label: 'Report' };
    const refused = await browser.refused('addEvidence', 'invalid', { path, body });
    expect(refused.body.errors).to.have.nested.property('[0].pointer', '/url');
    expect(JSON.stringify(refused.body)).not.to.contain('pw');
    expect((await items()).map(({ title }) => title)).to.deep.equal(['Docs', 'Feature flag', 'Rollback']);
  });

  it('says at /reason what a mark lacks', async () => {
    const { browser } = stage();
    const path = await first();
    for (const body of [
      { state: 'not_applicable' },
      { state: 'not_applicable', reason: '' },
      { state: 'not_applicable', reason: 'x'.repeat(501) },
      { state: 'not_applicable', reason: null },
      { state: 'done', reason: REASON },
      { reason: REASON },
    ]) {
      const sent = { path, rawBody: JSON.stringify(body) };
      const { body: problem } = await browser.refused('changeChecklistItem', 'invalid', sent);
      expect(problem.errors, JSON.stringify(body)).to.have.nested.property('[0].pointer', '/reason');
    }
    expect((await items())[0]).to.include({ state: 'open', version: 1 });
  });

  it('shows why an item does not apply beside ops, and counts it as open until an owner has confirmed it', async () => {
    const { browser, pipeline, inRelease, world, team, service } = stage();
    const path = await first();
    const eve = await world.person('Eve');
    await world.member(team, eve, 'member');
    const body = { state: 'not_applicable', reason: REASON } as const;
    const marked = (await service.signedIn(eve).ok('changeChecklistItem', { path, body })).body.data;
    const { marked_at: at } = marked;
    expect(marked).to.include({ reason: REASON, marked_by: 'Eve', confirmed_by: null, confirmed_at: null });
    const report = async () => (await pipeline.ok('readReadiness', { path: inRelease })).body.data;
    const seen = { title: 'Docs', reason: REASON, by: 'Eve', at };
    expect((await report()).axes[2]?.facts).to.deep.equal({
      done: 0,
      total: 3,
      open_items: ['Docs', 'Feature flag', 'Rollback'],
      not_applicable: [{ ...seen, confirmed: false, confirmed_by: null }],
    });
    expect((await report()).gate.next_steps.find(({ axis }) => axis === 'ops')?.message).to.equal(
      'Tick 3 checklist items: Docs (marked not applicable, awaits an owner), Feature flag, Rollback',
    );
    await browser.refused('confirmChecklistItem', 'version-required', { path });
    const stale = { path, headers: { 'if-match': '"1"' } };
    const { body: problem } = await browser.refused('confirmChecklistItem', 'version-mismatch', stale);
    expect(problem.current).to.deep.equal(marked);
    const { data } = (await browser.ok('confirmChecklistItem', { path, headers: { 'if-match': '"2"' } })).body;
    expect(data).to.include({ reason: REASON, marked_by: 'Eve', confirmed_by: 'Ada', version: 3 });
    expect((await report()).axes[2]?.facts).to.deep.equal({
      done: 0,
      total: 2,
      open_items: ['Feature flag', 'Rollback'],
      not_applicable: [{ ...seen, confirmed: true, confirmed_by: 'Ada' }],
    });
    await service.signedIn(eve).ok('changeChecklistItem', { path, body: { reason: 'Something else' } });
    expect((await report()).axes[2]?.facts).to.deep.include({ total: 3 });
    const { data: open } = (await browser.ok('changeChecklistItem', { path, body: { state: 'open' } })).body;
    expect(open).to.include({ reason: null, marked_by: null, marked_at: null, confirmed_by: null, confirmed_at: null });
    expect((await report()).axes[2]?.facts).not.to.have.property('not_applicable');
  });

  it('confirms nothing that is not marked', async () => {
    const path = await first();
    await stage().browser.refused('confirmChecklistItem', 'not-marked', { path, headers: { 'if-match': '"1"' } });
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

  it('takes 20 links for one item at most, however many are sent at once', async () => {
    const { browser, inRelease } = stage();
    const [first, second] = (await browser.ok('listChecklist', { path: inRelease })).body.data;
    const path = { ...inRelease, item_id: first?.id ?? '' };
    const sent = Array.from({ length: 25 }, () => browser.ask('addEvidence', { path, body: LINK }));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).to.have.length(20);
    const { body } = await browser.refused('addEvidence', 'invalid', { path, body: LINK });
    expect(body.errors).to.have.nested.property('[0].code', 'too-many');
    await browser.ok('addEvidence', { path: { ...path, item_id: second?.id ?? '' }, body: LINK });
  });
});
