import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { githubHost } from '@shipworthy/adapters/github';
import { operations } from '@shipworthy/client/contract';
import { DomainError } from '@shipworthy/domain';
import { IMPORT_PARTS } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { beginApproval, connect } from '../harness/approval.js';
import { useEmptyService } from '../harness/empty-service.js';
import { onEveryStore } from '../harness/openings.js';
import { type Stage, useFreshStage } from '../harness/stage.js';
import { CODE, OWN_TOKEN, PAY, SHOP } from '../harness/test-host.js';
import { createWorld } from '../harness/world.js';

const rejected = new DomainError('host-rejected', 'Forge refused the connection.');
const unavailable = (details: object = { cause: 'timeout' }) =>
  new DomainError('host-unavailable', 'Forge did not answer in time.', { ...details });

describe('the example of a delivery', () => {
  it('is one that GitHub sends: its repository is read', () => {
    const [apiUrl, webUrl] = [new URL('https://api.github.com'), new URL('https://github.com')];
    const secretKey = randomBytes(32);
    const { hooks } = githubHost({ clientId: 'id', clientSecret: 'secret', apiUrl, webUrl, secretKey });
    const [example] = operations.receiveHook.body.examples;
    const body = Buffer.from(JSON.stringify(example));
    const repositoryId = String(example.repository.id);
    const signature = createHmac('sha256', hooks.secretOf(repositoryId, 'p')).update(body).digest('hex');
    const headers = {
      'x-github-event': 'repository',
      'x-github-delivery': 'd',
      'x-hub-signature-256': `sha256=${signature}`,
    };
    expect(hooks.read({ headers, body, projectId: 'p' })).to.deep.include({ repositoryId, parts: [...IMPORT_PARTS] });
  });
});

describe('the repository host of a server that is not set up for one', () => {
  const service = useEmptyService();
  const callers = async () => {
    const world = createWorld(service().ports);
    const ada = await world.person('Ada');
    return {
      browser: service().signedIn(ada),
      pipeline: service().withKey(await world.key(ada, { scopes: ['read'] })),
    };
  };

  it('is neither configured nor connected, said without an envelope', async () => {
    const { browser, pipeline } = await callers();
    for (const caller of [pipeline, browser])
      expect((await caller.ok('readHostConnection')).text).to.equal('{"configured":false,"connected":false}');
  });

  it('cannot be used', async () => {
    const { browser, pipeline } = await callers();
    const { status, body } = await pipeline.refused('checkHostConnection', 'host-not-configured');
    expect(status).to.equal(409);
    expect(body.detail).to.contain('administrator');
    for (const id of ['connectHost', 'listRepositories', 'finishHostConnection'] as const)
      await browser.refused(id, 'host-not-configured');
    await browser.refused('finishHostConnection', 'host-not-configured', { query: { state: 's', code: 'c' } });
    await service().anonymous.refused('receiveHook', 'host-not-configured', { rawBody: '{}' });
  });

  it('is asked about by anyone who may read', async () => {
    const world = createWorld(service().ports);
    const ada = await world.person('Ada');
    await world.team(ada, 'Payments');
    const writer = service().withKey(await world.key(ada, { scopes: ['deployments:write'] }));
    for (const id of ['readHostConnection', 'checkHostConnection'] as const) {
      await service().anonymous.refused(id, 'unauthenticated');
      await writer.refused(id, 'missing-scope');
    }
  });
});

onEveryStore('the connection to the repository host', (open) => {
  const stage = useFreshStage(open);

  it('is made by approving, and then told to keys and browsers of that person alone', async () => {
    const { browser, pipeline, service, world } = stage();
    expect((await browser.ok('readHostConnection')).text).to.equal('{"configured":true,"connected":false}');
    await pipeline.refused('checkHostConnection', 'host-not-connected');
    const { url } = (await browser.ok('connectHost')).body.data;
    const { origin, searchParams } = new URL(url);
    expect(origin).to.equal('https://forge.example');
    expect(searchParams.get('redirect_uri')).to.equal(`${service.baseUrl}/api/settings/github/callback`);
    const query = { state: searchParams.get('state') ?? '', code: CODE };
    const page = await browser.ok('finishHostConnection', { query });
    expect(page.text).to.contain('ada-at-forge').and.contain('Forge is connected');
    expect(page.headers['content-security-policy']).to.contain("default-src 'none'");
    expect(page.headers['referrer-policy']).to.equal('no-referrer');
    for (const caller of [pipeline, browser]) {
      const told = '{"configured":true,"connected":true,"account":"ada-at-forge"}';
      expect((await caller.ok('readHostConnection')).text).to.equal(told);
      expect((await caller.ok('checkHostConnection')).text).to.equal('{"status":"ok","may_write":true}');
    }
    const grace = service.signedIn(await world.person('Grace'));
    expect((await grace.ok('readHostConnection')).body).to.deep.equal({ configured: true, connected: false });
  });

  it('is made by a token of the person, which the host takes, and which is never told again', async () => {
    const { browser, pipeline } = stage();
    await browser.refused('connectHostByToken', 'host-rejected', { body: { token: 'forge_invented' } });
    expect((await browser.ok('readHostConnection')).body.connected).to.equal(false);
    for (const token of ['', 'short', 'with a blank in it', `line\nbreak-${OWN_TOKEN}`, 'x'.repeat(501)]) {
      const { text } = await browser.refused('connectHostByToken', 'invalid', { body: { token } });
      if (token !== '') expect(text).to.not.contain(token);
    }
    await pipeline.refused('connectHostByToken', 'session-only', { body: { token: OWN_TOKEN } });
    const made = await browser.ok('connectHostByToken', { body: { token: OWN_TOKEN } });
    expect(made.text).to.equal('{"configured":true,"connected":true,"account":"ada-at-forge","may_write":true}');
    expect((await pipeline.ok('checkHostConnection')).body).to.deep.equal({ status: 'ok', may_write: true });
    await browser.ok('disconnectHost');
    expect((await browser.ok('readHostConnection')).body.connected).to.equal(false);
  });

  it('is finished once, in the session that began it, with what the host may add to the query', async () => {
    const { browser, service, world, ada } = stage();
    const state = await beginApproval(browser);
    const elsewhere = service.signedIn(await world.session(ada.user));
    const stranger = service.signedIn(await world.person('Eve'));
    const second = await beginApproval(browser);
    for (const other of [elsewhere, stranger])
      await other.refused('finishHostConnection', 'approval-unusable', { query: { state: second, code: CODE } });
    await service.anonymous.refused('finishHostConnection', 'unauthenticated', { query: { state, code: CODE } });
    await browser.ok('finishHostConnection', { rawQuery: `code=${CODE}&state=${state}&iss=https%3A%2F%2Fforge&x=1` });
    await browser.refused('finishHostConnection', 'approval-unusable', { query: { state, code: CODE } });
    await browser.refused('finishHostConnection', 'approval-unusable', { query: { state: 'guessed', code: CODE } });
  });

  it('is not made when the person refuses, the code is wrong or the host is away', async () => {
    const { browser, forge } = stage();
    const state = await beginApproval(browser);
    const denied = { state, error: 'access_denied', error_description: 'The user has denied access.' };
    const { body } = await browser.refused('finishHostConnection', 'approval-unusable', { query: denied });
    expect(body.detail).to.contain('Connect again');
    await browser.refused('finishHostConnection', 'approval-unusable', { query: { state } });
    const wrong = { state: await beginApproval(browser), code: 'wrong' };
    await browser.refused('finishHostConnection', 'host-rejected', { query: wrong });
    forge.fail(unavailable());
    const late = { state: await beginApproval(browser), code: CODE };
    await browser.refused('finishHostConnection', 'host-unavailable', { query: late });
    expect((await browser.ok('readHostConnection')).body.connected).to.equal(false);
  });

  it('is rejected when the host refuses it, and cleared by approving again', async () => {
    const { browser, pipeline, forge } = stage();
    await connect(browser);
    forge.fail(rejected);
    expect((await pipeline.ok('checkHostConnection')).body).to.deep.equal({ status: 'rejected', may_write: null });
    await browser.refused('listRepositories', 'host-rejected');
    forge.fail(null);
    await connect(browser);
    expect((await pipeline.ok('checkHostConnection')).body).to.deep.equal({ status: 'ok', may_write: true });
  });

  it('says why a host cannot be asked and when to ask again, and never that it refused', async () => {
    const { browser, pipeline, forge, service } = stage();
    await connect(browser);
    const retryAt = service.clock.read() + 90_000;
    forge.fail(unavailable({ cause: 'rate_limited', retryAt }));
    const limited = await pipeline.refused('checkHostConnection', 'host-unavailable');
    expect(limited.status).to.equal(503);
    expect(limited.headers['retry-after']).to.equal('90');
    expect(limited.body).to.include({ cause: 'rate_limited', retry_at: new Date(retryAt).toISOString() });
    forge.fail(unavailable());
    for (const id of ['checkHostConnection', 'listRepositories'] as const)
      expect((await browser.refused(id, 'host-unavailable')).headers['retry-after']).to.equal('5');
    forge.fail(null);
    expect((await pipeline.ok('checkHostConnection')).body).to.deep.equal({ status: 'ok', may_write: true });
  });

  it('ends here and at the host', async () => {
    const { browser, forge, ada } = stage();
    await browser.ok('disconnectHost');
    await connect(browser);
    await browser.ok('disconnectHost');
    expect((await browser.ok('readHostConnection')).body).to.deep.equal({ configured: true, connected: false });
    expect(forge.revoked).to.deep.equal([ada.user.id]);
    await browser.refused('checkHostConnection', 'host-not-connected');
  });

  it('lists readable repositories page by page, and says why a list is empty', async () => {
    const { browser, forge } = stage();
    await browser.refused('listRepositories', 'host-not-connected');
    await connect(browser);
    const first = await browser.ok('listRepositories', { query: { limit: 1 } });
    const shown = ({ defaultBranch: _, ...rest }: typeof SHOP) => rest;
    expect(first.body).to.deep.include({ data: [shown(PAY)], account: 'ada-at-forge', empty_reason: null });
    const cursor = first.body.next_cursor ?? expect.fail('There is a second page.');
    expect(first.headers.link).to.contain(encodeURIComponent(cursor));
    const second = await browser.ok('listRepositories', { query: { limit: 1, cursor } });
    expect(second.body).to.deep.include({ data: [shown(SHOP)], next_cursor: null });
    const none = (await browser.ok('listRepositories', { query: { search: 'absent' } })).body;
    expect(none).to.deep.include({ data: [], empty_reason: 'no_match' });
    forge.repositories.length = 0;
    const empty = (await browser.ok('listRepositories')).body;
    expect(empty.empty_reason).to.equal('none_readable');
    expect(empty.message).to.contain('ada-at-forge');
    await browser.refused('listRepositories', 'invalid', { query: { limit: 101 } });
    await browser.refused('listRepositories', 'invalid', { query: { cursor: 'made-up' } });
  });
});

const DAY = 86_400_000;

/** The repository is linked, and no import runs. */
const linkedStage = async (stage: Stage) => {
  await connect(stage.browser);
  const { stores, clock } = stage.service.ports;
  const connection = await stores.hostConnections.of(stage.ada.user.id, stage.forge.host.name);
  if (connection === undefined) return expect.fail('There is no connection.');
  const paused = { pausedUntil: clock() + DAY, version: connection.version + 1 };
  await stores.hostConnections.put({ ...connection, ...paused });
  await stage.browser.ok('linkRepository', { path: stage.inProject, body: { repository: SHOP.path } });
  return stage;
};

onEveryStore('what the repository host sends', (open) => {
  const stage = useFreshStage(open);

  it('makes the linked repository due, once however often it is sent', async () => {
    const { service, forge, project } = await linkedStage(stage());
    const { anonymous, ports } = service;
    service.clock.pass(-1);
    const dueAt = async () =>
      (await ports.stores.repositoryLinks.ofProject(project.id))?.state.dueAt ?? expect.fail('There is no link.');
    const before = await dueAt();
    const sent = forge.delivery(SHOP.id, project.id);
    const first = (await anonymous.ok('receiveHook', sent)).body.data;
    expect(first).to.deep.equal({ accepted: true, repeated: false });
    expect(await dueAt())
      .to.equal(service.clock.read())
      .and.be.below(before);
    const again = (await anonymous.ok('receiveHook', sent)).body.data;
    expect(again).to.deep.equal({ accepted: false, repeated: true });
  });

  it('may write the id of its project in capital letters', async () => {
    const { service, forge, project } = await linkedStage(stage());
    const sent = forge.delivery(SHOP.id, project.id);
    const query = { ...sent.query, project_id: project.id.toUpperCase() };
    const { data } = (await service.anonymous.ok('receiveHook', { ...sent, query })).body;
    expect(data).to.deep.equal({ accepted: true, repeated: false });
  });

  it('is accepted for a repository without a link, and does nothing', async () => {
    const { service, forge, project } = await linkedStage(stage());
    const { data } = (await service.anonymous.ok('receiveHook', forge.delivery(PAY.id, project.id))).body;
    expect(data).to.deep.equal({ accepted: false, repeated: false });
  });

  it('is refused unless it was signed with the secret of its own repository and project', async () => {
    const { service, forge, project, browser, ada, team, world } = await linkedStage(stage());
    const { anonymous } = service;
    const twin = await world.project(ada, team, 'twin');
    await browser.ok('linkRepository', {
      path: { team_id: team.id, project_id: twin.id },
      body: { repository: SHOP.path },
    });
    const { rawBody, headers, query } = forge.delivery(SHOP.id, project.id);
    const refused = await anonymous.refused('receiveHook', 'wrong-signature', { rawBody, query });
    expect(refused.status).to.equal(401);
    const ofPay = forge.delivery(PAY.id, project.id).headers;
    const ofTwin = forge.delivery(SHOP.id, twin.id).headers;
    for (const other of [ofPay, ofTwin])
      await anonymous.refused('receiveHook', 'wrong-signature', { rawBody, query, headers: other });
    await anonymous.refused('receiveHook', 'wrong-signature', { rawBody: `${rawBody} `, query, headers });
    await anonymous.refused('receiveHook', 'wrong-signature', { rawBody, headers });
    const accepted = { accepted: true, repeated: false };
    expect((await anonymous.ok('receiveHook', { rawBody, query, headers })).body.data).to.deep.equal(accepted);
    expect((await anonymous.ok('receiveHook', forge.delivery(SHOP.id, twin.id))).body.data).to.deep.equal(accepted);
  });

  it('is refused when it is no delivery', async () => {
    const { service, forge, project } = stage();
    const { anonymous } = service;
    const { rawBody, headers } = forge.delivery(SHOP.id, project.id);
    await anonymous.refused('receiveHook', 'invalid', { rawBody: '{"repository":', headers });
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    await anonymous.refused('receiveHook', 'unsupported-media-type', { rawBody, headers: form });
    await anonymous.refused('receiveHook', 'body-too-large', { rawBody: 'x'.repeat(2_097_153), headers });
    await anonymous.refused('receiveHook', 'malformed-json');
  });

  it('is taken once of many at the same time', async () => {
    const { service, forge, project } = await linkedStage(stage());
    const sent = forge.delivery(SHOP.id, project.id, randomUUID());
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.anonymous.ok('receiveHook', sent)));
    expect(answers.filter(({ body }) => !body.data.repeated)).to.have.length(1);
  });
});

describe('another repository host', () => {
  const stage = useFreshStage(undefined, 'gitlab');

  it('is in the paths under its own name, in routes, documents and pages, and the other name is gone', async () => {
    const { browser, service, forge, project, inProject: path } = await linkedStage(stage());
    expect((await browser.ok('readHostConnection')).body.connected).to.equal(true);
    const { url } = (await browser.ok('readRepositoryWebhook', { path })).body.data;
    expect(url).to.equal(`${service.baseUrl}/api/hooks/gitlab?project_id=${project.id}`);
    expect(
      (await service.anonymous.ok('receiveHook', forge.delivery(SHOP.id, project.id))).body.data.accepted,
    ).to.equal(true);
    const textAt = async (at: string) => (await fetch(service.baseUrl + at)).text();
    for (const at of ['/api/openapi.json', '/api/docs', '/api/docs/problems/host-unavailable'])
      expect(await textAt(at), at)
        .to.contain('/api/settings/gitlab')
        .and.not.contain('/api/settings/github');
    expect((await fetch(`${service.baseUrl}/api/settings/github`)).status).to.equal(404);
  });
});
