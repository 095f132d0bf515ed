import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { fetchBy } from '../../src/http/fetch.js';
import { createShipworthy, type Shipworthy } from '../../src/index.js';

const ORIGIN = 'https://tools.example.org';
const SETUP = { setup_token: 'the-token', email: 'ada@example.org', name: 'Ada', password: 'a long enough phrase' };

describe('the service as a function from Request to Response', () => {
  let shipworthy: Shipworthy;
  let cookie = '';
  const request = (path: string, init: RequestInit = {}): Request =>
    new Request(`${ORIGIN}/shipworthy${path}`, { ...init, headers: { origin: ORIGIN, cookie, ...init.headers } });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Request =>
    request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const openStreams = (): string | undefined => /event_streams (\d+)$/m.exec(shipworthy.metrics())?.[1];

  before(async () => {
    shipworthy = createShipworthy({
      stores: memoryStores(),
      secretKey: randomBytes(32),
      setupToken: SETUP.setup_token,
      baseUrl: new URL('/shipworthy', ORIGIN),
    });
    const { status, headers } = await shipworthy.fetch(post('/api/setup', SETUP));
    expect(status).to.equal(201);
    cookie = headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
  });
  after(() => shipworthy.close());

  it('takes bodies that do not say how long they are, by their very bytes', async () => {
    const key = { 'idempotency-key': 'k-1' };
    const first = await shipworthy.fetch(post('/api/teams', { name: 'Payments' }, key));
    const again = await shipworthy.fetch(post('/api/teams', { name: 'Payments' }, key));
    const other = await shipworthy.fetch(post('/api/teams', { name: 'Others' }, key));
    expect([first.status, again.status, other.status]).to.deep.equal([201, 201, 422]);
    expect(await again.text()).to.equal(await first.text());
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
  });

  it('answers HEAD and what is known already without a body, and nothing of a connection', async () => {
    const made = await shipworthy.fetch(post('/api/teams', { name: 'Known' }));
    const { data } = (await made.json()) as { readonly data: { readonly id: string } };
    const project = await shipworthy.fetch(post(`/api/teams/${data.id}/projects`, { name: 'shop' }));
    const home = (project.headers.get('location') ?? '').replace('/shipworthy', '');
    const release = await shipworthy.fetch(post(`${home}/releases`, { name: '1.0' }));
    const gate = `${(release.headers.get('location') ?? '').replace('/shipworthy', '')}/gate`;
    const document = await shipworthy.fetch(request(gate));
    const etag = document.headers.get('etag') ?? '';
    const known = await shipworthy.fetch(request(gate, { headers: { 'if-none-match': etag } }));
    const head = await shipworthy.fetch(request(gate, { method: 'HEAD' }));
    expect([known.status, known.body, head.status, head.body]).to.deep.equal([304, null, 200, null]);
    for (const { headers } of [document, known, head])
      for (const name of ['connection', 'transfer-encoding', 'keep-alive'])
        expect(headers.has(name), name).to.equal(false);
  });

  it('refuses like the server, also bodies beyond their limit', async () => {
    expect((await shipworthy.fetch(request('/api/nowhere'))).status).to.equal(404);
    const large = await shipworthy.fetch(post('/api/teams', { name: 'x'.repeat(100_000) }));
    expect(large.status).to.equal(413);
    expect(((await large.json()) as { type: string }).type).to.contain('body-too-large');
  });

  it('streams events until the caller cancels', async () => {
    const { status, body } = await shipworthy.fetch(request('/api/events'));
    expect(status).to.equal(200);
    const reader = body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).to.contain('retry:');
    expect(openStreams()).to.equal('1');
    await reader?.cancel();
    while (openStreams() !== '0') await new Promise(setImmediate);
  });

  it('ends a stream of a request that is aborted', async () => {
    const leaving = new AbortController();
    const { body } = await shipworthy.fetch(request('/api/events', { signal: leaving.signal }));
    const reader = body?.getReader();
    await reader?.read();
    leaving.abort();
    while (openStreams() !== '0') await new Promise(setImmediate);
    await reader?.cancel().catch(() => undefined);
  });

  it('rejects a request that was aborted before it came or in the same moment, and the process goes on', async () => {
    const nameOf = (error: Error): string => error.name;
    const early = shipworthy.fetch(request('/api/about', { signal: AbortSignal.abort() })).catch(nameOf);
    const leaving = new AbortController();
    const late = shipworthy.fetch(request('/api/about', { signal: leaving.signal })).catch(nameOf);
    leaving.abort();
    expect(await Promise.all([early, late])).to.deep.equal(['AbortError', 'AbortError']);
    await turn();
  });

  it('refuses methods that nobody knows', async () => {
    const method = 'BREW';
    expect((await shipworthy.fetch(new Request(`${ORIGIN}/shipworthy/api/about`, { method }))).status).to.equal(405);
  });

  it('tells the handler how much of a stream waits for its reader', async () => {
    let response: ServerResponse | undefined;
    const { body } = await fetchBy((_, given) => {
      response = given as ServerResponse;
      response.flushHeaders();
    })(new Request(ORIGIN));
    for (let times = 0; times < 10; times += 1) {
      response?.write(Buffer.alloc(50_000));
      await turn();
    }
    expect(response?.writableLength).to.be.above(400_000);
    const reader = body?.getReader();
    for (let read = 0; read < 500_000; ) read += (await reader?.read())?.value?.length ?? 0;
    expect(response?.writableLength).to.equal(0);
    await reader?.cancel();
  });

  it('says that a body was read before, and takes the bytes that were kept of it', async () => {
    const used = post('/api/teams', { name: 'Used' });
    const bytes = new Uint8Array(await used.arrayBuffer());
    const locked = post('/api/teams', { name: 'Locked' });
    locked.body?.getReader();
    for (const given of [used, locked]) {
      const refused = await shipworthy.fetch(given);
      expect(refused.status).to.equal(500);
      expect(((await refused.json()) as { type: string }).type).to.contain('body-consumed');
    }
    const taken = await shipworthy.fetch(Object.assign(used, { rawBody: bytes }));
    expect(taken.status).to.equal(201);
    expect(await taken.json()).to.have.nested.property('data.name', 'Used');
  });

  /** An answer of 100,000 bytes, and whether the handler's side of it is closed. */
  const written = async () => {
    let isClosed = false;
    const answer = await fetchBy((_, given) => {
      given.once('close', () => {
        isClosed = true;
      });
      given.end(Buffer.alloc(100_000));
    })(new Request(ORIGIN));
    await turn();
    return { answer, isClosed: () => isClosed };
  };

  it('keeps an answer open until it was read or left, so that what waits is counted', async () => {
    const [read, left] = [await written(), await written()];
    expect([read.isClosed(), left.isClosed()]).to.deep.equal([false, false]);
    expect((await read.answer.arrayBuffer()).byteLength).to.equal(100_000);
    await left.answer.body?.cancel();
    await turn();
    expect([read.isClosed(), left.isClosed()]).to.deep.equal([true, true]);
  });

  it('cuts off an answer that is not read', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { answer, isClosed } = await written();
      mock.timers.tick(59_999);
      await turn();
      expect(isClosed()).to.equal(false);
      mock.timers.tick(1);
      await turn();
      expect(isClosed()).to.equal(true);
      expect(await answer.arrayBuffer().catch(String)).to.equal('Error: The answer was not read.');
    } finally {
      mock.timers.reset();
    }
  });

  it('counts those without a key by the address it is told', async () => {
    const ask = async (address: string): Promise<number> => {
      const asked = new Request(`${ORIGIN}/shipworthy/api/about`);
      return (await shipworthy.fetch(asked, { address })).status;
    };
    const statuses = await Promise.all(Array.from({ length: 70 }, () => ask('192.0.2.1')));
    expect(statuses).to.include(429);
    expect(await ask('198.51.100.7')).to.equal(200);
  });
});
