import { expect } from 'chai';
import { asking } from './asking.js';
import { type GitHubServer, startGitHubServer } from './index.js';

describe('faults of the local host', () => {
  let server: GitHubServer;
  let get: ReturnType<typeof asking>['get'];
  let token: string;
  beforeEach(async () => {
    server = await startGitHubServer();
    ({ get, token } = asking(server));
    server.data.addRepository('acme/shop');
  });
  afterEach(() => server.close());

  const failure = (path = '/user'): Promise<string> =>
    get(path).then(
      () => 'none',
      (error: Error) => `${error.name}`,
    );

  it('befall so many requests, of the path they are meant for', async () => {
    server.faults.inject({ kind: 'error', status: 500 }, { times: 2, path: '/repos/' });
    expect((await get('/user')).status).to.equal(200);
    expect((await get('/repos/acme/shop')).body).to.include({ message: 'Server Error' });
    expect((await get('/repos/acme/shop')).status).to.equal(500);
    expect((await get('/repos/acme/shop')).status).to.equal(200);
    server.faults.inject({ kind: 'error', status: 502 }, { path: /milestones$/ });
    expect((await get('/repos/acme/shop/milestones')).status).to.equal(502);
    expect((await get('/repos/acme/shop')).status).to.equal(200);
    server.faults.clear();
    expect((await get('/repos/acme/shop/milestones')).status).to.equal(200);
  });

  it('break connections before, and within an answer', async () => {
    server.faults.inject({ kind: 'reset' }, { times: 1 });
    expect(await failure()).to.equal('TypeError');
    server.faults.inject({ kind: 'cut' }, { times: 1 });
    expect(await failure()).to.equal('TypeError');
    server.faults.inject({ kind: 'half-json' }, { times: 1 });
    expect(await failure()).to.equal('SyntaxError');
    await server.shut();
    expect(await failure()).to.equal('TypeError');
    await server.open();
    expect(await failure()).to.equal('none');
    expect(server.requests.count(({ status }) => status === 0)).to.equal(1);
  });

  it('make an answer late, or keep it for ever', async () => {
    server.faults.inject({ kind: 'delay', ms: 150 }, { times: 1 });
    const begun = performance.now();
    expect((await get('/user')).status).to.equal(200);
    expect(performance.now() - begun).to.be.greaterThan(140);
    server.faults.inject({ kind: 'hang' }, { times: 1 });
    const signal = AbortSignal.timeout(100);
    const hung = await fetch(`${server.apiUrl}/user`, { signal }).catch((error: Error) => error.name);
    expect(hung).to.equal('TimeoutError');
  });

  it('answer pages for people with any status', async () => {
    for (const status of [200, 401, 502]) {
      server.faults.inject({ kind: 'page', status }, { times: 1 });
      const { headers, body, ...page } = await get('/user');
      expect([page.status, headers.get('content-type')]).to.deep.equal([status, 'text/html; charset=utf-8']);
      expect(body).to.include('<!doctype html>');
    }
  });

  it('answer any given bytes, byte by byte, or without an end', async () => {
    server.faults.inject({ kind: 'answer', status: 203, type: 'application/json', body: '[1]' }, { times: 1 });
    const odd = await get('/user');
    expect([odd.status, odd.body]).to.deep.equal([203, [1]]);
    server.faults.inject({ kind: 'drip', ms: 1 }, { times: 1 });
    expect((await get('/user')).status).to.equal(200);
    server.faults.inject({ kind: 'endless' }, { times: 1 });
    const endless = await fetch(`${server.apiUrl}/user`, { headers: { authorization: `Bearer ${token}` } });
    let bytes = 0;
    for await (const chunk of endless.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > 1_000_000) break;
    }
    expect(bytes).to.be.greaterThan(1_000_000);
  });

  it('lead elsewhere, which tells whether it was shown a token', async () => {
    server.faults.inject({ kind: 'redirect-inside' }, { times: 1 });
    const inside = new URL((await get('/user')).headers.get('location') ?? '');
    expect([inside.origin, inside.search]).to.deep.equal([server.url, '?again=1']);
    server.faults.inject({ kind: 'redirect-outside' }, { times: 2 });
    const outside = (await get('/user')).headers.get('location') ?? '';
    expect(new URL(outside).origin).to.not.equal(server.url);
    await (await fetch(outside)).text();
    expect(server.leaked()).to.equal(false);
    await (await fetch(outside, { headers: { authorization: `Bearer ${token}` } })).text();
    expect(server.leaked()).to.equal(true);
  });

  it('limit as the host does', async () => {
    const resetAt = Date.UTC(2026, 0, 1);
    server.faults.inject({ kind: 'primary-limit', resetAt }, { times: 1 });
    const primary = await get('/user');
    expect(primary.status).to.equal(403);
    expect(primary.headers.get('x-ratelimit-remaining')).to.equal('0');
    expect(primary.headers.get('x-ratelimit-reset')).to.equal(String(resetAt / 1000));
    server.faults.inject({ kind: 'secondary-limit', retryAfterSeconds: 7 }, { times: 1 });
    const secondary = await get('/user');
    expect([secondary.status, secondary.headers.get('retry-after')]).to.deep.equal([429, '7']);
  });
});
