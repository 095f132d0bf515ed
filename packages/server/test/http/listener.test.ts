import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { closeServer, fetchBy, handleWith, openServer, shareConnections } from '../../src/http/listener.js';
import { createShipworthy, type Shipworthy } from '../../src/index.js';

const raw = (port: number, text: string) =>
  new Promise<string>((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.once('close', () => resolve(answer));
  });

describe('openServer', () => {
  const open = async () => {
    const { server, url } = await openServer({ host: '127.0.0.1', port: 0 });
    handleWith(server, (_, response) => response.end('ok'));
    return { server, port: Number(url.port), url };
  };

  it('answers what is not HTTP as a problem and closes', async () => {
    const { server, port } = await open();
    const refusals: readonly (readonly [string, number])[] = [
      ['nonsense\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      ['GET / HTTP/1.1\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', 400],
      ['GET / HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n\r\n', 417],
      ['CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n\r\n', 400],
    ];
    for (const [text, status] of refusals) {
      const answer = await raw(port, text);
      expect(answer, text.slice(0, 60)).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).to.contain('application/problem+json').and.contain(`"status":${status},"detail":"The `);
    }
    await closeServer(server, 1000);
  });

  it('needs no Host from HTTP/1.0', async () => {
    const { server, port } = await open();
    expect(await raw(port, 'GET / HTTP/1.0\r\n\r\n')).to.match(/^HTTP\/1\.1 200 /);
    await closeServer(server, 1000);
  });

  it('has limits in time for slow senders', async () => {
    const { server, url } = await open();
    expect(server).to.include({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 });
    expect(server.timeout, 'who stops reading').to.equal(30_000);
    expect(url.hostname).to.equal('127.0.0.1');
    await closeServer(server, 1000);
  });

  it('closes what is more than it may have open, and goes on with the others', async () => {
    const { server, url } = await openServer({ host: '127.0.0.1', port: 0, mostConnections: 2 }, true);
    handleWith(server, (_, response) => response.end('ok'));
    const port = Number(url.port);
    const held = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all(held.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    const third = connect(port, '127.0.0.1').on('error', () => undefined);
    await new Promise((resolve) => third.once('close', resolve));
    const [first, second] = held;
    const answer = new Promise<string>((resolve) => first?.once('data', (chunk) => resolve(String(chunk))));
    first?.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await answer).to.match(/^HTTP\/1\.1 200 /);
    for (const socket of [first, second]) socket?.destroy();
    await closeServer(server, 1000);
  });

  it('gives a network a quarter of all connections, and proxies in front as many as there are', async () => {
    for (const [behindProxies, most] of [
      [false, 2],
      [true, 8],
    ] as const) {
      const { server, url } = await openServer({ host: '127.0.0.1', port: 0, mostConnections: 8 }, behindProxies);
      handleWith(server, (_, response) => response.end('ok'));
      const sockets: Socket[] = [];
      /** Whether one more connection, which stays open, is answered on. */
      const isAnswered = () =>
        new Promise<boolean>((resolve) => {
          const socket = connect(Number(url.port), '127.0.0.1').on('error', () => undefined);
          sockets.push(socket.once('data', () => resolve(true)).once('close', () => resolve(false)));
          socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        });
      for (let count = 0; count < most; count += 1) expect(await isAnswered()).to.equal(true);
      expect(await isAnswered()).to.equal(false);
      sockets[0]?.destroy();
      // The place is free once the server saw that connection end.
      while (!(await isAnswered()));
      for (const socket of sockets) socket.destroy();
      await closeServer(server, 1000);
    }
  });

  it('keeps connections for other networks when four take as many as they can', () => {
    const server = new EventEmitter();
    shareConnections(server, 64);
    /** Whether one more connection of the network stays open. */
    const isOpen = (network: number): boolean => {
      let open = true;
      const destroy = () => {
        open = false;
      };
      server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress: `192.0.2.${network}`, destroy }));
      return open;
    };
    const taken = [1, 2, 3, 4].map((network) => {
      let count = 0;
      while (isOpen(network)) count += 1;
      return count;
    });
    expect(taken).to.deep.equal([16, 12, 9, 7]);
    expect(isOpen(5)).to.equal(true);
  });

  it('closes the connection of a client that stops reading', async () => {
    const { server, url } = await openServer({ host: '127.0.0.1', port: 0 });
    server.timeout = 100;
    handleWith(server, (_, response) => response.end(Buffer.alloc(16 << 20)));
    const socket = connect(Number(url.port), '127.0.0.1');
    const closed = new Promise((resolve) => server.once('connection', (served) => served.once('close', resolve)));
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await closed;
    socket.destroy();
    await closeServer(server, 1000);
  });

  it('does not wait for a connection on which nothing was ever sent', async () => {
    const { server, port } = await open();
    const taken = new Promise((resolve) => server.once('connection', resolve));
    const unused = raw(port, '');
    await taken;
    await closeServer(server, 1_000_000);
    expect(await unused, 'nor tells it that it was too slow').to.equal('');
  });

  it('is cut off in the end', async () => {
    const { server, port } = await openServer({ host: '127.0.0.1', port: 0 }).then((opened) => ({
      ...opened,
      port: Number(opened.url.port),
    }));
    const taken = new Promise<void>((resolve) => handleWith(server, () => resolve()));
    const unanswered = raw(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await taken;
    const from = performance.now();
    await closeServer(server, 200);
    expect(performance.now() - from).to.be.at.least(190);
    expect(await unanswered).to.equal('');
  });
});

/** Sends a text on one connection and reads until `wanted` answers came or it is closed. */
const answersTo = (port: number, text: string, wanted: number): Promise<readonly string[]> =>
  new Promise((resolve) => {
    let read = '';
    const bodies = () => [...read.matchAll(/<([^>]*)>/g)].map(([, body = '']) => body);
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      read += chunk;
      if (bodies().length >= wanted) socket.destroy();
    });
    socket.once('close', () => resolve(bodies()));
  });

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const gets = (count: number): string => Array.from({ length: count }, (_, nth) => get(`/${nth}`)).join('');

describe('requests that are sent ahead on one connection', () => {
  const open = async (handler: Parameters<typeof handleWith>[1]) => {
    const { server, url } = await openServer({ host: '127.0.0.1', port: 0 });
    handleWith(server, handler);
    return { port: Number(url.port), end: () => closeServer(server, 1000) };
  };

  it('are answered in their order, each once the one before is answered, in a turn of its own', async () => {
    let [turn, underWay] = [0, 0];
    const [turns, together]: [number[], number[]] = [[], []];
    const { port, end } = await open((request, response) => {
      underWay += 1;
      together.push(underWay);
      turns.push(turn);
      setImmediate(() => {
        turn += 1;
        underWay -= 1;
        response.end(`<${request.url}>`);
      });
    });
    expect(await answersTo(port, gets(100), 100)).to.deep.equal(Array.from({ length: 100 }, (_, nth) => `/${nth}`));
    expect(Math.max(...together), 'at the same time').to.equal(1);
    expect(new Set(turns).size, 'turns').to.equal(100);
    await end();
  });

  it('let another connection be answered in between, also where the answer needs no wait', async () => {
    const asked: string[] = [];
    const { port, end } = await open((request, response) => {
      asked.push(request.url ?? '');
      response.end(`<${request.url}>`);
    });
    await Promise.all([answersTo(port, gets(100), 100), answersTo(port, get('/other'), 1)]);
    expect(asked.indexOf('/other')).to.be.lessThan(asked.indexOf('/99'));
    await end();
  });

  it('end the connection when there are thousands, of which few are handed on', async () => {
    let handed = 0;
    const { port, end } = await open((_, response) => {
      handed += 1;
      response.end('<>');
    });
    await answersTo(port, gets(20_000), 20_000);
    expect(handed).to.be.lessThan(1000);
    await end();
  });

  it('keep their bodies, of which a part may come later', async () => {
    const { port, end } = await open(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.end(`<${request.url} ${body.length}>`);
    });
    const post = (path: string, length: number): string =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${'b'.repeat(length)}`;
    const text = [post('/a', 10), get('/b'), post('/c', 1_000_000), post('/d', 300_000), get('/e')].join('');
    expect(await answersTo(port, text, 5)).to.deep.equal(['/a 10', '/b 0', '/c 1000000', '/d 300000', '/e 0']);
    await end();
  });

  it('are not carried out after an answer that closes the connection', async () => {
    const asked: string[] = [];
    const { port, end } = await open((request, response) => {
      asked.push(request.url ?? '');
      response.end(`<${request.url}>`);
    });
    const last = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await answersTo(port, `${get('/first')}GET /bad HTTP/1.1\r\n\r\n${get('/next')}`, 3)).to.deep.equal([
      '/first',
    ]);
    expect(await answersTo(port, last, 2)).to.deep.equal(['/last']);
    expect(asked).to.deep.equal(['/first', '/last']);
    await end();
  });
});

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

  it('refuses an unknown method', async () => {
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
