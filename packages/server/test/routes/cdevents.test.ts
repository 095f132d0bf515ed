import { randomUUID } from 'node:crypto';
import type { CdEventReceipt, CdEventResult } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { COMMIT, deployedEvent, suiteRunEvent } from '../harness/cdevents.js';
import { onEveryStore } from '../harness/openings.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

type Headers = Readonly<Record<string, string>>;

const send = async (
  { pipeline }: Pick<Stage, 'pipeline'>,
  sent: unknown,
  contentType = 'application/json',
  headers: Headers = {},
) => {
  const given = { 'content-type': contentType, ...headers };
  const { body } = await pipeline.ok('receiveCdEvent', { rawBody: JSON.stringify(sent), headers: given });
  return body.data;
};
const one = async (...given: Parameters<typeof send>) => (await send(...given)) as CdEventReceipt;
const unused = { recorded: false, result: 'ignored', reason: 'type_not_used' } as const;
const STRUCTURED: Headers = { 'content-type': 'application/cloudevents+json' };
const several = async (...given: Parameters<typeof send>) => (await send(...given)) as readonly CdEventResult[];

const deployment = (receipt: CdEventReceipt) =>
  'deployment' in receipt ? receipt.deployment : expect.fail(JSON.stringify(receipt));
const testRun = (receipt: CdEventReceipt) =>
  'test_run' in receipt ? receipt.test_run : expect.fail(JSON.stringify(receipt));

const enveloped = (event: ReturnType<typeof deployedEvent>) => {
  const { id, source, type } = event.context;
  return { specversion: '1.0', id, source, type, datacontenttype: 'application/cdevents+json', data: event };
};

onEveryStore('receiveCdEvent', (open) => {
  const stage = useFreshStage(open);
  const now = () => stage().service.clock.read();

  it('answers the deployment it made of a service event, which then feeds stability', async () => {
    const receipt = await one(stage(), deployedEvent(now()));
    expect(receipt).to.include({ recorded: true, result: 'created' });
    const { project, release, pipeline, inRelease } = stage();
    expect(deployment(receipt)).to.include({
      app_name: 'checkout',
      project_id: project.id,
      environment: 'production',
      commit_sha: COMMIT,
      deployed_by: '/ci/acme',
      status: 'success',
      started_at: new Date(now()).toISOString(),
    });
    expect(deployment(receipt).attribution.releases[0]).to.include({ id: release.id, counts: true });
    const { axes } = (await pipeline.ok('readReadiness', { path: inRelease })).body.data;
    expect(axes.find(({ axis }) => axis === 'stability')).to.deep.include({ state: 'measured', score: 100 });
  });

  it('stores a rollback as a success of what it put back, which counts in no release and says why', async () => {
    const { service, release, project, pipeline, browser, inRelease, inProject } = stage();
    const stability = async () =>
      (await pipeline.ok('readReadiness', { path: inRelease })).body.data.axes.find(({ axis }) => axis === 'stability');
    const before = await stability();
    const undone = deployment(await one(stage(), deployedEvent(now(), 'service.rolledback.0.2.0')));
    expect(undone).to.include({ status: 'success', is_return: true, commit_sha: COMMIT });
    const line = { id: release.id, name: release.name, counts: false, reason: 'rollback_pending_outcome' };
    expect(undone.attribution.releases).to.deep.equal([line]);
    expect(await stability()).to.deep.equal(before);
    const listed = await browser.ok('listNotCounted', { path: inProject, query: { kind: 'deployment' } });
    expect(listed.body.data).to.deep.equal([{ deployment: undone, reason: 'rollback_pending_outcome' }]);
    const asRows = await browser.ok('listAxisRows', { path: { ...inRelease, axis: 'stability' } });
    expect(asRows.body.data).to.deep.equal([{ ...undone, counts: false, reason: 'rollback_pending_outcome' }]);
    for (const query of [{}, { status: 'success' }, { environment: 'production' }] as const) {
      const { body } = await pipeline.ok('listDeployments', { path: inProject, query });
      expect(body.data.map(({ id }) => id)).to.deep.equal([undone.id]);
    }
    expect(await service.ports.stores.deployments.recount()).to.deep.equal([]);
    const [first] = await service.ports.stores.deployments.firstOf(project.id, null, [{ from: 0, to: null }]);
    expect(first).to.deep.equal({ startedAt: null, succeededAt: null });
  });

  it('answers the test run it made of a finished suite, which then feeds verification', async () => {
    const sent = suiteRunEvent(now(), { total: 412, passed: 410, failed: 2, skipped: 5 });
    const receipt = await one(stage(), sent);
    const { release, pipeline, inRelease } = stage();
    expect(testRun(receipt)).to.include({
      release_id: release.id,
      suite: 'Unit tests',
      total: 412,
      passed: 410,
      failed: 2,
      skipped: 5,
    });
    const { axes } = (await pipeline.ok('readReadiness', { path: inRelease })).body.data;
    expect(axes.find(({ axis }) => axis === 'verification')).to.include({ state: 'measured', score: 99.51 });
  });

  it('answers one error for a suite that broke before its first test', async () => {
    const receipt = await one(stage(), suiteRunEvent(now(), { total: 0, passed: 0, failed: 0 }));
    expect(testRun(receipt)).to.include({ total: 1, passed: 0, failed: 0 });
    const { pipeline, inRelease } = stage();
    const { axes } = (await pipeline.ok('readReadiness', { path: inRelease })).body.data;
    expect(axes.find(({ axis }) => axis === 'verification')).to.include({ state: 'measured', score: 0 });
  });

  it('takes events of versions 0.3 and 0.5, with all that is beside what it reads', async () => {
    const { context, subject } = deployedEvent(now());
    const older = {
      context: { ...context, version: '0.3.0', type: 'dev.cdevents.service.upgraded.0.1.1' },
      subject: { ...subject, source: '/ci', type: 'service' },
      customData: { build: { number: 7 } },
      customDataContentType: 'application/json',
    };
    expect(deployment(await one(stage(), older)).status).to.equal('success');
    const { version: _, ...rest } = context;
    const newer = {
      context: {
        ...rest,
        id: randomUUID(),
        specversion: '0.5.0',
        type: 'dev.cdevents.service.deployed.0.3.0',
        chainId: randomUUID(),
        links: [{ linkType: 'RELATION', linkKind: 'TRIGGER', target: { contextId: randomUUID() } }],
      },
      subject,
    };
    expect(deployment(await one(stage(), newer)).commit_sha).to.equal(COMMIT);
  });

  it('answers the same record when an event comes again, in an envelope or not, with any idempotency key', async () => {
    const event = deployedEvent(now());
    const first = deployment(await one(stage(), event));
    const key = { 'idempotency-key': 'k1' };
    const again = [
      await one(stage(), event, 'application/json', key),
      await one(stage(), enveloped(event), 'application/cloudevents+json', key),
      await one(stage(), event, 'application/cdevents+json; charset=utf-8', {
        'ce-id': event.context.id,
        'ce-type': event.context.type,
      }),
    ];
    for (const receipt of again) {
      expect(receipt).to.include({ recorded: true, result: 'duplicate' });
      expect(deployment(receipt)).to.deep.equal(first);
    }
    const changed = {
      ...event,
      subject: {
        ...event.subject,
        id: 'checkout',
        content: { ...event.subject.content, environment: { id: 'staging' } },
      },
    };
    await stage().pipeline.refused('receiveCdEvent', 'external-id-conflict', { body: changed });
  });

  it('tells events apart whose source and id are only the same when joined', async () => {
    const named = (source: string, id: string) => {
      const [service, suite] = [deployedEvent(now()), suiteRunEvent(now())];
      return [service, suite].map((event) => ({ ...event, context: { ...event.context, source, id } }));
    };
    const id = randomUUID();
    for (const [source, rest] of [
      ['/ci/acme', `1#${id}`],
      ['/ci/acme#1', id],
    ] as const)
      for (const event of named(source, rest)) {
        expect(await one(stage(), event)).to.include({ result: 'created' });
        expect(await one(stage(), event)).to.include({ result: 'duplicate' });
      }
  });

  it('answers the same test run when an event comes again after its release shipped', async () => {
    const { browser, inRelease } = stage();
    const event = suiteRunEvent(now());
    const first = testRun(await one(stage(), event));
    await browser.ok('shipRelease', { path: inRelease });
    expect(await one(stage(), event)).to.include({ result: 'duplicate' });
    expect(testRun(await one(stage(), event)).id).to.equal(first.id);
    await stage().pipeline.refused('receiveCdEvent', 'no-active-release', { body: suiteRunEvent(now()) });
  });

  it('takes what it has no use for, without recording it and without a scope', async () => {
    const { service, world, ada } = stage();
    const reader = service.withKey(await world.key(ada, { scopes: ['read'] }));
    const other = { ...deployedEvent(now(), 'build.finished.0.2.0'), subject: { id: 'build/7', content: {} } };
    expect(await one({ pipeline: reader }, other)).to.deep.equal(unused);
    const custom = { ...other, context: { ...other.context, type: 'dev.cdeventsx.tool-thing.made.0.1.0' } };
    expect(await one({ pipeline: reader }, custom)).to.deep.equal(unused);
    const canceled = suiteRunEvent(now());
    const sent = { ...canceled, subject: { ...canceled.subject, content: { outcome: 'cancel' } } };
    expect(await one(stage(), sent)).to.deep.equal({ ...unused, reason: 'run_canceled' });
  });

  it('ignores a CloudEvent that is no CDEvent, in either mode and among several, and says so', async () => {
    const { service, world, ada, pipeline } = stage();
    const reader = service.withKey(await world.key(ada, { scopes: ['read'] }));
    const paid = { specversion: '1.0', id: 'o-7', source: '/shop', type: 'com.example.order.paid' };
    const json = { 'content-type': 'application/json' };
    const requests = [
      { rawBody: JSON.stringify({ ...paid, data: { total: 7 } }), headers: STRUCTURED },
      { rawBody: JSON.stringify(paid), headers: STRUCTURED },
      { rawBody: JSON.stringify({ ...paid, data_base64: 'AAEC' }), headers: STRUCTURED },
      { rawBody: '{"total": 7}', headers: { ...json, 'ce-type': paid.type, 'ce-id': '7', 'ce-source': '/shop' } },
    ];
    for (const request of requests) {
      const { status, body } = await reader.ok('receiveCdEvent', request);
      expect(status).to.equal(202);
      expect(body.data).to.deep.equal({ recorded: false, result: 'ignored', reason: 'not_a_cdevent' });
    }
    const results = await several({ pipeline }, [paid, deployedEvent(now())], 'application/cloudevents-batch+json');
    expect(results[0]).to.deep.equal({ index: 0, result: 'not_recorded', reason: 'not_a_cdevent' });
    expect(results[1]).to.include({ result: 'created' });
  });

  it('refuses what is no CloudEvent, and a CDEvent under a foreign header as before', async () => {
    const { pipeline } = stage();
    const refused = async (sent: unknown, headers: Headers = STRUCTURED) =>
      pipeline.refused('receiveCdEvent', 'invalid', { rawBody: JSON.stringify(sent), headers });
    await refused({ specversion: '1.0', id: 'o-7', type: 'com.example.order.paid', data: {} });
    await refused({
      specversion: '1.0',
      id: 'o-7',
      source: '/ci',
      type: 'dev.cdevents.service.deployed.0.2.0',
      data: {},
    });
    await refused({ total: 7 }, { 'content-type': 'application/json' });
    const broken = { ...deployedEvent(now()), subject: {} };
    await refused(broken, { 'content-type': 'application/json', 'ce-type': 'com.example.thing' });
    const paid = { rawBody: '{"total": 7', headers: STRUCTURED };
    await pipeline.refused('receiveCdEvent', 'malformed-json', paid);
    const text = { rawBody: 'paid', headers: { 'content-type': 'text/plain', 'ce-type': 'com.example.thing' } };
    await pipeline.refused('receiveCdEvent', 'unsupported-media-type', text);
  });

  it('needs the scope of its kind, and the role of a member', async () => {
    const { service, world, ada, team } = stage();
    const deployer = service.withKey(await world.key(ada, { scopes: ['deployments:write'] }));
    const tester = service.withKey(await world.key(ada, { scopes: ['test-runs:write'] }));
    await deployer.ok('receiveCdEvent', { body: deployedEvent(now()) });
    await tester.ok('receiveCdEvent', { body: suiteRunEvent(now()) });
    const refusal = await tester.refused('receiveCdEvent', 'missing-scope', { body: deployedEvent(now()) });
    expect(refusal.body.detail).to.equal('The API key needs the scope deployments:write.');
    await deployer.refused('receiveCdEvent', 'missing-scope', { body: suiteRunEvent(now()) });
    await service.anonymous.refused('receiveCdEvent', 'unauthenticated', { body: deployedEvent(now()) });
    const eve = await world.person('Eve');
    await world.member(team, eve, 'viewer');
    await service.signedIn(eve).refused('receiveCdEvent', 'forbidden', { body: deployedEvent(now()) });
  });

  it('answers for each of several events by itself, in their order', async () => {
    const { world, ada, team } = stage();
    await world.project(ada, team, 'basket');
    const deployed = deployedEvent(now());
    const strange = { ...deployedEvent(now()), subject: { ...deployed.subject, id: 'chekout' } };
    const sent = [
      deployed,
      enveloped(deployed),
      suiteRunEvent(now()),
      { type: 'com.example.thing' },
      enveloped(strange),
      deployedEvent(now(), 'build.finished.0.2.0'),
    ];
    const results = await several(stage(), sent, 'application/cloudevents-batch+json');
    expect(results.map(({ index, result }) => [index, result])).to.deep.equal([
      [0, 'created'],
      [1, 'duplicate'],
      [2, 'created'],
      [3, 'refused'],
      [4, 'refused'],
      [5, 'not_recorded'],
    ]);
    expect(results[0]).to.include({ kind: 'deployment' });
    expect(results[2]).to.include({ kind: 'test_run' });
    expect(results[5]).to.include({ reason: 'type_not_used' });
    expect(results[4]).to.deep.nested.include({
      'problem.status': 422,
      'problem.nearest[0]': 'checkout',
      'problem.errors[0].pointer': '/data/subject/id',
    });
    const { pipeline, inProject } = stage();
    expect((await pipeline.ok('listDeployments', { path: inProject })).body.data).to.have.length(1);
  });

  it('answers what a key may not send among several for that one alone', async () => {
    const { service, world, ada } = stage();
    const pipeline = service.withKey(await world.key(ada, { scopes: ['test-runs:write'] }));
    const results = await several({ pipeline }, [deployedEvent(now()), suiteRunEvent(now())]);
    expect(results.map(({ result }) => result)).to.deep.equal(['refused', 'created']);
    expect(results[0]).to.have.nested.property('problem.status', 403);
  });
});

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

  it('are set by a member in the place of the former ones, read by anyone who sees the project, and audited', async () => {
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
