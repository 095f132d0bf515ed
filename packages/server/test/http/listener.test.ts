import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { closeServer, handleWith, openServer, shareConnections } from '../../src/http/listener.js';

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
