import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { secrets } from '@shipworthy/adapters/crypto';
import { memoryStores } from '@shipworthy/adapters/memory';
import type { Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import Koa from 'koa';
import mount from 'koa-mount';
import { createShipworthy } from '../src/index.js';
import { ask } from './harness/ask.js';

const ANYWHERE = { host: '127.0.0.1', port: 0 };
const ADA = { email: 'ada@acme.dev', name: 'Ada', password: 'a long enough phrase' };

describe('createShipworthy', () => {
  it('serves from nothing to the first report', async () => {
    const shipworthy = createShipworthy({
      stores: memoryStores(),
      secretKey: randomBytes(32),
      setupToken: 'the-token',
    });
    const { origin } = await shipworthy.listen(ANYWHERE);
    try {
      const setup = await ask(origin, '/api/setup', { method: 'POST', body: { ...ADA, setup_token: 'the-token' } });
      expect(setup.status, setup.text).to.equal(201);
      const [cookie = ''] = (setup.headers['set-cookie'] ?? '').split(';');
      const headers = { cookie, origin };
      const post = async (path: string, body: unknown) => {
        const answer = await ask(origin, path, { method: 'POST', headers, body });
        expect(answer.status, `${path} ${answer.text}`).to.be.oneOf([200, 201]);
        return (answer.json as { data: Record<string, string> }).data;
      };
      const team = await post('/api/teams', { name: 'Payments' });
      const project = await post(`/api/teams/${team.id}/projects`, { name: 'checkout' });
      const { key } = await post('/api/settings/api-keys', { name: 'ci', scopes: ['read', 'deployments:write'] });
      const body = { app_name: 'checkout', environment: 'production', commit_sha: '9fceb02', status: 'success' };
      const authorization = { authorization: `Bearer ${key}` };
      const report = await ask(origin, '/api/deployments', { method: 'POST', headers: authorization, body });
      expect(report.status, report.text).to.equal(201);
      const teams = await ask(origin, '/api/teams', { headers: authorization });
      expect(teams.text).to.contain(project.id);
      expect(shipworthy.metrics()).to.contain('shipworthy_grouped_reports_total 1');
    } finally {
      await shipworthy.close();
    }
  });

  it('refuses requests of another site’s page, for any way the embedder knows people', async () => {
    const user = { id: 's', userId: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e', name: 'Zoe', administrator: true };
    const principal = { kind: 'session' as const, ...user, scopes: [], roles: new Map(), expiresAt: 2 ** 45 };
    const shipworthy = createShipworthy({
      stores: memoryStores(),
      secretKey: randomBytes(32),
      authenticate: async () => principal,
    });
    const { origin } = await shipworthy.listen(ANYWHERE);
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await ask(origin, '/api/teams', { method: 'POST', headers, body: { name: 'Payments' } })).status;
    try {
      const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      for (const known of [{}, { authorization: 'Basic WmU6' }, { cookie: 'gateway=1' }])
        expect(await status({ ...elsewhere, ...known }), JSON.stringify(known)).to.equal(403);
      expect(await status({ 'sec-fetch-site': 'cross-site' })).to.equal(403);
      for (const allowed of [
        {},
        { ...elsewhere, authorization: 'Bearer token' },
        { origin, 'sec-fetch-site': 'same-origin' },
      ])
        expect(await status(allowed), JSON.stringify(allowed)).to.equal(201);
    } finally {
      await shipworthy.close();
    }
  });

  it('is handled on a server of the embedder, with authentication and clock of its own', async () => {
    const stores = memoryStores();
    let claims = 0;
    const claim: Stores['history']['claim'] = (...asked) => {
      claims += 1;
      return stores.history.claim(...asked);
    };
    const base = { stores: { ...stores, history: { ...stores.history, claim } }, secretKey: randomBytes(32) };
    const principal = {
      kind: 'session' as const,
      id: 's',
      userId: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e',
      name: 'Zoe',
      scopes: ['read' as const],
      roles: new Map(),
      administrator: false,
      expiresAt: Number.MAX_SAFE_INTEGER,
    };
    const shipworthy = createShipworthy({
      ...base,
      baseUrl: new URL('https://ship.acme.dev'),
      authenticate: async ({ headers }) => (headers['x-user'] === 'zoe' ? principal : null),
      clock: () => Date.UTC(2030, 0, 1),
    });
    const server = createServer(shipworthy.handler);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    try {
      const url = `http://127.0.0.1:${port}`;
      expect((await ask(url, '/api/teams', { headers: { 'x-user': 'zoe' } })).json).to.deep.equal({ data: [] });
      expect((await ask(url, '/api/teams')).status).to.equal(401);
      expect(claims, 'the first request begins the background work').to.be.greaterThan(0);
      const foreign = { method: 'POST', headers: { 'x-user': 'zoe', cookie: 'a=b' }, body: { name: 'x' } };
      expect((await ask(url, '/api/teams', foreign)).status).to.equal(403);
    } finally {
      server.close();
      await shipworthy.close();
    }
    expect(() => createShipworthy(base).handler({} as never, {} as never)).to.throw(TypeError, /baseUrl/);
    expect(() => createShipworthy(base).middleware({} as never, async () => {})).to.throw(TypeError, /baseUrl/);
  });

  for (const way of ['behind middleware of its own', 'mounted below a path'])
    it(`is middleware of a Koa of the embedder, ${way}`, async () => {
      const isMounted = way.startsWith('mounted');
      const shipworthy = createShipworthy({
        stores: memoryStores(),
        secretKey: randomBytes(32),
        secrets: secrets({ cost: { ln: 4, r: 1, p: 1 } }),
        setupToken: 'the-token',
        baseUrl: new URL('http://127.0.0.1/tools/ship'),
      });
      const app = new Koa();
      const seen: string[] = [];
      app.use(async (context, next) => {
        context.state.colleague = 'Zoe';
        context.set('X-Served-By', 'tools');
        await next();
        seen.push(`${context.state.colleague} ${context.method} ${context.path} ${context.status} ${context.length}`);
      });
      app.use(isMounted ? mount('/tools/ship', shipworthy.middleware) : shipworthy.middleware);
      app.use((context) => {
        context.body = 'The tools';
      });
      const server = createServer(app.callback());
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
      try {
        const post = (path: string, body: unknown, headers = {}) =>
          ask(url, `/tools/ship${path}`, { method: 'POST', headers, body });
        const setup = await post('/api/setup', { ...ADA, setup_token: 'the-token' });
        expect(setup.status, setup.text).to.equal(201);
        expect(setup.headers).to.include({ 'x-served-by': 'tools', 'cache-control': 'no-store' });
        expect(setup.headers['set-cookie']).to.contain('Path=/tools/ship;');
        const [cookie = ''] = (setup.headers['set-cookie'] ?? '').split(';');
        const headers = { cookie, origin: 'http://127.0.0.1' };
        const team = await post('/api/teams', { name: 'Payments' }, headers);
        expect(team.status, team.text).to.equal(201);
        const data = team.json?.data as { id: string };
        const project = await post(`/api/teams/${data.id}/projects`, { name: 'checkout' }, headers);
        expect(project.headers.location).to.match(/^\/tools\/ship\/api\/teams\/[\da-f-]{36}\/projects\/[\da-f-]{36}$/);
        const read = await ask(url, project.headers.location ?? '', { headers });
        expect(read.json?.data).to.deep.include(project.json?.data as object);
        expect((await post('/api/teams', '{"name":', headers)).json?.type).to.match(/malformed-json$/);
        const wrong = await ask(url, '/tools/ship/api/teams', { method: 'PUT', headers });
        expect(wrong.headers.allow).to.equal('GET, HEAD, OPTIONS, POST');
        const nowhere = await ask(url, '/tools/ship/api/nowhere');
        expect(nowhere.json).to.include({ status: 404, instance: '/tools/ship/api/nowhere' });
        const head = await ask(url, '/tools/ship/livez', { method: 'HEAD' });
        expect([head.status, head.text, head.headers['content-length']]).to.deep.equal([200, '', '15']);
        expect((await ask(url, '/tools')).text === 'The tools').to.equal(isMounted);
        expect(seen.slice(-3, -1)).to.deep.equal([
          `Zoe GET /tools/ship/api/nowhere 404 ${nowhere.text.length}`,
          'Zoe HEAD /tools/ship/livez 200 15',
        ]);
      } finally {
        server.close();
        await shipworthy.close();
      }
    });

  it('says that its port is taken', async () => {
    const make = () => createShipworthy({ stores: memoryStores(), secretKey: randomBytes(32) });
    const first = make();
    const { port } = await first.listen(ANYWHERE);
    const second = make();
    const failure = await second.listen({ ...ANYWHERE, port: Number(port) }).catch((error: Error) => error.message);
    expect(failure).to.match(/EADDRINUSE/);
    await Promise.all([first.close(), second.close()]);
  });
});
