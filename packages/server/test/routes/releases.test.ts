import { randomUUID } from 'node:crypto';
import type { Release } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { releaseEdit } from '../../src/routes/releases.js';
import { onEveryStore } from '../harness/openings.js';
import { type Stage, useFreshStage, useStage } from '../harness/stage.js';

onEveryStore('releases', (open) => {
  const stage = useFreshStage(open);

  it('are planned with a checklist, and found at their place', async () => {
    const { browser, pipeline, inProject, project, service } = stage();
    const body = { name: '2.5', starts_at: '2026-11-01T01:00:00+01:00', target_at: '2026-12-01T12:00:00Z' };
    const answer = await browser.ok('createRelease', { path: inProject, body });
    const { data } = answer.body;
    expect(data).to.deep.equal({
      id: data.id,
      project_id: project.id,
      name: '2.5',
      state: 'planned',
      starts_at: '2026-11-01T00:00:00.000Z',
      target_at: '2026-12-01T12:00:00.000Z',
      shipped_at: null,
      canceled_at: null,
      note: null,
      external_id: null,
      version: 1,
      created_at: new Date(service.clock.read()).toISOString(),
    });
    const place = `/api/teams/${inProject.team_id}/projects/${project.id}/releases/${data.id}`;
    expect(answer.headers.location).to.equal(place);
    const path = { ...inProject, release_id: data.id };
    expect((await pipeline.ok('readRelease', { path })).body.data).to.deep.equal(data);
    const { data: items } = (await pipeline.ok('listChecklist', { path })).body;
    expect(items.map(({ title, state }) => `${title} ${state}`)).to.deep.equal([
      'Docs open',
      'Feature flag open',
      'Rollback open',
    ]);
  });

  it('have names of their own within the project', async () => {
    const { browser, inProject, inRelease } = stage();
    const { status } = await browser.refused('createRelease', 'name-taken', { path: inProject, body: { name: '2.4' } });
    expect(status).to.equal(409);
    await browser.ok('createRelease', { path: inProject, body: { name: '2.5' } });
    await browser.refused('changeRelease', 'name-taken', { path: inRelease, body: { name: '2.5' } });
  });

  it('change by what is sent, and not over an unseen change', async () => {
    const { browser, inRelease: path, release } = stage();
    const headers = { 'if-match': `"${release.version}"` };
    const body = { name: '2.4.0', target_at: '2026-12-05T12:00:00Z' };
    const first = (await browser.ok('changeRelease', { path, body, headers })).body.data;
    expect(first).to.include({ name: '2.4.0', target_at: '2026-12-05T12:00:00.000Z', version: release.version + 1 });
    expect(first.starts_at).to.equal(new Date(release.startsAt ?? 0).toISOString());
    const { status, body: problem } = await browser.refused('changeRelease', 'version-mismatch', {
      path,
      body,
      headers,
    });
    expect([status, problem.current]).to.deep.equal([412, first]);
    const next = (await browser.ok('changeRelease', { path, body: { target_at: null } })).body.data;
    expect(next).to.include({ name: '2.4.0', target_at: null });
    const moved = (await browser.ok('changeRelease', { path, body: { starts_at: '2026-11-01T00:00:00Z' } })).body.data;
    expect(moved.starts_at).to.equal('2026-11-01T00:00:00.000Z');
  });

  it('are listed newest first, by state, page by page', async () => {
    const { browser, pipeline, service, inProject: path } = stage();
    for (const name of ['3.0', '3.1', '3.2', '3.3']) {
      service.clock.pass(1);
      await browser.ok('createRelease', { path, body: { name } });
    }
    const first = await pipeline.ok('listReleases', { path, query: { limit: 2 } });
    expect(first.body.data.map(({ name }) => name)).to.deep.equal(['3.3', '3.2']);
    service.clock.pass(1);
    await browser.ok('createRelease', { path, body: { name: '4.0' } });
    const cursor = first.body.next_cursor ?? '';
    expect(first.headers.link).to.contain(encodeURIComponent(cursor)).and.contain('rel="next"');
    const second = await pipeline.ok('listReleases', { path, query: { limit: 2, cursor } });
    expect(second.body.data.map(({ name }) => name)).to.deep.equal(['3.1', '3.0']);
    const last = await pipeline.ok('listReleases', {
      path,
      query: { limit: 2, cursor: second.body.next_cursor ?? '' },
    });
    expect(last.body).to.have.nested.property('data[0].name', '2.4');
    expect(last.body.next_cursor).to.equal(null);
    expect(last.headers).not.to.have.property('link');
    const active = (await pipeline.ok('listReleases', { path, query: { state: 'active' } })).body.data;
    expect(active.map(({ name }) => name)).to.deep.equal(['2.4']);
    await pipeline.refused('listReleases', 'invalid', { path, query: { state: 'planned', cursor } });
    await pipeline.refused('listReleases', 'invalid', { path, rawQuery: 'limit=201&state=new&colour=red' });
  });

  it('are found by words of their name, and sorted by creation, name and target', async () => {
    const { browser, pipeline, service, inProject: path } = stage();
    for (const [name, target_at] of [
      ['Autumn 3.0', '2027-02-01T00:00:00Z'],
      ['3.1 beta', '2027-01-01T00:00:00Z'],
      ['Zebra', undefined],
    ] as const) {
      service.clock.pass(1);
      await browser.ok('createRelease', { path, body: { name, ...(target_at && { target_at }) } });
    }
    const names = async (query: object) =>
      (await pipeline.ok('listReleases', { path, query })).body.data.map(({ name }) => name);
    expect(await names({ q: '3. AUTUMN' })).to.deep.equal(['Autumn 3.0']);
    expect(await names({ q: '3.', state: 'planned' })).to.deep.equal(['3.1 beta', 'Autumn 3.0']);
    expect(await names({ q: 'winter' })).to.deep.equal([]);
    expect(await names({ sort: 'created', order: 'asc' })).to.deep.equal(['2.4', 'Autumn 3.0', '3.1 beta', 'Zebra']);
    expect(await names({ sort: 'name' })).to.deep.equal(['2.4', '3.1 beta', 'Autumn 3.0', 'Zebra']);
    expect(await names({ sort: 'target' })).to.deep.equal(['3.1 beta', 'Autumn 3.0', '2.4', 'Zebra']);
    expect(await names({ sort: 'target', order: 'desc' })).to.deep.equal(['Autumn 3.0', '3.1 beta', 'Zebra', '2.4']);
    const { body } = await pipeline.refused('listReleases', 'invalid', { path, query: { order: 'asc' } });
    expect(body.errors).to.have.nested.property('[0].pointer', 'order');
    await pipeline.refused('exportReleases', 'invalid', { path, query: { order: 'asc' } });
    const first = await pipeline.ok('listReleases', { path, query: { limit: 3, sort: 'target' } });
    const cursor = first.body.next_cursor ?? '';
    expect(await names({ limit: 3, sort: 'target', cursor })).to.deep.equal(['Zebra']);
    await pipeline.refused('listReleases', 'invalid', { path, query: { limit: 3, sort: 'name', cursor } });
  });

  it('are exported as CSV, harmless to a spreadsheet', async () => {
    const { browser, pipeline, service, inProject: path } = stage();
    const body = { name: '=1+1', target_at: '2027-02-01T12:00:00Z' };
    const { id } = (await browser.ok('createRelease', { path, body })).body.data;
    const { headers, text } = await pipeline.ok('exportReleases', { path, query: { state: 'planned' } });
    expect(headers['content-type']).to.equal('text/csv; charset=utf-8');
    expect(headers['content-disposition']).to.equal('attachment; filename="releases.csv"');
    const now = new Date(service.clock.read()).toISOString();
    expect(text.split('\r\n')).to.deep.equal([
      'name,state,starts_at,target_at,shipped_at,canceled_at,note,created_at,external_id,id',
      `"'=1+1","planned",,"2027-02-01T12:00:00.000Z",,,,"${now}",,"${id}"`,
      '',
    ]);
    expect((await pipeline.ok('exportReleases', { path })).text.split('\r\n')).to.have.length(4);
  });

  it('refuse an empty or unknown change', async () => {
    const { browser, inRelease: path } = stage();
    await browser.refused('changeRelease', 'invalid', { path, rawBody: '{}' });
    const { body } = await browser.refused('changeRelease', 'invalid', {
      path,
      rawBody: '{"state":"shipped","starts_at":null,"target_at":"2026-02-30T00:00:00Z"}',
    });
    const pointers = (body.errors ?? []).map(({ pointer }) => pointer);
    expect(pointers).to.have.members(['/state', '/starts_at', '/target_at']);
  });
});

type State = Release['state'];
type Verb = 'activateRelease' | 'parkRelease' | 'shipRelease' | 'cancelRelease';

const VERBS = ['activateRelease', 'parkRelease', 'shipRelease', 'cancelRelease'] as const;
/** Where each verb leads from each state, in that order; null: nowhere. */
const LEADS: Readonly<Record<State, readonly (State | null)[]>> = {
  planned: ['active', null, null, 'canceled'],
  active: ['active', 'planned', 'shipped', 'canceled'],
  shipped: [null, null, null, null],
  canceled: [null, null, null, null],
};
const WAY: Readonly<Record<State, readonly Verb[]>> = {
  planned: [],
  active: ['activateRelease'],
  shipped: ['activateRelease', 'shipRelease'],
  canceled: ['cancelRelease'],
};

/** A release in that state, in a project of its own. */
const releaseIn = async ({ browser, world, ada, team }: Stage, state: State) => {
  const project = await world.project(ada, team, randomUUID());
  const inProject = { team_id: team.id, project_id: project.id };
  const { data } = (await browser.ok('createRelease', { path: inProject, body: { name: '1.0' } })).body;
  const path = { ...inProject, release_id: data.id };
  for (const verb of WAY[state]) await browser.ok(verb, { path });
  return { path, before: (await browser.ok('readRelease', { path })).body.data };
};

onEveryStore('from one state of a release to another', (open) => {
  const stage = useStage(open);
  for (const state of Object.keys(LEADS) as State[])
    VERBS.forEach((verb, index) => {
      const wanted = LEADS[state][index] ?? null;
      it(`${verb} leads from ${state} to ${wanted ?? 'nowhere'}`, async () => {
        const { path, before } = await releaseIn(stage(), state);
        const { browser } = stage();
        if (wanted === null) {
          const { status, body } = await browser.refused(verb, 'release-state', { path });
          expect(status).to.equal(409);
          expect(body.detail).to.contain(state);
          expect((await browser.ok('readRelease', { path })).body.data).to.deep.equal(before);
          return;
        }
        const { data } = (await browser.ok(verb, { path })).body;
        expect(data.state).to.equal(wanted);
        expect(data.version).to.equal(before.version + (wanted === state ? 0 : 1));
      });
    });
});

onEveryStore('the active release', (open) => {
  const stage = useFreshStage(open);
  const next = async (name = '2.5') => {
    const { browser, inProject } = stage();
    const { data } = (await browser.ok('createRelease', { path: inProject, body: { name } })).body;
    return { ...inProject, release_id: data.id };
  };
  const stateOf = async (path: Stage['inRelease']) => (await stage().browser.ok('readRelease', { path })).body.data;

  it('is named when it is in the way, until the request says what becomes of it', async () => {
    const { browser, inRelease, release } = stage();
    const path = await next();
    const { status, body } = await browser.refused('activateRelease', 'release-active', { path });
    expect([status, body.active]).to.deep.equal([409, { id: release.id, name: '2.4' }]);
    await browser.refused('activateRelease', 'release-active', { path, body: {} });
    await browser.ok('activateRelease', { path, body: { current: 'park' } });
    expect(await stateOf(inRelease)).to.include({ state: 'planned', shipped_at: null });
    await browser.ok('activateRelease', { path: inRelease, body: { current: 'ship' } });
    expect((await stateOf(path)).state).to.equal('shipped');
    expect((await stateOf(inRelease)).state).to.equal('active');
    await browser.refused('activateRelease', 'invalid', { path, rawBody: '{"current":"cancel"}' });
  });

  it('is neither shipped nor parked where the request is about another one', async () => {
    const { browser, inRelease, release } = stage();
    const [other, third] = [await next('2.5'), await next('2.6; the big one')];
    await browser.ok('activateRelease', { path: third, body: { current: 'park', current_release_id: release.id } });
    for (const current of ['ship', 'park'] as const) {
      const body = { current, current_release_id: release.id };
      const refusal = await browser.refused('activateRelease', 'release-active', { path: other, body });
      expect(refusal.body.active).to.deep.equal({ id: third.release_id, name: '2.6; the big one' });
    }
    expect((await stateOf(third)).state).to.equal('active');
    const body = { current: 'ship', current_release_id: third.release_id } as const;
    await browser.ok('activateRelease', { path: other, body });
    expect((await stateOf(third)).state).to.equal('shipped');
    await browser.ok('parkRelease', { path: other });
    await browser.ok('activateRelease', { path: inRelease, body });
    expect((await stateOf(inRelease)).state).to.equal('active');
  });

  it('is one, however many are activated at once', async () => {
    const { browser, inProject, inRelease } = stage();
    await browser.ok('parkRelease', { path: inRelease });
    const paths = [await next('3.0'), await next('3.1'), await next('3.2')];
    const answers = await Promise.all(paths.map((path) => browser.ask('activateRelease', { path })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409]);
    const active = await browser.ok('listReleases', { path: inProject, query: { state: 'active' } });
    expect(active.body.data).to.have.lengthOf(1);
  });

  it('keeps its start through parking, and ends with the moment it ships, with a note', async () => {
    const { browser, inRelease: path, service } = stage();
    const { starts_at } = await stateOf(path);
    service.clock.pass(1000);
    await browser.ok('parkRelease', { path });
    await browser.ok('activateRelease', { path });
    const shipped_at = new Date(service.clock.pass(1000)).toISOString();
    const { data } = (await browser.ok('shipRelease', { path, body: { note: 'With one known bug.' } })).body;
    expect(data).to.include({
      state: 'shipped',
      starts_at,
      shipped_at,
      canceled_at: null,
      note: 'With one known bug.',
    });
  });

  it('starts with its first activation, and ends with the moment it is canceled', async () => {
    const { browser, service } = stage();
    const path = await next();
    expect((await stateOf(path)).starts_at).to.equal(null);
    const starts_at = new Date(service.clock.pass(1000)).toISOString();
    await browser.ok('activateRelease', { path, body: { current: 'park' } });
    const canceled_at = new Date(service.clock.pass(1000)).toISOString();
    const { data } = (await browser.ok('cancelRelease', { path, body: {} })).body;
    expect(data).to.include({ state: 'canceled', starts_at, canceled_at, shipped_at: null, note: null });
    await browser.refused('cancelRelease', 'invalid', { path, rawBody: '{"note":"x"}' });
  });

  it('is neither active nor shipped before its start, and says when that is', async () => {
    const { browser, inProject, inRelease: path, service } = stage();
    const starts_at = new Date(service.clock.read() + 60_000).toISOString();
    const refusal = await browser.refused('changeRelease', 'release-state', { path, body: { starts_at } });
    expect(refusal.body).to.include({ wanted: 'active', starts_at });
    expect(refusal.body.detail).to.contain(starts_at);
    const { id } = (await browser.ok('createRelease', { path: inProject, body: { name: '3.0', starts_at } })).body.data;
    const later = { ...inProject, release_id: id };
    for (const body of [{}, { current: 'ship' }, { current: 'park' }] as const)
      await browser.refused('activateRelease', 'release-state', { path: later, body });
    expect((await stateOf(path)).state).to.equal('active');
    service.clock.pass(60_000);
    await browser.ok('activateRelease', { path: later, body: { current: 'ship' } });
    await browser.ok('shipRelease', { path: later });
  });

  it('ships even when the gate says hold', async () => {
    const { browser, inRelease: path } = stage();
    expect((await browser.ok('readGate', { path })).body.data.decision).to.equal('hold');
    await browser.ok('shipRelease', { path });
    const report = (await browser.ok('readReadiness', { path })).body.data;
    expect(report.gate.decision).to.equal('hold');
    expect(report).to.have.property('frozen_at');
  });
});

describe('releaseEdit', () => {
  it('leaves out what was not sent, and keeps null as a value', () => {
    expect(releaseEdit({ name: '2.4' })).to.deep.equal({ name: '2.4' });
    expect(releaseEdit({ target_at: null })).to.deep.equal({ targetAt: null });
    const moments = { starts_at: '2026-11-01T01:00:00.1239+01:00', target_at: '2026-12-01T12:00:00Z' };
    expect(releaseEdit(moments)).to.deep.equal({
      startsAt: Date.UTC(2026, 10, 1, 0, 0, 0, 123),
      targetAt: Date.UTC(2026, 11, 1, 12),
    });
  });
});
