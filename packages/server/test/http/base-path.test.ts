import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secrets } from '@shipworthy/adapters/crypto';
import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { basePathFault, basePathOf, withoutBasePath } from '../../src/http/base-path.js';
import { createShipworthy } from '../../src/index.js';
import type { ApplicationFiles } from '../../src/web-files.js';
import { ask } from '../harness/ask.js';
import { listen } from '../harness/listen.js';
import { type FrontProxy, startProxy } from '../harness/proxy.js';
import { CHEAP } from '../harness/service.js';
import { CODE, createTestHost, SHOP } from '../harness/test-host.js';

const ADA = { email: 'ada@acme.dev', name: 'Ada', password: 'a long enough phrase' };
const PAGE = Buffer.from('<meta name="shipworthy-base" content="/"><script src="/assets/main-A.js"></script>');
const APPLICATION: ApplicationFiles = {
  byPath: new Map([
    [
      '/assets/main-A.js',
      {
        contentType: 'text/javascript',
        tag: '2',
        lasting: true,
        plain: Buffer.from('1'),
        coded: null,
      },
    ],
  ]),
  page: { contentType: 'text/html', tag: '1', lasting: false, plain: PAGE, coded: null },
};

type Json = Readonly<Record<string, unknown>>;

describe('the base path', () => {
  it('is the path of the base URL without its last slash, and only one that can be told from the own paths', () => {
    const fault = (url: string) => basePathFault(new URL(url));
    for (const path of ['', '/']) expect(basePathOf(new URL(`https://acme.dev${path}`)), path).to.equal('');
    for (const path of ['/shipworthy', '/shipworthy/', '/tools/ship.worthy_2~-', '/teams-of-ours', '/tools/api'])
      expect(basePathOf(new URL(`https://acme.dev${path}`)), path).to.equal(path.replace(/\/$/, ''));
    for (const path of [
      '/a//b',
      '/a%20b',
      '/%C3%A4',
      '/a;b',
      "/a'b",
      '/api',
      '/api/v1',
      '/teams',
      '/settings/x',
      '/livez',
    ])
      expect(fault(`https://acme.dev${path}`), path).to.be.a('string');
    const base = { stores: memoryStores(), secretKey: randomBytes(32) };
    const make = () => createShipworthy({ ...base, baseUrl: new URL('https://acme.dev/api') });
    expect(make).to.throw(TypeError, /^baseUrl must have another path/);
  });

  it('is removed once, where it is a whole path or followed by a slash', () => {
    const cases = [
      ['/ship', '/'],
      ['/ship/', '/'],
      ['/ship/api/teams', '/api/teams'],
      ['/ship/ship/api', '/ship/api'],
      ['/shipworthy/api', '/shipworthy/api'],
      ['/api/ship', '/api/ship'],
      ['/SHIP/api', '/SHIP/api'],
    ] as const;
    for (const [path, expected] of cases) expect(withoutBasePath(path, '/ship'), path).to.equal(expected);
    expect(withoutBasePath('/ship', '')).to.equal('/ship');
  });
});

for (const strips of [false, true])
  describe(`a service below a path, behind a proxy that ${strips ? 'removes it' : 'leaves it there'}`, () => {
    let proxy: FrontProxy;
    let base = '';
    let session: Readonly<Record<string, string>> = {};
    let setup: Awaited<ReturnType<typeof ask>>;
    let team = '';
    let project = '';
    const closing: (() => Promise<void>)[] = [];

    /** Goes to an address as it was answered: whole, or on the origin of the proxy. */
    const follow = (address: string, asked: Parameters<typeof ask>[2] = {}) => {
      const { pathname, search, origin } = new URL(address, proxy.origin);
      expect(origin, address).to.equal(proxy.origin);
      expect(pathname, address).to.match(/^\/tools\/shipworthy(\/|$)/);
      return ask(proxy.origin, pathname + search, asked);
    };
    const send = (method: string, path: string, body?: unknown) =>
      ask(proxy.origin, `/tools/shipworthy${path}`, { method, headers: session, body });
    const dataOf = ({ status, text, json }: Awaited<ReturnType<typeof ask>>): Record<string, string> => {
      expect(status, text).to.be.below(300);
      return json?.data as Record<string, string>;
    };

    before(async () => {
      proxy = await startProxy();
      base = `${proxy.origin}/tools/shipworthy`;
      const service = createShipworthy({
        stores: memoryStores(),
        secretKey: randomBytes(32),
        setupToken: 'the-token',
        secrets: secrets({ cost: CHEAP }),
        baseUrl: new URL(`${base}/`),
        requestsPerMinute: null,
        repositoryHost: createTestHost().host,
        application: APPLICATION,
      });
      // On a server of the embedder's, which has this address for both kinds of request.
      const server = createServer(service.handler);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      proxy.add('/tools/shipworthy', new URL(`http://127.0.0.1:${port}`), strips);
      closing.push(
        () => proxy.close(),
        async () => {
          server.closeAllConnections();
          server.close();
          await service.close();
        },
      );
      setup = await send('POST', '/api/setup', { ...ADA, setup_token: 'the-token' });
      const [cookie = ''] = (setup.headers['set-cookie'] ?? '').split(';');
      session = { cookie, origin: proxy.origin };
      team = dataOf(await send('POST', '/api/teams', { name: 'Payments' })).id ?? '';
      project = dataOf(await send('POST', `/api/teams/${team}/projects`, { name: 'checkout' })).id ?? '';
    });
    after(async () => {
      for (const close of closing) await close();
    });

    it('sends its cookie to that path alone, under a name of its own', async () => {
      expect(setup.status, setup.text).to.equal(201);
      expect(setup.headers['set-cookie']).to.match(
        /^shipworthy_session-tools-shipworthy=[^;]+; Path=\/tools\/shipworthy; HttpOnly; SameSite=Lax/,
      );
      expect((await send('GET', '/api/session')).status).to.equal(200);
      const out = await send('DELETE', '/api/session');
      expect(out.headers['set-cookie']).to.contain('Path=/tools/shipworthy;');
      const again = await send('POST', '/api/session', { email: ADA.email, password: ADA.password });
      session = { ...session, cookie: again.headers['set-cookie']?.split(';')[0] ?? '' };
    });

    it('answers Location, the link to the next page, and problems by addresses below it', async () => {
      const created = await send('POST', `/api/teams/${team}/projects/${project}/releases`, { name: '1.0' });
      expect(dataOf(await follow(created.headers.location ?? '', { headers: session })).name).to.equal('1.0');
      await send('POST', `/api/teams/${team}/projects/${project}/releases`, { name: '1.1' });
      const listed = await send('GET', `/api/teams/${team}/projects/${project}/releases?limit=1`);
      const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(listed.headers.link ?? '') ?? [];
      expect((await follow(next, { headers: session })).status, next).to.equal(200);
      const missing = await send('GET', '/api/nowhere?a=b');
      expect(missing.json).to.include({ status: 404, instance: '/tools/shipworthy/api/nowhere' });
      const page = await follow(String(missing.json?.type));
      expect(page.status).to.equal(200);
      expect(page.text).to.contain('href="/tools/shipworthy/api/docs"');
      const batch = await send('POST', '/api/deployments/batch', [{ app_name: 'checkout' }]);
      const [line] = (batch.json?.data ?? []) as { problem: { type: string; instance: string } }[];
      expect(line?.problem.instance).to.equal('/tools/shipworthy/api/deployments/batch');
      expect((await follow(line?.problem.type ?? '')).status).to.equal(200);
    });

    it('replays an answer with the same Location', async () => {
      const headers = { ...session, 'idempotency-key': 'k1' };
      const asked = { method: 'POST', headers, body: { name: 'basket' } };
      const path = `/api/teams/${team}/projects`;
      const [first, again] = [await follow(`${base}${path}`, asked), await follow(`${base}${path}`, asked)];
      expect(again.headers['idempotent-replayed']).to.equal('true');
      expect(again.headers.location).to.equal(first.headers.location);
      expect((await follow(again.headers.location ?? '', { headers: session })).status).to.equal(200);
    });

    it('names itself and its cookie in its OpenAPI document, and has its pages below it', async () => {
      const document = (await send('GET', '/api/openapi.json')).json as {
        servers: Json[];
        components: { securitySchemes: { session: Json } };
      };
      expect(document.servers).to.deep.equal([{ url: base }]);
      expect(document.components.securitySchemes.session.name).to.equal('shipworthy_session-tools-shipworthy');
      const { text } = await send('GET', '/api/docs');
      const links = [...text.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, link = '']) => link);
      for (const link of new Set(links)) expect((await follow(link)).status, link).to.equal(200);
      const forms = [...text.matchAll(/data-path="([^"]+)"/g)].map(([, path = '']) => path);
      for (const path of forms) expect(path).to.match(/^\/tools\/shipworthy\//);
    });

    it('hands out addresses of badges, invitations, hooks and approvals below it', async () => {
      const inProject = `/api/teams/${team}/projects/${project}`;
      const badge = dataOf(await send('PUT', `${inProject}/badge`));
      for (const url of [badge.svg_url, badge.json_url]) expect((await follow(url ?? '')).status, url).to.equal(200);
      const invitation = dataOf(await send('POST', '/api/invitations', { team_id: team, role: 'member' }));
      expect(invitation.url).to.equal(`${base}/invitation#${invitation.token}`);
      const approval = dataOf(await send('POST', '/api/settings/github/connect', {}));
      const { searchParams } = new URL(approval.url ?? '');
      const query = new URLSearchParams({ state: searchParams.get('state') ?? '', code: CODE });
      const callback = searchParams.get('redirect_uri') ?? '';
      const refused = await follow(callback, { headers: { ...session, accept: 'text/html' } });
      expect(refused.text).to.contain('href="/tools/shipworthy/settings/repository-host"');
      const connected = await follow(`${callback}?${query}`, { headers: session });
      expect(connected.text).to.contain('url=/tools/shipworthy/settings/repository-host"');
      await send('PUT', `${inProject}/repository`, { repository: SHOP.path });
      const hook = dataOf(await send('GET', `${inProject}/repository/webhook`));
      expect((await follow(hook.url ?? '', { method: 'POST', body: '{}' })).status).to.equal(401);
    });

    it('serves the application below it, with or without the last slash', async () => {
      const headers = { accept: 'text/html' };
      for (const address of [base, `${base}/`, `${base}/teams/1`]) {
        const { status, text, headers: answered } = await follow(address, { headers });
        expect(status, address).to.equal(200);
        expect(text).to.contain('content="/tools/shipworthy/"');
        expect(answered.etag).to.not.equal('"1"');
        const [, script = ''] = /src="([^"]+)"/.exec(text) ?? [];
        expect((await follow(script)).text).to.equal('1');
      }
    });

    it('streams its events', async () => {
      const listening = await listen(`${base}/api/events`, session);
      expect(listening.status).to.equal(200);
      listening.leave();
    });
  });

describe('services beside each other on one origin', () => {
  it('keep their sessions apart, also when one path is below the other', async () => {
    const proxy = await startProxy();
    const services = await Promise.all(
      ['/one/two', '/one'].map(async (path) => {
        const baseUrl = new URL(proxy.origin + path);
        const service = createShipworthy({
          stores: memoryStores(),
          secretKey: randomBytes(32),
          setupToken: 'the-token',
          secrets: secrets({ cost: CHEAP }),
          baseUrl,
        });
        proxy.add(path, await service.listen({ host: '127.0.0.1', port: 0 }), true);
        const body = { ...ADA, setup_token: 'the-token' };
        const { headers } = await ask(proxy.origin, `${path}/api/setup`, { method: 'POST', body });
        return { path, service, cookie: headers['set-cookie']?.split(';')[0] ?? '' };
      }),
    );
    try {
      const whoAmI = async (path: string, cookies: readonly string[]) =>
        (await ask(proxy.origin, `${path}/api/whoami`, { headers: { cookie: cookies.join('; ') } })).status;
      const [inner, outer] = services.map(({ cookie }) => cookie);
      // A browser sends the cookie of /one to /one/two as well, in an order that is not assured.
      for (const cookies of [
        [inner ?? '', outer ?? ''],
        [outer ?? '', inner ?? ''],
      ])
        for (const { path } of services) expect(await whoAmI(path, cookies), path).to.equal(200);
      expect(await whoAmI('/one/two', [outer ?? ''])).to.equal(401);
    } finally {
      await proxy.close();
      for (const { service } of services) await service.close();
    }
  });
});
