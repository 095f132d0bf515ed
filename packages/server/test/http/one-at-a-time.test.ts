import { connect } from 'node:net';
import { expect } from 'chai';
import { closeServer, handleWith, openServer } from '../../src/http/listener.js';

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
