import { expect } from 'chai';
import { issueEdit, sentIssue } from '../../src/routes/issues.js';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage } from '../harness/stage.js';

const BUG = { title: 'Refund fails for split payments', type: 'bug', state: 'todo' } as const;

onEveryStore('issues', (open) => {
  const stage = useFreshStage(open);

  it('are created in a release or in none, and found at their place', async () => {
    const { browser, pipeline, inProject, project, release, service } = stage();
    const wish = {
      ...BUG,
      severity: 'critical',
      url: 'https://tracker.acme.dev/BUG-7',
      release_id: release.id.toUpperCase(),
    } as const;
    const answer = await browser.ok('createIssue', { path: inProject, body: wish });
    const { data } = answer.body;
    const now = new Date(service.clock.read()).toISOString();
    expect(data).to.deep.equal({
      ...wish,
      external_id: null,
      id: data.id,
      project_id: project.id,
      release_id: release.id,
      version: 1,
      created_at: now,
      updated_at: now,
    });
    expect(answer.headers.location).to.equal(
      `/api/teams/${inProject.team_id}/projects/${project.id}/issues/${data.id}`,
    );
    const path = { ...inProject, issue_id: data.id };
    expect((await pipeline.ok('readIssue', { path })).body.data).to.deep.equal(data);
    const bare = (await browser.ok('createIssue', { path: inProject, body: BUG })).body.data;
    expect(bare).to.include({ release_id: null, severity: null, url: null });
  });

  it('move the report at once', async () => {
    const { browser, pipeline, inProject, inRelease } = stage();
    const wish = { ...BUG, severity: 'critical', release_id: inRelease.release_id } as const;
    const { data } = (await browser.ok('createIssue', { path: inProject, body: wish })).body;
    const report = async () => (await pipeline.ok('readReadiness', { path: inRelease })).body.data;
    const before = await report();
    expect(before.axes[0]?.facts).to.deep.equal({ done: 0, total: 1 });
    expect(before.gate.reasons.map(({ code }) => code)).to.include('open_critical_bugs');
    await browser.ok('changeIssue', { path: { ...inProject, issue_id: data.id }, body: { state: 'done' } });
    const after = await report();
    expect([after.axes[0]?.facts, after.axes[1]?.state]).to.deep.equal([{ done: 1, total: 1 }, 'measured']);
    expect(after.gate.reasons.map(({ code }) => code)).not.to.include('open_critical_bugs');
  });

  it('change by what is sent; null empties, what is missing stays', async () => {
    const { browser, inProject, release, service } = stage();
    const wish = { ...BUG, severity: 'major', url: 'https://tracker.acme.dev/7', release_id: release.id } as const;
    const { data } = (await browser.ok('createIssue', { path: inProject, body: wish })).body;
    const path = { ...inProject, issue_id: data.id };
    const updated_at = new Date(service.clock.pass(1000)).toISOString();
    const emptied = { severity: null, url: null, release_id: null };
    const { data: changed } = (await browser.ok('changeIssue', { path, body: emptied })).body;
    expect(changed).to.deep.equal({ ...data, ...emptied, version: 2, updated_at });
    const all = {
      title: 'Refunds',
      type: 'chore',
      state: 'canceled',
      severity: 'minor',
      url: 'http://t.acme.dev/8',
    } as const;
    const { data: again } = (await browser.ok('changeIssue', { path, body: { ...all, release_id: release.id } })).body;
    expect(again).to.deep.include({ ...all, release_id: release.id, version: 3 });
  });

  it('are not changed over an unseen change', async () => {
    const { browser, inProject } = stage();
    const { data } = (await browser.ok('createIssue', { path: inProject, body: BUG })).body;
    const path = { ...inProject, issue_id: data.id };
    const done = { path, body: { state: 'done' as const }, headers: { 'if-match': '"1"' } };
    const changed = (await browser.ok('changeIssue', done)).body.data;
    const { status, body } = await browser.refused('changeIssue', 'version-mismatch', done);
    expect([status, body.current]).to.deep.equal([412, changed]);
  });

  it('join no release of another project', async () => {
    const { browser, inProject, world, ada, team } = stage();
    const billing = await world.project(ada, team, 'billing');
    const foreign = await world.release(ada, billing, '1.0');
    const created = await browser.refused('createIssue', 'invalid', {
      path: inProject,
      body: { ...BUG, release_id: foreign.id },
    });
    expect(created.body.errors).to.have.nested.property('[0].pointer', '/release_id');
    const { data } = (await browser.ok('createIssue', { path: inProject, body: BUG })).body;
    const path = { ...inProject, issue_id: data.id };
    await browser.refused('changeIssue', 'invalid', { path, body: { release_id: foreign.id } });
    const elsewhere = { ...path, project_id: billing.id };
    await browser.refused('readIssue', 'not-found', { path: elsewhere });
  });

  it('are listed open ones first, then newest first, by release, state and type, page by page', async () => {
    const { browser, pipeline, inProject: path, release, service } = stage();
    const make = async (title: string, rest: object) => {
      service.clock.pass(1);
      await browser.ok('createIssue', { path, body: { ...BUG, title, ...rest } });
    };
    await make('a', { release_id: release.id });
    await make('b', { state: 'done', type: 'task' });
    await make('c', { state: 'in_progress', release_id: release.id });
    await make('d', { state: 'canceled' });
    const titles = async (query: object) =>
      (await pipeline.ok('listIssues', { path, query })).body.data.map(({ title }) => title).join('');
    expect(await titles({})).to.equal('cadb');
    expect(await titles({ release_id: release.id.toUpperCase() })).to.equal('ca');
    expect(await titles({ state: 'done' })).to.equal('b');
    expect(await titles({ type: 'bug', state: 'todo' })).to.equal('a');
    let seen = '';
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { limit: 1, ...(cursor === undefined ? {} : { cursor }) };
      const { body } = await pipeline.ok('listIssues', { path, query });
      seen += body.data.map(({ title }) => title).join('');
      cursor = body.next_cursor;
    }
    expect(seen).to.equal('cadb');
  });

  it('are found by words of the title or the number at the host, and by severity, and sorted', async () => {
    const { browser, pipeline, inProject: path, service } = stage();
    const make = async (title: string, rest: object = {}) => {
      service.clock.pass(1);
      return (await browser.ok('createIssue', { path, body: { ...BUG, title, ...rest } })).body.data;
    };
    const refund = await make('Refund fails for SPLIT payments', { severity: 'critical' });
    await make('Split the bill', { severity: 'minor' });
    await make('100% of _coupons_', { url: 'https://tracker.acme.dev/issues/42' });
    const titles = async (query: object) =>
      (await pipeline.ok('listIssues', { path, query })).body.data.map(({ title }) => title.split(' ', 1).join());
    expect(await titles({ q: 'split' })).to.deep.equal(['Split', 'Refund']);
    expect(await titles({ q: 'payments split' })).to.deep.equal(['Refund']);
    expect(await titles({ q: '0%' })).to.deep.equal(['100%']);
    expect(await titles({ q: '#42' })).to.deep.equal(['100%']);
    expect(await titles({ q: 'refunds' })).to.deep.equal([]);
    expect(await titles({ severity: 'critical' })).to.deep.equal(['Refund']);
    expect(await titles({ sort: 'created', order: 'asc' })).to.deep.equal(['Refund', 'Split', '100%']);
    service.clock.pass(1);
    await browser.ok('changeIssue', { path: { ...path, issue_id: refund.id }, body: { state: 'done' } });
    expect(await titles({})).to.deep.equal(['100%', 'Split', 'Refund']);
    expect(await titles({ sort: 'updated' })).to.deep.equal(['Refund', '100%', 'Split']);
    const { body } = await pipeline.refused('listIssues', 'invalid', { path, query: { order: 'asc' } });
    expect(body.errors).to.have.nested.property('[0].pointer', 'order');
    await pipeline.refused('exportIssues', 'invalid', { path, query: { order: 'asc' } });
    const first = await pipeline.ok('listIssues', { path, query: { limit: 1, sort: 'updated' } });
    const cursor = first.body.next_cursor ?? '';
    expect(await titles({ limit: 1, sort: 'updated', cursor })).to.deep.equal(['100%']);
    await pipeline.refused('listIssues', 'invalid', { path, query: { limit: 1, sort: 'created', cursor } });
  });

  it('are exported as CSV with the names of their releases, harmless to a spreadsheet', async () => {
    const { browser, pipeline, inProject: path, release, service } = stage();
    await browser.ok('createIssue', { path, body: { ...BUG, title: '=1+1', release_id: release.id } });
    const other = { title: 'Later', type: 'chore', state: 'done' } as const;
    await browser.ok('createIssue', { path, body: other });
    const { headers, text } = await pipeline.ok('exportIssues', { path, query: { type: 'bug' } });
    expect(headers['content-type']).to.equal('text/csv; charset=utf-8');
    expect(headers['content-disposition']).to.equal('attachment; filename="issues.csv"');
    const now = new Date(service.clock.read()).toISOString();
    const [head, first, ...rest] = text.split('\r\n');
    expect(head).to.equal('title,type,state,severity,release,url,created_at,updated_at,external_id,id,release_id');
    expect(first).to.match(
      new RegExp(`^"'=1\\+1","bug","todo",,"2.4",,"${now}","${now}",,"[-0-9a-f]{36}","${release.id}"$`),
    );
    expect(rest).to.deep.equal(['']);
    expect((await pipeline.ok('exportIssues', { path })).text.split('\r\n')).to.have.length(4);
  });

  it('name every fault at once', async () => {
    const { browser, inProject: path } = stage();
    const { body } = await browser.refused('createIssue', 'invalid', {
      path,
      rawBody: '{"title":"","type":"epic","severity":"blocker","release_id":"2.4","url":"x","owner":"ada"}',
    });
    const pointers = (body.errors ?? []).map(({ pointer }) => pointer);
    const named = ['/title', '/type', '/state', '/severity', '/release_id', '/url', '/owner'];
    expect([...new Set(pointers)]).to.have.members(named);
  });
});

const ID = '01932C7E-5A10-7CC3-9B1E-3F2A4B5C6D7E';

describe('issueOf', () => {
  it('takes what is missing as nothing, and ids in lower case', () => {
    const sent = { title: 'Refunds', type: 'bug', state: 'todo' } as const;
    expect(sentIssue(sent)).to.deep.equal({ ...sent, severity: null, url: null, releaseId: null });
    expect(sentIssue({ ...sent, release_id: ID }).releaseId).to.equal(ID.toLowerCase());
  });
});

describe('issueEdit', () => {
  it('leaves out what was not sent, and keeps null as a value', () => {
    expect(issueEdit({ title: 'Refunds' })).to.deep.equal({ title: 'Refunds' });
    expect(issueEdit({ severity: null, release_id: null })).to.deep.equal({ severity: null, releaseId: null });
    expect(issueEdit({ release_id: ID })).to.deep.equal({ releaseId: ID.toLowerCase() });
  });
});
