import { expect } from 'chai';
import { deployedEvent, suiteRunEvent } from '../harness/cdevents.js';
import { onEveryStore } from '../harness/openings.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const DIGEST = '0b'.repeat(32);

/** The event without what was added to it for this service. */
const untold = (at: number, source = '/ci/acme') => {
  const { customData: _, ...event } = suiteRunEvent(at);
  return { ...event, context: { ...event.context, source } };
};

/** Checkout, and basket beside it with a release of its own. */
const withBasket = async ({ world, ada, team }: Stage) => {
  const basket = await world.project(ada, team, 'basket');
  await world.release(ada, basket, '1.0');
  return { basket, inBasket: { team_id: team.id, project_id: basket.id } };
};

onEveryStore('event sources', (open) => {
  const stage = useFreshStage(open);
  const now = () => stage().service.clock.read();
  const set = (sources: readonly string[], path = stage().inProject) =>
    stage().browser.ok('replaceEventSources', { path, body: { sources: [...sources] } });
  const received = async (body: object) => {
    const { data } = (await stage().pipeline.ok('receiveCdEvent', { rawBody: JSON.stringify(body) })).body;
    return data as { readonly result?: string; readonly test_run?: { readonly project_id: string } };
  };

  it('are set by a member in the place of the former ones, read by whoever sees the project, and audited', async () => {
    const { pipeline, inProject: path, browser, team } = stage();
    expect((await pipeline.ok('readEventSources', { path })).body.data).to.deep.equal({ sources: [] });
    expect((await set(['/ci/acme', 'unit'])).body.data).to.deep.equal({ sources: ['/ci/acme', 'unit'] });
    await set(['unit', '/ci/other']);
    expect((await pipeline.ok('readEventSources', { path })).body.data.sources).to.deep.equal(['unit', '/ci/other']);
    const { body } = await browser.ok('listAuditEntries', { path: { team_id: team.id } });
    expect(body.data[0]).to.deep.include({
      action: 'event-sources.set',
      detail: { from: ['/ci/acme', 'unit'], to: ['unit', '/ci/other'] },
    });
  });

  it('are those of one project of a team: another one is refused, told which has them', async () => {
    const { inBasket } = await withBasket(stage());
    await set(['/ci/acme']);
    const { browser, pipeline, project } = stage();
    const { body } = await browser.refused('replaceEventSources', 'event-source-taken', {
      path: inBasket,
      body: { sources: ['free', '/ci/acme'] },
    });
    expect(body).to.deep.include({
      status: 409,
      source: '/ci/acme',
      project: { id: project.id, name: 'checkout' },
    });
    expect(body.detail).to.equal('/ci/acme is an event source of checkout.');
    expect((await pipeline.ok('readEventSources', { path: inBasket })).body.data.sources).to.deep.equal([]);
    await set([]);
    await set(['/ci/acme'], inBasket);
  });

  it('are refused from a viewer, from a key, to a stranger, and when they are no such texts', async () => {
    const { service, world, team, inProject: path, pipeline, browser } = stage();
    const sent = { path, body: { sources: ['x'] } };
    const [eve, mallory] = [await world.person('Eve'), await world.person('Mallory')];
    await world.member(team, eve, 'viewer');
    await service.signedIn(eve).refused('replaceEventSources', 'forbidden', sent);
    await service.signedIn(mallory).refused('replaceEventSources', 'not-found', sent);
    await pipeline.refused('replaceEventSources', 'session-only', sent);
    for (const sources of [['a', 'a'], [''], ['x'.repeat(501)], ['a\u0000'], Array.from({ length: 101 }, String), 'x'])
      await browser.refused('replaceEventSources', 'invalid', { path, rawBody: JSON.stringify({ sources }) });
    const most = Array.from({ length: 100 }, (_, place) => `${'𝄞'.repeat(248)}${place}`);
    expect((await set(most)).body.data.sources).to.deep.equal(most);
  });

  it('lead the events of a pipeline that says nothing of projects to theirs', async () => {
    const { basket } = await withBasket(stage());
    await set(['/ci/acme']);
    const { test_run: run } = await received(untold(now()));
    expect(run?.project_id).to.equal(stage().project.id);
    await set([]);
    const refusal = await stage().pipeline.refused('receiveCdEvent', 'invalid', { body: untold(now()) });
    expect(refusal.body.errors?.[0]).to.deep.include({ pointer: '/customData/app_name', code: 'required' });
    expect(refusal.body.detail).to.contain('"/ci/acme" or "unit"').and.to.contain('event-sources');
    const named = await received(untold(now(), 'https://ci.acme.dev/acme/basket'));
    expect(named.test_run?.project_id).to.equal(basket.id);
    await set(['/ci/acme', 'unit']);
    const { body } = await stage().pipeline.refused('receiveCdEvent', 'ambiguous-app-name', {
      body: (() => {
        const event = untold(now(), '/ci/basket');
        return { ...event, subject: { ...event.subject, content: { outcome: 'pass', testSuite: { id: 'checkout' } } } };
      })(),
    });
    expect(body.candidates).to.have.length(2);
  });

  it('are not needed where the service has the name of its project, nor for a suite with a key that sees one project', async () => {
    const event = deployedEvent(now());
    const content = { ...event.subject.content, artifactId: `pkg:oci/app@sha256%3A${DIGEST}` };
    const { data } = (
      await stage().pipeline.ok('receiveCdEvent', {
        body: { ...event, subject: { id: 'service/checkout', source: '/ci', content } },
      })
    ).body;
    expect(data).to.have.nested.property('deployment.project_id', stage().project.id);
    expect(data).to.deep.nested.include({
      'deployment.app_name': 'checkout',
      'deployment.commit_sha': DIGEST,
      'deployment.version': `sha256:${DIGEST}`,
    });
    const run = untold(now());
    expect((await received(run)).result).to.equal('created');
    expect((await received(run)).result).to.equal('duplicate');
  });
});
