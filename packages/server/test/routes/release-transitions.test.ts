import { randomUUID } from 'node:crypto';
import type { Release } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { type Stage, useFreshStage, useStage } from '../harness/stage.js';

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

  it('ships whatever the gate says', async () => {
    const { browser, inRelease: path } = stage();
    expect((await browser.ok('readGate', { path })).body.data.decision).to.equal('hold');
    await browser.ok('shipRelease', { path });
    const report = (await browser.ok('readReadiness', { path })).body.data;
    expect(report.gate.decision).to.equal('hold');
    expect(report).to.have.property('frozen_at');
  });
});
