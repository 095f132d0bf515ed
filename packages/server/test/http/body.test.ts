import { connect } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { checkLines, checkRawExtent, parseStrictJson } from '../../src/http/body.js';
import { Problem } from '../../src/http/problem.js';
import { ask } from '../harness/ask.js';
import { type BareService, startBare } from '../harness/bare-service.js';

const SIGN_IN = '/api/session';
const GOOD = { email: 'ada@acme.dev', password: 'a long enough phrase' };

describe('the body of a request', () => {
  let service: BareService;
  let seen: unknown[] = [];
  before(async () => {
    service = await startBare({
      routes: {
        signIn: async ({ body }) => {
          seen.push(body);
          return { status: 200, body: { data: { user: {} } } } as never;
        },
      },
    });
  });
  beforeEach(() => {
    seen = [];
  });
  after(() => service.close());

  const post = (asked: Parameters<typeof ask>[2]) => ask(service.url, SIGN_IN, { method: 'POST', ...asked });

  it('is taken whole or in chunks, with or without a charset', async () => {
    expect((await post({ body: GOOD })).status).to.equal(200);
    expect((await post({ body: GOOD, chunked: true })).status).to.equal(200);
    const charset = { 'content-type': 'Application/JSON; Charset="UTF-8"' };
    expect((await post({ body: GOOD, headers: charset })).status).to.equal(200);
    expect(seen).to.deep.equal([GOOD, GOOD, GOOD]);
  });

  it('must be JSON in UTF-8 as it is', async () => {
    const kinds = [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/jsonp' },
      { 'content-type': 'application/json; charset=latin1' },
      { 'content-type': 'application/x-ndjson' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      { 'content-type': '' },
    ];
    for (const headers of kinds)
      expect((await post({ body: GOOD, headers })).status, JSON.stringify(headers)).to.equal(415);
    const latin1 = Buffer.from('{"email":"\xe4@acme.dev","password":"a long enough phrase"}', 'latin1');
    const broken = await post({ body: latin1 });
    expect(broken.status).to.equal(400);
    expect(broken.json?.detail).to.match(/UTF-8/);
    expect((await post({})).json?.type).to.equal('/api/docs/problems/malformed-json');
    expect(seen).to.deep.equal([]);
  });

  it('has a limit, announced or in chunks, and its sender reads the answer', async () => {
    const limit = 65_536;
    const padded = (length: number) => JSON.stringify(GOOD).padEnd(length, ' ');
    expect((await post({ body: padded(limit) })).status).to.equal(200);
    for (const chunked of [false, true]) {
      for (const length of [limit + 1, 4_000_000]) {
        const answer = await post({ body: padded(length), chunked });
        expect(answer.status, `${length} ${chunked}`).to.equal(413);
        expect(answer.headers.connection).to.equal('close');
      }
    }
  });

  it('that never ends blocks no other request, and its abort is no fault', async () => {
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = `POST ${SIGN_IN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    await new Promise<void>((resolve) => socket.write(head, () => resolve()));
    expect((await post({ body: GOOD })).status).to.equal(200);
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const lines = await service.logged();
    expect(lines.filter((line) => line.level === 'error')).to.deep.equal([]);
  });
});

const refusal = (text: string): string => {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (error instanceof Problem && error.type === 'malformed-json') return error.detail;
    throw error;
  }
  return expect.fail(`${text} was taken`);
};

describe('parseJson', () => {
  it('reads everything that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        expect(parseStrictJson(text)).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  it('fails as a problem, or reads what JSON.parse reads, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0a1 truefalsn') }), (text) => {
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          return void refusal(text);
        }
        try {
          expect(parseStrictJson(text)).to.deep.equal(expected);
        } catch (error) {
          expect(error).to.be.instanceOf(Problem);
          expect((error as Problem).detail).to.match(/is given twice/);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('says where a text breaks', () => {
    expect(refusal('{"a": 1,\n "b": x}')).to.match(/line 2, column 7/);
    expect(refusal('{"a": 1,}')).to.match(/line 1, column 9/);
    expect(refusal('[1,}')).to.match(/line 1, column 4/);
    expect(refusal('[1, 2')).to.match(/ends too early/);
    expect(refusal('"abc')).to.match(/ends too early/);
    expect(refusal(' ')).to.match(/empty/);
    expect(refusal(`[${'1,'.repeat(40_000)}x]`)).to.not.match(/line/);
  });

  it('refuses a member that appears twice in one object, however it is spelt', () => {
    expect(refusal('{"a":1,"b":{"a":2},"a":3}')).to.match(/"a" is given twice/);
    expect(refusal('{"a":1,"\\u0061":2}')).to.match(/"a" is given twice/);
    expect(refusal('[{"x":{"y":1,"y":1}}]')).to.match(/"y" is given twice/);
    expect(parseStrictJson('{"a":{"a":"a"},"b":["a","a"],"c":"\\"a\\":1,\\"a\\":2"}')).to.be.an('object');
  });

  it('refuses what is nested too deep, at once', () => {
    expect(parseStrictJson(`${'['.repeat(32)}${']'.repeat(32)}`)).to.be.an('array');
    expect(refusal(`${'['.repeat(33)}${']'.repeat(33)}`)).to.match(/deeper than 32/);
    expect(refusal(`${'[{"a":'.repeat(8000)}1${'}]'.repeat(8000)}`)).to.match(/deeper than 32/);
    expect(refusal('['.repeat(33))).to.match(/deeper than 32/);
  });

  const typeOf = (work: () => unknown): string | null => {
    try {
      work();
      return null;
    } catch (error) {
      return error instanceof Problem ? error.type : String(error);
    }
  };
  const many = (count: number, one: (nth: number) => string) =>
    Array.from({ length: count }, (_, nth) => one(nth)).join();
  const DEEP = `${'['.repeat(33)}${']'.repeat(33)}`;

  it('refuses more values than any body holds, before it reads them', () => {
    const lawful = `[${many(1000, (nth) => `{${many(30, (member) => `"m${member}":${nth}`)}}`)}]`;
    expect(parseStrictJson(lawful)).to.have.length(1000);
    for (const text of [
      `[${many(60_000, () => '0')}]`,
      `[${many(15_000, () => '{}')}]`,
      `[${many(15_000, (nth) => `{"${nth}":0}`)}]`,
      `{${many(60_000, (nth) => `"${nth}":0`)}}`,
      many(60_001, () => '0'),
    ])
      expect(
        typeOf(() => parseStrictJson(text)),
        text.slice(0, 20),
      ).to.equal('body-too-large');
    const wide = (count: number) => `{${many(count, (nth) => `"${nth}":{"a":0}`)}}`;
    expect(() => parseStrictJson(`[{"b":[]},${wide(1001)}]`)).to.throw(Problem, '1000 members at most');
    expect(parseStrictJson(`[{"b":[]},${wide(1000)},${wide(1000)}]`)).to.have.length(3);
    expect(parseStrictJson(`"${',{'.repeat(60_000)}"`), 'a text is one value').to.have.length(120_000);
  });

  it('refuses the same of bodies that others read, and of lines together', () => {
    const raw = (text: string) => typeOf(() => checkRawExtent(Buffer.from(text)));
    expect(raw('{"repository":{"id":1},"title":"ü"}')).to.equal(null);
    expect(raw('no JSON at all')).to.equal(null);
    expect(raw(DEEP)).to.equal('malformed-json');
    expect(raw(`[${many(15_000, () => '{}')}]`)).to.equal('body-too-large');
    const line = `{"list":[${many(100, () => '{}')}]}`;
    expect(typeOf(() => checkLines(Array(100).fill(line)))).to.equal(null);
    expect(typeOf(() => checkLines(Array(200).fill(line)))).to.equal('body-too-large');
    expect(
      typeOf(() => checkLines([DEEP])),
      'one line is refused for itself',
    ).to.equal(null);
  });

  it('keeps a member named __proto__ as a member', () => {
    const value = parseStrictJson('{"__proto__":{"polluted":true}}') as object;
    expect(Object.keys(value)).to.deep.equal(['__proto__']);
    expect('polluted' in {}).to.equal(false);
  });
});
