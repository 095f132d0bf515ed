import type { PageRequest, Project, Team } from '@shipworthy/domain';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import type { Person } from '../harness/world.js';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('stepsOf', () => {
  let service: BareService;
  let ada: Person;
  let team: Team;
  let key: string;
  before(async () => {
    service = await startBare({
      routes: {
        renameTeam: async () => ({ status: 200, body: { data: { id: team.id } } }) as never,
        replacePolicy: async ({ ifMatch }) => ({ status: 200, body: { data: { seen: ifMatch } } }) as never,
        listTeams: async () => ({ status: 200, body: { data: [] } }),
      },
    });
    ada = await service.world.person('Ada');
    team = await service.world.team(ada, 'Payments');
    key = await service.world.key(ada);
  });
  after(() => service.close());

  const refusal = async (path: string, asked: Parameters<typeof ask>[2]) => {
    const { status, json } = await ask(service.url, path, asked);
    return `${status} ${String(json?.type).split('/').at(-1)}`;
  };

  it('checks in the order of the interface: each step hides all later faults', async () => {
    const bob = await service.world.person('Bob');
    const viewer = await service.world.person('Vera');
    await service.world.member(team, viewer, 'viewer');
    const path = `/api/teams/${team.id}`;
    const bad = { method: 'PATCH', body: '{"name":', headers: { 'content-type': 'text/plain' } };
    const badAs = (headers: Record<string, string>) => ({ ...bad, headers: { ...bad.headers, ...headers } });
    expect(await refusal('/api/teem', bad)).to.equal('404 not-found');
    expect(await refusal(path, { ...bad, method: 'PUT' })).to.equal('405 method-not-allowed');
    expect(await refusal(path, bad)).to.equal('401 unauthenticated');
    expect(await refusal(path, badAs({ authorization: `Bearer ${key}` }))).to.equal('403 session-only');
    expect(await refusal(path, badAs({ ...cookieOf(ada), origin: 'https://evil.dev' }))).to.equal('403 cross-site');
    expect(await refusal(path, badAs(cookieOf(bob)))).to.equal('404 not-found');
    expect(await refusal(path, badAs(cookieOf(viewer)))).to.equal('403 forbidden');
    expect(await refusal(path, badAs(cookieOf(ada)))).to.equal('415 unsupported-media-type');
    const asAda = { method: 'PATCH', headers: { ...cookieOf(ada), ...JSON_TYPE } };
    expect(await refusal(path, { ...asAda, body: 'x'.repeat(65_537) })).to.equal('413 body-too-large');
    expect(await refusal(path, { ...asAda, body: '{"name":' })).to.equal('400 malformed-json');
    expect(await refusal(path, { ...asAda, body: { nom: 1 } })).to.equal('422 invalid');
    expect((await ask(service.url, path, { ...asAda, body: { name: 'Pay' } })).status).to.equal(200);
  });

  it('demands a scope of a key', async () => {
    const readOnly = await service.world.key(ada, { scopes: ['read'] });
    const headers = { authorization: `Bearer ${readOnly}` };
    const answer = await ask(service.url, '/api/deployments', { method: 'POST', headers, body: {} });
    expect(answer.status).to.equal(403);
    expect(answer.json?.detail).to.contain('deployments:write');
  });

  it('answers HEAD like GET without a body, and OPTIONS with the methods', async () => {
    const headers = { authorization: `Bearer ${key}` };
    const get = await ask(service.url, '/api/teams', { headers });
    const head = await ask(service.url, '/api/teams', { method: 'HEAD', headers });
    expect(head.status).to.equal(200);
    expect(head.text).to.equal('');
    expect(head.headers['content-length']).to.equal(get.headers['content-length']);
    const options = await ask(service.url, '/api/teams', { method: 'OPTIONS' });
    expect(options.status).to.equal(204);
    expect(options.headers.allow).to.equal('GET, HEAD, OPTIONS, POST');
  });

  it('hands the version of If-Match to the route, and demands it where it is required', async () => {
    const project = await service.world.project(ada, team, 'checkout');
    const path = `/api/teams/${team.id}/projects/${project.id}/policy`;
    const { policy } = (await service.ports.stores.policies.current(project.id)) ?? {};
    const body = {
      weights: policy?.weights,
      threshold: 80,
      minimums: policy?.minimums,
      required_axes: policy?.requiredAxes,
      environments: null,
      freshness_hours: null,
      verification: 'latest_run',
      max_open_critical_bugs: 0,
      min_finished_deployments: 1,
    };
    const asked = { method: 'PUT', headers: cookieOf(ada), body };
    expect(await refusal(path, asked)).to.equal('428 version-required');
    expect(await refusal(path, { ...asked, body: { ...body, threshold: 101 } })).to.equal('422 invalid');
    const named = await ask(service.url, path, { ...asked, headers: { ...asked.headers, 'if-match': '"7"' } });
    expect(named.json).to.deep.equal({ data: { seen: 7 } });
  });

  it('sees a team at once that the caller founded at another instance', async () => {
    const asked = { method: 'PATCH', headers: { ...cookieOf(ada), ...JSON_TYPE }, body: { name: 'Refunds' } };
    expect((await ask(service.url, '/api/teams', { headers: cookieOf(ada) })).status).to.equal(200);
    const second = await service.world.team(ada, 'Refunds');
    expect((await ask(service.url, `/api/teams/${second.id}`, asked)).status).to.equal(200);
  });

  it('carries the headers every answer has', async () => {
    const { headers } = await ask(service.url, '/api/teams', { headers: { authorization: `Bearer ${key}` } });
    expect(headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    });
    expect(headers['x-request-id']).to.match(/^[\da-f-]{36}$/);
  });
});

describe('createRouteCall', () => {
  let service: BareService;
  let ada: Person;
  let team: Team;
  let project: Project;
  let pages: PageRequest[] = [];
  let shown: (string | null)[] = [];
  before(async () => {
    service = await startBare({
      routes: {
        listIssues: async (_, { page, sealCursor }) => {
          pages.push(page);
          const next = sealCursor([page.limit, 'x']);
          return { status: 200, body: { data: [], next_cursor: next }, next };
        },
        listAuditEntries: async (_, { page, sealCursor }) => {
          pages.push(page);
          return { status: 200, body: { data: [], next_cursor: sealCursor(null) }, next: null };
        },
        signIn: async (_, { shownSession, principal }) => {
          expect(principal).to.equal(null);
          shown.push(await shownSession());
          const session = { set: { secret: 'new', expiresAt: Date.UTC(2026, 10, 27) } };
          return { status: 200, body: { data: { user: {} } }, session } as never;
        },
      },
    });
    ada = await service.world.person('Ada');
    team = await service.world.team(ada, 'Payments');
    project = await service.world.project(ada, team, 'checkout');
  });
  beforeEach(() => {
    pages = [];
    shown = [];
  });
  after(() => service.close());

  const issues = (query: string) =>
    ask(service.url, `/api/teams/${team.id}/projects/${project.id}/issues${query}`, { headers: cookieOf(ada) });

  it('gives the first page of fifty unless asked otherwise', async () => {
    await issues('');
    await issues('?limit=200');
    expect(pages).to.deep.equal([
      { limit: 50, after: null },
      { limit: 200, after: null },
    ]);
    expect((await issues('?limit=201')).status).to.equal(422);
    expect((await issues('?limit=0')).status).to.equal(422);
  });

  it('continues a list by its own cursor, and links to the next page', async () => {
    const first = await issues('?limit=7&state=done');
    const cursor = String(first.json?.next_cursor);
    const [, target = ''] = /^<(.+)>; rel="next"$/.exec(first.headers.link ?? '') ?? [];
    expect(target)
      .to.contain('limit=7')
      .and.contain('state=done')
      .and.contain(`cursor=${encodeURIComponent(cursor)}`);
    const second = await ask(service.url, target, { headers: cookieOf(ada) });
    expect(second.status).to.equal(200);
    expect(pages.at(-1)).to.deep.equal({ limit: 7, after: [7, 'x'] });
    expect(second.headers.link?.match(/cursor=/g)).to.have.length(1);
    expect((await issues(`?limit=9&state=done&cursor=${cursor}`)).status).to.equal(200);
  });

  it('refuses a cursor that was changed or made for another list', async () => {
    const cursor = String((await issues('?state=done')).json?.next_cursor);
    const changed = `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const query of [
      `?state=done&cursor=${changed}`,
      `?state=todo&cursor=${cursor}`,
      `?cursor=${cursor}`,
      '?cursor=x',
    ]) {
      const { status, json } = await issues(query);
      expect(status, query).to.equal(422);
      expect(json?.errors).to.deep.equal([
        { pointer: 'cursor', code: 'cursor', message: 'cursor must be the next_cursor of this very list' },
      ]);
    }
    const audit = await ask(service.url, `/api/teams/${team.id}/audit?cursor=${cursor}`, { headers: cookieOf(ada) });
    expect(audit.status).to.equal(422);
  });

  it('ends a list without a link', async () => {
    const audit = await ask(service.url, `/api/teams/${team.id}/audit`, { headers: cookieOf(ada) });
    expect(audit.status).to.equal(200);
    expect(audit.headers).to.not.have.property('link');
  });

  it('tells a sign-in which session it replaces, and sets the new cookie', async () => {
    const signIn = (headers: Record<string, string>) =>
      ask(service.url, '/api/session', { method: 'POST', headers, body: { email: 'a@b.dev', password: 'phrase' } });
    const answer = await signIn(cookieOf(ada));
    expect(answer.headers['set-cookie']).to.equal(
      'shipworthy_session=new; Path=/; HttpOnly; SameSite=Lax; Expires=Fri, 27 Nov 2026 00:00:00 GMT',
    );
    await signIn({});
    await signIn({ cookie: 'shipworthy_session=ended', origin: 'http://localhost:4400' });
    expect(shown).to.deep.equal([ada.session.id, null, null]);
    expect((await signIn({ origin: 'https://evil.dev' })).status).to.equal(403);
  });
});
