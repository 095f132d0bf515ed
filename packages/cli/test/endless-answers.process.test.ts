import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startShipworthy } from './shipworthy-process.js';
import { runIn, type StandIn, standIn } from './stand-in.js';

const MIB = 2 ** 20;

describe('answers and faults without an end', () => {
  let world: StandIn;
  let server: Server | undefined;
  beforeEach(async () => {
    world = await standIn();
  });
  afterEach(async () => {
    server?.close();
    server?.closeAllConnections();
    await world.remove();
  });

  /** Starts what answers every request so; answers the environment that leads to it. */
  const serve = async (answer: Parameters<typeof createServer>[1]) => {
    const started = createServer(answer as never);
    server = started;
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
    return { SHIPWORTHY_API_URL: url, SHIPWORTHY_API_KEY: 'swk_abcdefgh12345678', SHIPWORTHY_APP: 'checkout' };
  };
  const run = (env: Readonly<Record<string, string>>, ...argv: readonly string[]) =>
    startShipworthy(world.folder, env, ...argv).ended;

  it('end the gate with 5 and the limit, with any --on-unavailable', async () => {
    const piece = Buffer.alloc(MIB, ' ');
    const env = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        if (response.destroyed) return;
        if (response.write(piece)) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    for (const words of [['gate'], ['gate', '--on-unavailable', 'go'], ['releases']]) {
      const { exit, err } = await run(env, ...words);
      expect([exit, err.includes('more than 32 MiB')], err).to.deep.equal([5, true]);
    }
  });

  it('are not let in compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MIB, ' '));
    const env = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb),
    );
    const { exit, err } = await run(env, 'gate');
    expect([exit, err.includes('more than 32 MiB')], err).to.deep.equal([5, true]);
  });

  it('end with 5 where a list leads on and on', async () => {
    const teams = { id: 't', name: 'T', projects: [{ id: 'p', name: 'checkout', active_release: null }] };
    let pages = 0;
    const fetch: typeof globalThis.fetch = async (input) => {
      if (!String(input).includes('/releases')) return Response.json({ data: [teams] });
      pages += 1;
      return Response.json({ data: [], next_cursor: `page-${pages}` });
    };
    const env = { SHIPWORTHY_API_URL: 'http://127.0.0.1:9', SHIPWORTHY_API_KEY: 'swk_abcdefgh12345678' };
    for (const words of [['gate', '--release', '1.0', '--on-unavailable', 'go'], ['releases']]) {
      const { exit, err } = await runIn({ ...world, env: { ...world.env, ...env }, fetch }, ...words);
      expect([exit, err.includes('/next_cursor: leads on without an end')], err).to.deep.equal([5, true]);
    }
  });

  describe('that came and cannot be read', () => {
    const report = '{"data":{"gate":{"decision":"hold"}}}';
    const json = { 'content-type': 'application/json' };
    const more = (member: string) => `${report.slice(0, -1)},"more":${member}}`;
    /** Some of these answers are asked for again until the time is over. */
    const gate = (env: Readonly<Record<string, string>>, seconds = 15) =>
      run(env, '--timeout', `${seconds}`, 'gate', '--on-unavailable', 'go');

    for (const [name, headers, body] of [
      ['nested without end', {}, more(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`)],
      ['with a text without end', {}, more(`"${'a'.repeat(25 * MIB)}"`)],
      ['not packed by gzip as they say', { 'content-encoding': 'gzip' }, report],
      ['not packed by br as they say', { 'content-encoding': 'br' }, report],
      ['with a head without end', { 'x-more': 'a'.repeat(60_000) }, report],
    ] as const)
      it(`are no server that cannot be reached: ${name}`, async () => {
        const teams = {
          id: 't',
          name: 'T',
          projects: [{ id: 'p', name: 'checkout', active_release: { id: 'r', name: '1' } }],
        };
        const env = await serve(({ url = '' }, response) => {
          if (url.includes('/readiness')) response.writeHead(200, { ...json, ...headers }).end(body);
          else response.writeHead(200, json).end(JSON.stringify({ data: [teams] }));
        });
        const { exit, err } = await gate(env);
        expect([exit, err.includes('cannot be read')], err).to.deep.equal([5, true]);
      });

    it('are no server that cannot be reached: not HTTP, but one that hangs up is', async () => {
      // It is asked again until the time is over, which ends with 0 as well.
      for (const [answer, expected, seconds] of [
        ['SSH-2.0-OpenSSH\r\n', 5, 15],
        ['', 0, 1],
      ] as const) {
        const other = createTcpServer((socket) => {
          socket.on('error', () => undefined);
          socket.once('data', () => socket.end(answer));
        });
        await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
        const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
        const env = { SHIPWORTHY_API_URL: url, SHIPWORTHY_API_KEY: 'swk_abcdefgh12345678' };
        const { exit, err } = await gate(env, seconds);
        other.close();
        expect(exit, err).to.equal(expected);
      }
    });
  });

  for (const [name, code] of [
    [
      'thrown',
      'setInterval(()=>{if(process.listenerCount("SIGINT"))throw(new(Error)("swk_abcdefgh12345678\\n::error::a##[b]"))},10)',
    ],
    [
      'rejected',
      'setInterval(()=>{if(process.listenerCount("SIGINT"))Promise.reject(new(Error)("swk_abcdefgh12345678\\n::error::a##[b]"))},10)',
    ],
  ] as const)
    it(`end the command with one line and 1 on an uncaught fault that is ${name}`, async () => {
      const env = await serve(() => undefined);
      const faulty = { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
      const { exit, err, out } = await run(faulty, 'gate');
      expect([exit, out]).to.deep.equal([1, '']);
      expect(err.trim().split('\n')).to.deep.equal([
        'unexpected error: Error: [hidden] : :error: :a## [b] (SHIPWORTHY_DEBUG=1 says where)',
      ]);
      const debugged = await run({ ...faulty, SHIPWORTHY_DEBUG: '1' }, 'gate');
      expect(debugged.exit).to.equal(1);
      expect(debugged.err).to.match(/\n {4}at /);
    });
});
