import type { Team } from '@shipworthy/domain';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import type { Person } from '../harness/world.js';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('createOperationHandler', () => {
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
