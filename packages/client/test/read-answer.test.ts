import { expect } from 'chai';
import { createClient, ResponseShapeError } from '../src/index.js';
import { readAnswer, retryAfter, shapeFaults } from '../src/read-answer.js';
import { type CalledId, ROUTES, type Route } from '../src/routes.js';
import { problem } from './records.js';

const known = {
  operation: 'listTeams',
  route: ROUTES.listTeams,
  attempts: 1,
  idempotencyKey: null,
  conditional: false,
} as const;
const hide = (text: string) => text.replaceAll('secret', '[API key]');
const read = (body: string | null, init: ResponseInit & { headers?: Record<string, string> }) =>
  readAnswer(new Response(body, init), known, hide);

const json = { 'content-type': 'application/json; charset=utf-8' };

describe('readAnswer', () => {
  it('reads JSON of any media type', async () => {
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.acme.v2+json']) {
      expect(await read('{"data":1}', { headers: { 'content-type': type } })).to.deep.include({ body: { data: 1 } });
    }
  });

  it('reads no more of an endless answer than the limit', async () => {
    let sent = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 2 ** 20;
        controller.enqueue(new Uint8Array(2 ** 20).fill(0x20));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const error = await readAnswer(new Response(endless, { headers: json }), known, hide);
    expect(error).to.include({ name: 'AnswerTooLargeError', status: 200, limitBytes: 32 * 2 ** 20 });
    expect(error).to.have.property('message', 'listTeams: answered 200 with more than 32 MiB');
    expect([cancelled, sent < 40 * 2 ** 20]).to.deep.equal([true, true]);
  });

  it('reads an answer of exactly the limit, whose characters may lie across its pieces', async () => {
    const text = `{"data":"${'é'.repeat(5)}"}`;
    const body = `${text}${' '.repeat(32 * 2 ** 20 - new TextEncoder().encode(text).length)}`;
    expect(await read(body, { headers: json })).to.deep.include({ body: { data: 'ééééé' } });
    const bytes = new TextEncoder().encode(text);
    const pieces = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    expect(await readAnswer(new Response(pieces, { headers: json }), known, hide)).to.deep.include({
      body: { data: 'ééééé' },
    });
  });

  it('says what arrived when it is no JSON', async () => {
    const page = await read('<html>\n<h1>Sign in to  the proxy</h1>', { headers: { 'content-type': 'text/html' } });
    expect(page).to.include({ name: 'UnexpectedAnswerError', status: 200, contentType: 'text/html' });
    expect(page).to.have.property(
      'message',
      'listTeams: answered 200 with text/html instead of JSON: <html> <h1>Sign in to the proxy</h1>',
    );
    expect(await read('{"data": [1,', { headers: json })).to.include({ name: 'UnexpectedAnswerError' });
    expect(await read('', { headers: json })).to.include({ name: 'UnexpectedAnswerError', excerpt: '' });
    const bare = await readAnswer(new Response(new Blob([])), known, hide);
    expect(bare).to.include({ name: 'UnexpectedAnswerError', contentType: null });
    expect(await read('x'.repeat(999), { headers: json }))
      .to.have.property('excerpt')
      .with.length(200);
  });

  it('reads a problem with every fault and further members', async () => {
    const errors = [{ pointer: '/status', code: 'enum', message: 'must be one of three' }];
    const error = await read(JSON.stringify(problem(422, 'invalid', { errors, hint: 'x' })), {
      status: 422,
      headers: { 'content-type': 'application/problem+json', 'x-request-id': 'r-1', 'retry-after': '3' },
    });
    expect(error).to.deep.include({ status: 422, type: 'invalid', title: 'A title', detail: 'A detail.', errors });
    expect(error).to.include({ requestId: 'r-1', retryAfterMs: 3000, message: 'listTeams: 422 A detail.' });
    expect(error).to.have.nested.property('problem.hint', 'x');
  });

  it('goes by the status that arrived, not by the one a body claims', async () => {
    const claimed = await read(JSON.stringify(problem(200, 'x')), { status: 503, headers: json });
    expect(claimed).to.include({ name: 'ProblemError', status: 503 });
    const ok = await read(JSON.stringify(problem(404, 'x')), { status: 200, headers: json });
    expect(ok).to.include({ status: 200, unchanged: false });
  });

  it('treats a redirect as one, with any body', async () => {
    const moved = await read(JSON.stringify(problem(302, 'x')), { status: 302, headers: json });
    expect(moved).to.include({ name: 'UnexpectedAnswerError', status: 302 });
  });

  it('reports an error answer that is no problem as such', async () => {
    for (const body of ['null', '[]', '{}', '{"type":1,"status":404}', '{"type":"x","status":"404"}']) {
      expect(await read(body, { status: 404, headers: json }), body).to.include({ name: 'UnexpectedAnswerError' });
    }
  });

  it('quotes nothing secret', async () => {
    const headers = { 'content-type': 'text/secret', 'x-request-id': 'secret' };
    for (const status of [200, 302, 500]) {
      const error = await read('you sent secret', { status, headers });
      expect(JSON.stringify(error) + String(error)).not.to.include('secret');
    }
    const refused = await read(JSON.stringify(problem(401, 'secret')), { status: 401, headers: json });
    expect(refused).to.have.property('type', '[API key]');
  });

  it('accepts a 304 only where an ETag was sent', async () => {
    expect(await read(null, { status: 304 })).to.include({ name: 'UnexpectedAnswerError', status: 304 });
    const asked = await readAnswer(new Response(null, { status: 304 }), { ...known, conditional: true }, hide);
    expect(asked).to.include({ status: 304, unchanged: true });
  });

  it('reads a problem whose members are missing or wrong without inventing any', async () => {
    const body = { type: 'invalid', status: 422, title: 7, errors: [{ pointer: '/a', message: 'no' }, null, {}, 'x'] };
    const error = await read(JSON.stringify(body), { status: 422, headers: json });
    expect(error).to.deep.include({ title: '', detail: '', errors: [{ pointer: '/a', message: 'no' }] });
    const listless = await read(JSON.stringify({ ...body, errors: 'all' }), { status: 422, headers: json });
    expect(listless).to.deep.include({ errors: [] });
  });
});

describe('retryAfter', () => {
  const of = (value: string, date?: string) =>
    retryAfter(new Headers({ 'retry-after': value, ...(date === undefined ? {} : { date }) }));

  it('reads seconds', () => {
    expect(of('0')).to.equal(0);
    expect(of(' 7 ')).to.equal(7000);
  });

  it("reads dates by the answer's own clock, never below 0", () => {
    const date = 'Fri, 20 Nov 2026 09:30:00 GMT';
    expect(of('Fri, 20 Nov 2026 09:30:09 GMT', date)).to.equal(9000);
    expect(of('Fri, 20 Nov 2026 09:29:00 GMT', date)).to.equal(0);
  });

  it('reads dates by the own clock when the answer has none', () => {
    const soon = new Date(performance.timeOrigin + performance.now() + 60_000).toUTCString();
    expect(of(soon)).to.be.within(55_000, 60_000);
  });

  it('returns undefined for every other answer', () => {
    for (const text of ['', 'soon', '-']) expect(of(text), text).to.equal(null);
    expect(retryAfter(new Headers())).to.equal(null);
  });
});

const faults = (operation: CalledId, value: unknown) => {
  const text = JSON.stringify(value);
  const [, , trait]: Route = ROUTES[operation];
  return shapeFaults(operation, trait, text, JSON.parse(text));
};

/** An answer that holds the decision and members of a later version, none of those of this one. */
const DECIDED = {
  readGate: (decision: unknown) => ({ data: { decision, later: {} } }),
  readReadiness: (decision: unknown) => ({ later: 1, data: { gate: { decision } } }),
  readActiveReadiness: (decision: unknown) => ({ data: { gate: { decision, later: [] } } }),
  askWhatIf: (decision: unknown) => ({ data: { report: { gate: { decision } }, before: { decision } } }),
  readPortfolio: (decision: unknown) => ({ data: [{ readiness: null }, { readiness: { decision } }] }),
} as const;
const OPERATIONS = Object.keys(DECIDED) as readonly (keyof typeof DECIDED)[];

describe('shapeFaults', () => {
  it('finds none where the decision is one of the three words, with any other members', () => {
    for (const operation of OPERATIONS)
      for (const word of ['go', 'hold', 'unknown'])
        expect(faults(operation, DECIDED[operation](word))).to.deep.equal([]);
    expect(faults('readPortfolio', { data: [] })).to.deep.equal([]);
    expect(
      faults('readGate', { data: { decision: 'go', 'a "decision": ': '"decision":{', x: [{ y: {} }] } }),
    ).to.deep.equal([]);
  });

  it('names where a decision is missing or none of them', () => {
    for (const word of ['GO', 'go ', '', null, undefined, 0, true, ['go'], { go: true }, 'constructor', '__proto__']) {
      expect(faults('readGate', DECIDED.readGate(word))).to.deep.equal(['/data/decision']);
      expect(faults('readReadiness', DECIDED.readReadiness(word))).to.deep.equal(['/data/gate/decision']);
      expect(faults('readPortfolio', DECIDED.readPortfolio(word))).to.deep.equal(['/data/1/readiness/decision']);
      expect(faults('askWhatIf', DECIDED.askWhatIf(word))).to.have.length(2);
    }
    for (const value of [null, 1, 'go', [], {}, { data: null }, { data: [{}] }])
      for (const operation of OPERATIONS) expect(faults(operation, value), operation).not.to.deep.equal([]);
    expect(
      shapeFaults(
        'readGate',
        undefined,
        '{"__proto__":{"data":{"decision":"go"}}}',
        JSON.parse('{"__proto__":{"data":{"decision":"go"}}}'),
      ),
    ).to.deep.equal(['/data/decision']);
  });

  it('finds an answer ambiguous where a member appears twice in one object', () => {
    for (const text of [
      '{"data":{"decision":"hold","decision":"go"}}',
      '{"data":{"decision":"hold"}, "data" : {"decision":"go"}}',
      '{"data":{"decision":"go","x":{"a":1,"a":2}}}',
    ])
      expect(shapeFaults('readGate', undefined, text, JSON.parse(text)), text).to.deep.equal(['']);
    const once = '{"data":{"decision":"go","text":"a\\\\\\":\\"b\\":","list":["a",{"a":1},{"a":2}]}}';
    expect(shapeFaults('readGate', undefined, once, JSON.parse(once))).to.deep.equal([]);
  });

  it('finds what is no page, and nothing in what the client does not read', () => {
    expect(faults('listReleases', { data: [], next_cursor: null, later: 1 })).to.deep.equal([]);
    expect(faults('listReleases', { data: {}, next_cursor: 7 })).to.deep.equal(['/data', '/next_cursor']);
    expect(faults('listReleases', { data: [] })).to.deep.equal(['/next_cursor']);
    const entry = { readiness: { decision: 'go' } };
    for (const next_cursor of [null, 'x'])
      expect(faults('readPortfolio', { data: [entry], next_cursor, total: 1 })).to.deep.equal([]);
    expect(faults('readPortfolio', { data: [{ readiness: {} }], next_cursor: 7 })).to.deep.equal([
      '/next_cursor',
      '/data/0/readiness/decision',
    ]);
    for (const value of [null, [], {}, 7]) expect(faults('listTeams', value)).to.deep.equal([]);
  });
});

describe('a client that is answered in another shape', () => {
  const clientOf = (body: string) =>
    createClient({
      baseUrl: 'https://ship.example.com',
      fetch: async () => new Response(body, { headers: { 'content-type': 'application/json', 'x-request-id': 'r-1' } }),
    });
  const path = { team_id: 't', project_id: 'p', release_id: 'r' };

  it('rejects at once with method, path and pointers', async () => {
    const error = await clientOf('{"data":{"decision":"soft_hold"}}')
      .readGate({ path })
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(ResponseShapeError);
    expect(error).to.deep.include({
      operation: 'readGate',
      method: 'GET',
      path: '/api/teams/{team_id}/projects/{project_id}/releases/{release_id}/gate',
      pointers: ['/data/decision'],
      attempts: 1,
      requestId: 'r-1',
    });
    expect(String(error)).to.contain('/data/decision is missing or not as the contract says');
    const twice = await clientOf('{"data":{"decision":"hold","decision":"go"}}')
      .readGate({ path })
      .catch((reason: unknown) => reason);
    expect(String(twice)).to.contain('cannot be understood as a whole');
  });

  it('reports an answer that is too deep or too long as unreadable', async () => {
    for (const more of [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, `"${'a'.repeat(2 ** 24)}"`]) {
      const error = await clientOf(`{"data":{"decision":"hold"},"more":${more}}`)
        .readGate({ path })
        .catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(ResponseShapeError);
    }
  });

  it('hands on members that it does not know', async () => {
    const { body } = await clientOf('{"data":{"decision":"go","later":[1]},"more":2}').readGate({ path });
    expect(body).to.deep.equal({ data: { decision: 'go', later: [1] }, more: 2 });
  });
});
