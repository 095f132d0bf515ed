import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import type { RawInput } from '../src/call.js';
import { rowsOf } from '../src/client.js';
import { operations } from '../src/contract/operations.js';
import { ConnectionError, createClient, createClientOf, TimeoutError } from '../src/index.js';
import { type Answering, answering } from './answering.js';
import { deployment, failureOf } from './records.js';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('createClient', () => {
  it('has a method for every operation that is no stream, frozen', () => {
    const client = createClient({ baseUrl: 'https://acme.dev' });
    const ids = Object.keys(operations).filter((id) => id !== 'followEvents');
    expect(Object.keys(client)).to.have.members([...ids, 'pages']);
    for (const id of ids) expect(client).to.have.property(id).that.is.a('function');
    expect(Object.isFrozen(client) && Object.isFrozen(client.pages)).to.equal(true);
  });
});

describe('createClientOf', () => {
  const TEAMS = ['GET', '/api/teams'] as const;
  const PEOPLE = ['GET', '/api/people', 'paged'] as const;

  it('has the operations that it is given and no other, the paged ones under pages too', async () => {
    const asked: string[] = [];
    const fetch = async (url: string | URL | Request): Promise<Response> => {
      const { pathname, search } = new URL(String(url));
      asked.push(pathname + search);
      const next = search === '' ? 'second' : null;
      return Response.json({ data: [{ id: asked.length }], next_cursor: next });
    };
    const options = { baseUrl: 'https://acme.dev', fetch };
    const client = createClientOf(options, { listTeams: TEAMS, listPeople: PEOPLE });
    expect(Object.keys(client)).to.deep.equal(['listTeams', 'listPeople', 'pages']);
    expect(Object.keys(client.pages)).to.deep.equal(['listPeople']);
    expect(Object.isFrozen(client) && Object.isFrozen(client.pages)).to.equal(true);
    expect((await client.listTeams()).body.data).to.have.length(1);
    const people: string[] = [];
    for await (const { id } of client.pages.listPeople({})) people.push(id);
    expect(people).to.have.length(2);
    expect(asked).to.deep.equal(['/api/teams', '/api/people', '/api/people?cursor=second']);
  });

  it('takes no operation but as the contract has it', () => {
    const options = { baseUrl: 'https://acme.dev' };
    const never = () => [
      // @ts-expect-error another method
      createClientOf(options, { listTeams: ['POST', '/api/teams'] }),
      // @ts-expect-error without its trait
      createClientOf(options, { listPeople: ['GET', '/api/people'] }),
      // @ts-expect-error an operation that was not given
      createClientOf(options, { listTeams: TEAMS }).readGate,
    ];
    expect(never).to.be.a('function');
  });
});

describe('createClient on a real connection', () => {
  let server: Answering | undefined;
  const start = async (listener: Parameters<typeof answering>[0]): Promise<Answering> => {
    server = await answering(listener);
    return server;
  };
  afterEach(() => server?.close());

  it('sends again after a cut before the answer, in the headers and in the body', async () => {
    const { url, requests } = await start((request, response) => {
      request.resume();
      if (requests.length === 1) return void request.socket.destroy();
      if (requests.length === 2) {
        response.writeHead(201, { ...JSON_TYPE, 'content-length': 999 });
        return void response.write('{"data": ', () => request.socket.destroy());
      }
      response.writeHead(201, JSON_TYPE).end('{"data": {}}');
    });
    const client = createClient({ baseUrl: url, apiKey: 'swk_k', random: () => 0 });
    expect(await client.recordDeployment({ body: deployment })).to.include({ attempts: 3, status: 201 });
    const keys = requests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).to.equal(1);
    expect(requests[0]?.headers.authorization).to.equal('Bearer swk_k');
  });

  it('names the fault when the port is closed', async () => {
    const { url, close } = await answering(() => undefined);
    await close();
    const error = await failureOf(createClient({ baseUrl: url, random: () => 0 }).listTeams());
    expect(error).to.be.instanceOf(ConnectionError).and.to.include({ code: 'ECONNREFUSED', attempts: 4 });
  });

  it('ends within its time when no answer comes, one byte at a time comes, or the service stays busy', async () => {
    let drip: NodeJS.Timeout | undefined;
    const { url } = await start((request, response) => {
      if (request.url === '/api/teams') return;
      if (request.url === '/api/whoami') return void response.writeHead(503, { 'retry-after': '0' }).end();
      response.writeHead(200, JSON_TYPE);
      drip = setInterval(() => response.write(' '), 20);
    });
    const client = createClient({ baseUrl: url, timeoutMs: 250, retries: 10_000, random: () => 0.1 });
    const within = async (call: () => Promise<unknown>) => {
      const begin = performance.now();
      const error = await failureOf(call());
      // Timers may fire up to a millisecond early.
      expect(performance.now() - begin).to.be.at.least(249);
      return error;
    };
    expect(await within(() => client.listTeams()))
      .to.be.instanceOf(TimeoutError)
      .and.to.include({ timeoutMs: 250 });
    expect(await within(() => client.readPortfolio())).to.be.instanceOf(TimeoutError);
    clearInterval(drip);
    const busy = await within(() => client.whoAmI({ timeoutMs: 2_000 }));
    expect(busy).to.have.property('attempts').greaterThan(2);
  });

  it('uses an answer that came while this process was held up, instead of a time-out', async () => {
    // Answers beside this thread, which is busy.
    const answering = new Worker(
      `const { createServer } = require('node:http');
       const server = createServer((request, response) => response.setHeader('content-type', 'application/json').end('{"data": []}'));
       server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port));`,
      { eval: true },
    );
    const [port] = await once(answering, 'message');
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, retries: 0 });
    await client.listTeams();
    const answer = client.listTeams({ timeoutMs: 500 });
    await setImmediate();
    for (const end = performance.now() + 1_500; performance.now() < end; );
    expect((await answer).status).to.equal(200);
    await answering.terminate();
  });

  it('takes a time limit for one call', async () => {
    const { url } = await start(() => undefined);
    const error = await failureOf(createClient({ baseUrl: url }).listTeams({ timeoutMs: 50 }));
    expect(error).to.be.instanceOf(TimeoutError).and.to.include({ timeoutMs: 50, attempts: 1 });
    const endless = createClient({ baseUrl: url }).listTeams({ timeoutMs: Number.POSITIVE_INFINITY });
    expect(await failureOf(endless)).to.be.instanceOf(TypeError);
  });

  it("ends with the reason of the caller's signal: beforehand, under way and while waiting", async () => {
    let changeMind = () => {};
    const { url, requests } = await start((request, response) => {
      setTimeout(() => changeMind(), 60);
      if (request.url === '/api/teams') return;
      response.writeHead(503, { 'retry-after': '5' }).end();
    });
    const client = createClient({ baseUrl: url });
    const reason = new Error('changed my mind');
    expect(await failureOf(client.listTeams({ signal: AbortSignal.abort(reason) }))).to.equal(reason);
    expect(requests).to.have.length(0);
    for (const call of [client.listTeams, client.whoAmI]) {
      const controller = new AbortController();
      changeMind = () => controller.abort(reason);
      expect(await failureOf(call({ signal: controller.signal }))).to.equal(reason);
    }
    expect(requests).to.have.length(2);
  });

  it('lets go of the signal after each call', async () => {
    const { url } = await start((_, response) => response.writeHead(200, JSON_TYPE).end('{"data": []}'));
    const client = createClient({ baseUrl: url });
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await Promise.all([client.listTeams({ signal }), client.listTeams({ signal })]);
    expect(listeners).to.equal(0);
  });

  it('takes the rows of all pages', async () => {
    const { url } = await start((request, response) => {
      const second = new URL(request.url ?? '', 'http://x').searchParams.get('cursor') === 'b';
      response.writeHead(200, JSON_TYPE);
      response.end(JSON.stringify(second ? { data: [3], next_cursor: null } : { data: [1, 2], next_cursor: 'b' }));
    });
    const client = createClient({ baseUrl: url });
    const rows: unknown[] = [];
    for await (const row of client.pages.listDeployments({ path: { team_id: 't', project_id: 'p' } })) rows.push(row);
    expect(rows).to.deep.equal([1, 2, 3]);
  });
});

type Page = { readonly data: readonly number[]; readonly next_cursor?: string | null };

const listOf = (pages: Readonly<Record<string, Page>>) => {
  const asked: RawInput[] = [];
  const call = async (input: RawInput) => {
    asked.push(input);
    return { body: pages[String(input.query?.cursor ?? 'first')] };
  };
  return { asked, call };
};

const take = async (rows: AsyncIterable<unknown>): Promise<readonly unknown[]> => {
  const taken: unknown[] = [];
  for await (const row of rows) taken.push(row);
  return taken;
};

describe('rowsOf', () => {
  it('takes all rows in order, over empty pages too, keeping the rest of the input', async () => {
    const { asked, call } = listOf({
      first: { data: [1, 2], next_cursor: 'b' },
      b: { data: [], next_cursor: 'c' },
      c: { data: [3], next_cursor: null },
    });
    const input = { path: { team_id: 't' }, query: { limit: 2 } };
    expect(await take(rowsOf(call, input))).to.deep.equal([1, 2, 3]);
    expect(asked).to.deep.equal([
      input,
      { ...input, query: { limit: 2, cursor: 'b' } },
      { ...input, query: { limit: 2, cursor: 'c' } },
    ]);
  });

  it('takes what is answered at once, without pages', async () => {
    const { asked, call } = listOf({ first: { data: [1, 2] } });
    expect(await take(rowsOf(call, {}))).to.deep.equal([1, 2]);
    expect(asked).to.have.length(1);
  });

  it('asks for no page before its rows are wanted', async () => {
    const { asked, call } = listOf({ first: { data: [1, 2], next_cursor: 'b' } });
    for await (const row of rowsOf(call, {})) if (row === 2) break;
    expect(asked).to.have.length(1);
  });

  it('starts where the caller says and does not run in a circle', async () => {
    const { call } = listOf({ b: { data: [1], next_cursor: 'b' } });
    const rows = rowsOf(call, { query: { cursor: 'b' } });
    expect(await rows.next()).to.deep.equal({ value: 1, done: false });
    const error = await rows.next().catch((reason: unknown) => reason);
    expect(error).to.have.property('message').that.includes('same page');
  });
});
