import type { IncomingMessage, RequestListener } from 'node:http';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import type { Person } from '../harness/world.js';

const BATCH_OF_ONE = '[{"app_name":"checkout"}]';

/** A surrounding program whose body parser reads every body, and leaves of it on the request what `keep` says. */
const parserInFront =
  (keep: (bytes: Buffer) => unknown) =>
  (handler: RequestListener): RequestListener =>
  async (request: IncomingMessage & { rawBody?: unknown }, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    await new Promise((resolve) => request.once('end', resolve));
    request.rawBody = keep(Buffer.concat(chunks));
    // As programs do that look something up first.
    setImmediate(() => handler(request, response));
  };

const KEPT: readonly (readonly [string, (bytes: Buffer) => unknown])[] = [
  ['a Buffer', (bytes) => bytes],
  ['a Uint8Array', (bytes) => Uint8Array.from(bytes)],
  ['a string', (bytes) => bytes.toString('utf8')],
];
const NOT_KEPT: readonly (readonly [string, (bytes: Buffer) => unknown])[] = [
  ['nothing', () => undefined],
  ['what the parser made of it', (bytes) => JSON.parse(bytes.toString('utf8') || '{}')],
  ['a body written anew', (bytes) => JSON.stringify(JSON.parse(bytes.toString('utf8') || '{}'), null, 1)],
];

describe('a body that the surrounding program read', () => {
  const started: BareService[] = [];
  let seen: unknown[] = [];
  const start = async (around?: (handler: RequestListener) => RequestListener) => {
    const service = await startBare({
      ...(around && { around }),
      routes: {
        createTeam: async ({ body }, { ports }) => {
          seen.push(body);
          return { status: 201, body: { data: { id: ports.newId(), name: body.name } } } as never;
        },
        importDeployments: async ({ body }) => {
          seen.push(body);
          return { status: 200, body: { data: [] } } as never;
        },
        receiveHook: async (_, { delivery }) => {
          seen.push(String(delivery.body));
          return { status: 200, body: { data: { accepted: true, repeated: false } } } as never;
        },
        listTeams: async () => ({ status: 200, body: { data: [] } }),
      },
    });
    started.push(service);
    return service;
  };
  const createTeam = (service: BareService, ada: Person, body: string, more: object = {}, key = 'k1') =>
    ask(service.url, '/api/teams', {
      method: 'POST',
      headers: { ...cookieOf(ada), 'content-type': 'application/json', 'idempotency-key': key },
      body,
      ...more,
    });
  beforeEach(() => {
    seen = [];
  });
  afterEach(async () => {
    for (const service of started.splice(0)) await service.close();
  });

  for (const [what, keep] of KEPT)
    it(`is taken from rawBody, ${what}, to the byte: keys and signatures are of the raw bytes`, async () => {
      const service = await start(parserInFront(keep));
      const ada = await service.world.person('Ada');
      const raw = '{ "name" : "Zahlungen für alle" }';
      for (const chunked of [false, true]) {
        const answer = await createTeam(service, ada, raw, { chunked });
        expect(answer.status, answer.text).to.equal(201);
        expect(answer.headers['idempotent-replayed']).to.equal(chunked ? 'true' : undefined);
      }
      const written = await createTeam(service, ada, '{"name":"Zahlungen für alle"}');
      expect(written.json?.type).to.equal('/api/docs/problems/idempotency-key-reused');
      const delivery = await ask(service.url, '/api/hooks/github', { method: 'POST', body: raw });
      expect(delivery.status, delivery.text).to.equal(200);
      expect(seen).to.deep.equal([{ name: 'Zahlungen für alle' }, raw]);
    });

  for (const [what, keep] of NOT_KEPT)
    it(`is refused at once where ${what} is left of it, with the reason and the cure, which is logged once`, async () => {
      const service = await start(parserInFront(keep));
      const ada = await service.world.person('Ada');
      for (const key of ['k1', 'k2']) {
        const answer = await createTeam(service, ada, '{"name":  "Payments"}', {}, key);
        expect(answer.status, answer.text).to.equal(500);
        expect(answer.json?.type).to.equal('/api/docs/problems/body-consumed');
        expect(answer.json?.detail).to.match(/rawBody/);
      }
      const errors = (await service.logged()).filter(({ level }) => level === 'error');
      expect(errors).to.have.length(1);
      expect(errors[0]).to.include({ message: 'body consumed', operation: 'createTeam' });
      expect(errors[0]?.error).to.match(/before any body parser/);
      expect((await ask(service.url, '/api/teams', { headers: cookieOf(ada) })).status).to.equal(200);
      expect(seen).to.deep.equal([]);
    });

  it('has the limits of any other body', async () => {
    const service = await start(parserInFront((bytes) => bytes));
    const ada = await service.world.person('Ada');
    const padded = (length: number) => '{"name":"Payments"}'.padEnd(length, ' ');
    expect((await createTeam(service, ada, padded(65_536))).status).to.equal(201);
    for (const chunked of [false, true])
      expect((await createTeam(service, ada, padded(65_537), { chunked }, 'k2')).status).to.equal(413);
    const narrow = await startBare({ around: parserInFront((bytes) => bytes), mostBodyBytes: 40 });
    started.push(narrow);
    const grace = await narrow.world.person('Grace');
    expect((await createTeam(narrow, grace, padded(30))).status).to.equal(429);
  });

  it('may be empty, and be sent in chunks', async () => {
    const service = await start(parserInFront(() => undefined));
    const ada = await service.world.person('Ada');
    const answer = await createTeam(service, ada, '', { chunked: true });
    expect(answer.json?.type, answer.text).to.equal('/api/docs/problems/malformed-json');
  });

  it('is refused where only a part of it was read, and read by us where nothing was', async () => {
    const service = await start((handler) => (request, response) => {
      if (request.headers['x-read'] === undefined) setImmediate(() => handler(request, response));
      else
        request.once('data', () => {
          request.pause();
          handler(request, response);
        });
    });
    const ada = await service.world.person('Ada');
    expect((await createTeam(service, ada, '{"name":"Payments"}')).status).to.equal(201);
    const headers = { ...cookieOf(ada), 'x-read': 'yes' };
    const answer = await ask(service.url, '/api/deployments/batch', { method: 'POST', headers, body: BATCH_OF_ONE });
    expect(answer.json?.type, answer.text).to.equal('/api/docs/problems/body-consumed');
  });

  it('that a caller never finished is no fault', async () => {
    const service = await start((handler) => (request, response) => {
      request.once('close', () => handler(request, response));
      response.socket?.destroy();
    });
    const failure = await ask(service.url, '/api/session', { method: 'POST', body: '{}' }).catch((error) => error.code);
    expect(failure).to.equal('ECONNRESET');
    expect((await service.logged()).filter(({ level }) => level === 'error')).to.deep.equal([]);
  });
});
