import { operations, type Schema } from '@shipworthy/client/contract';
import { expect } from 'chai';
import fc from 'fast-check';
import { checkOf, createBatchReader, createQueryReader, versionDemanded } from '../../src/http/input.js';
import { Problem } from '../../src/http/problem.js';
import type { SentDelivery } from '../../src/http/route.js';
import { ask } from '../harness/ask.js';
import { type BareService, startBare } from '../harness/bare-service.js';

describe('the input of an operation that takes bytes', () => {
  let service: BareService;
  const deliveries: SentDelivery[] = [];
  before(async () => {
    service = await startBare({
      routes: {
        receiveHook: async ({ body }, { delivery }) => {
          expect(body).to.equal(undefined);
          deliveries.push(delivery);
          return { status: 200, body: { data: { accepted: false, repeated: false } } };
        },
      },
    });
  });
  after(() => service.close());

  const send = (body: string | Buffer, headers: Record<string, string> = {}, chunked = false) =>
    ask(service.url, '/api/hooks/github', { method: 'POST', body, headers, chunked });

  it('hands them on as they came, whole or in chunks, well-formed or not', async () => {
    const odd = [
      Buffer.from('{"a": 1,  "a": 2}\n'),
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.from('['.repeat(30)),
      Buffer.alloc(2_097_152, 'x'),
    ];
    for (const body of odd)
      for (const chunked of [false, true]) {
        expect((await send(body, {}, chunked)).status).to.equal(200);
        expect(Buffer.from(deliveries.at(-1)?.body ?? []).equals(body)).to.equal(true);
      }
  });

  it('hands on headers by lower-case name', async () => {
    await send('{}', { 'X-Hub-Signature-256': 'sha256=ab', 'X-GitHub-Delivery': '7' });
    expect(deliveries.at(-1)?.headers).to.include({ 'x-hub-signature-256': 'sha256=ab', 'x-github-delivery': '7' });
  });

  it('refuses other types, codings, no body and too large ones', async () => {
    const received = deliveries.length;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send('payload=%7B%7D', form)).status).to.equal(415);
    expect((await send('{}', { 'content-encoding': 'gzip' })).status).to.equal(415);
    expect((await ask(service.url, '/api/hooks/github', { method: 'POST' })).status).to.equal(400);
    expect((await send(Buffer.alloc(2_097_153, 'x'))).status).to.equal(413);
    expect((await send('{}', { 'content-type': 'application/json; charset=utf-8' })).status).to.equal(200);
    expect(deliveries.length).to.equal(received + 1);
  });
});

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 200 },
    share: { type: 'number' },
    open: { type: 'boolean' },
    name: { type: 'string', minLength: 1, format: 'text' },
    kinds: { type: 'array', items: { type: 'string' } },
  },
  additionalProperties: false,
};

describe('createQueryReader', () => {
  const read = createQueryReader(SCHEMA, checkOf(SCHEMA));
  const faults = (query: string) => read(query).faults.map(({ pointer, code }) => `${pointer} ${code}`);

  it('reads values by the type of their property', () => {
    const { value, faults: none } = read('limit=20&share=0.5&open=true&name=a+b%26c&kinds=x&kinds=y');
    expect(none).to.deep.equal([]);
    expect({ ...(value as object) }).to.deep.equal({
      limit: 20,
      share: 0.5,
      open: true,
      name: 'a b&c',
      kinds: ['x', 'y'],
    });
    expect(read('')).to.deep.equal({ value: {}, faults: [] });
  });

  it('names parameters that are unknown, given twice or of another type', () => {
    expect(faults('limits=1')).to.deep.equal(['limits unknown']);
    expect(faults('limit=1&limit=2')).to.deep.equal(['limit twice']);
    for (const limit of ['1.0', '1e3', '0x1', '', ' 1', 'NaN', '99999999999999999999'])
      expect(faults(`limit=${limit}`), limit).to.deep.equal(['limit type']);
    expect(faults('limit=0')).to.deep.equal(['limit minimum']);
    expect(faults('open=yes&name=')).to.deep.equal(['open type', 'name minLength']);
    // An answer of 400 kB to a request of 16 kB would serve those who send answers to others.
    expect(faults('limit=1'.padEnd(16_000, '&limit=2'))).to.deep.equal(Array(20).fill('limit twice'));
    expect(faults('__proto__=1&constructor=2')).to.have.members(['__proto__ unknown', 'constructor unknown']);
  });

  it('refuses what is no well-formed query', () => {
    for (const query of ['name=%', 'name=%ff', '%zz=1']) expect(() => read(query), query).to.throw(Problem, /percent/);
    expect(faults('name=%00')).to.deep.equal(['name format']);
  });
});

describe('versionDemanded', () => {
  it('is the version in quotes; another tag is a version nothing has', () => {
    expect(versionDemanded('"3"', false)).to.equal(3);
    expect(versionDemanded(' "12" ', true)).to.equal(12);
    expect(versionDemanded('"2147483646"', true)).to.equal(2_147_483_646);
    for (const tag of [
      '3',
      'W/"3"',
      '"abc"',
      '"3", "4"',
      '""',
      '"-1"',
      '"03"',
      '"99999999999"',
      '"2147483647"',
      '"9999999999"',
    ])
      expect(versionDemanded(tag, true), tag).to.equal(0);
  });

  it('is any version without the header or for the star, unless one is required', () => {
    expect(versionDemanded(undefined, false)).to.equal(null);
    expect(versionDemanded('*', false)).to.equal(null);
    for (const header of [undefined, '*']) expect(() => versionDemanded(header, true)).to.throw(Problem, /version/);
  });
});

describe('checkOf', () => {
  const deployment = checkOf(operations.recordDeployment.body);
  const good = { app_name: 'checkout', environment: 'prod', commit_sha: '9fceb02', status: 'started' };

  const faultsOf = (schema: Schema, value: unknown) =>
    checkOf(schema)(value).map(({ pointer, code, message }) => [pointer, code, message]);

  it('compiles every schema of the contract', () => {
    const schemas = Object.values(operations).flatMap((operation) => [
      ...('body' in operation ? [operation.body] : []),
      ...('query' in operation ? [operation.query] : []),
    ]);
    expect(schemas).to.have.length.above(30);
    for (const schema of schemas) expect(checkOf(schema)(undefined)).to.have.length.above(0);
  });

  it('names every fault at once, in plain words', () => {
    expect(deployment(good)).to.deep.equal([]);
    const faults = deployment({
      environment: '',
      commit_sha: 'xyz',
      status: 'done',
      nonsense: 1,
      duration_seconds: null,
    });
    expect(faults.map(({ pointer, message }) => `${pointer}: ${message}`).sort()).to.deep.equal([
      '/app_name: app_name is required',
      '/commit_sha: commit_sha must have 7 characters or more',
      '/commit_sha: commit_sha must match ^[0-9a-fA-F]{7,64}$',
      '/duration_seconds: duration_seconds must be a number',
      '/environment: environment must not be empty',
      '/nonsense: nonsense is not a known field',
      '/status: status must be started, success or failure',
    ]);
  });

  it('lists twenty faults at most', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, index]));
    expect(deployment(many)).to.have.length(20);
  });

  it('turns nothing into something else', () => {
    const count: Schema = { type: 'integer', minimum: 0 };
    for (const value of [null, '1', true, 1.5, [1], {}]) expect(checkOf(count)(value), String(value)).to.have.length(1);
    expect(faultsOf(count, null)).to.deep.equal([['', 'type', 'The body must be a whole number']]);
  });

  it('takes only moments that exist, text without control characters, and web addresses', () => {
    const withTime = (started_at: string) => deployment({ ...good, started_at }).map(({ code }) => code);
    expect(withTime('2024-02-29T23:59:59.123+05:30')).to.deep.equal([]);
    for (const time of ['2023-02-29T00:00:00Z', '2026-01-01T00:00:60Z', '2026-01-01T24:00:00Z', '2026-01-01 00:00:00Z'])
      expect(withTime(time), time).to.deep.equal(['format']);
    const withName = (app_name: string) => deployment({ ...good, app_name }).map(({ code }) => code);
    for (const name of ['a\u0000', '\ud800', 'a\nb', '\u007f']) expect(withName(name)).to.deep.equal(['format']);
    expect(withName('Größe 🚢')).to.deep.equal([]);
    const withUrl = (url: string) => deployment({ ...good, url }).length;
    expect(withUrl('https://ci.acme.dev/runs/1')).to.equal(0);
    for (const url of ['javascript:alert(1)', 'https://', '//x', 'ftp://x', 'https://a b'])
      expect(withUrl(url), url).to.equal(1);
  });

  it('is not misled by names of object members', () => {
    const sneaky = JSON.parse('{"__proto__":{"app_name":"x"},"constructor":1,"toString":2}');
    const codes = deployment({ ...sneaky, ...good }).map(({ pointer, code }) => `${pointer} ${code}`);
    expect(codes.sort()).to.deep.equal(['/__proto__ unknown', '/constructor unknown', '/toString unknown']);
    expect(deployment(sneaky).filter(({ code }) => code === 'required')).to.have.length(4);
  });

  it('blames the branch of a union that came nearest', () => {
    const union: Schema = {
      oneOf: [
        { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false },
        { type: 'null' },
      ],
    };
    expect(faultsOf(union, { a: 'x' })).to.deep.equal([['/a', 'type', 'a must be a whole number']]);
    expect(faultsOf(union, 'x')).to.deep.equal([['', 'oneOf', 'The body is in none of the forms allowed here']]);
  });

  it('blames each entry of a list for its own faults, twenty in all', () => {
    const entry: Schema = { oneOf: [{ type: 'object', properties: { a: { type: 'integer' } } }, { type: 'null' }] };
    const list: Schema = { type: 'array', items: entry };
    expect(faultsOf(list, [{ a: 'x' }, 7, { a: 1 }])).to.deep.equal([
      ['/0/a', 'type', 'a must be a whole number'],
      ['/1', 'oneOf', '1 is in none of the forms allowed here'],
    ]);
    expect(faultsOf(list, Array(3000).fill({ a: 'x' }))).to.have.length(20);
  });

  it('answers faults, never throws, for any JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void expect(deployment(value)).to.be.an('array')));
  });
});

const GOOD = { total: 3, passed: 3, failed: 0 };

describe('createBatchReader', () => {
  const { body } = operations.importTestRuns;
  const read = createBatchReader(body, checkOf(body.items));
  const json = (value: unknown) => read(Buffer.from(JSON.stringify(value)), 'json');
  const lines = (...texts: string[]) => read(Buffer.from(texts.join('\n')), 'ndjson');

  it('checks each record by itself', () => {
    const [first, second, third] = json([GOOD, { ...GOOD, total: '3' }, 7]);
    expect(first).to.deep.equal({ value: GOOD });
    expect(second?.faults?.map(({ pointer }) => pointer)).to.deep.equal(['/total']);
    expect(third?.faults?.map(({ code }) => code)).to.deep.equal(['type']);
  });

  it('reads one record per line, and a broken line spoils no other', () => {
    const items = lines(JSON.stringify(GOOD), '', '{"total":', `${JSON.stringify(GOOD)}\r`, '{"total":1,"total":2}');
    expect(items.map((item) => item.faults?.[0]?.code ?? 'good')).to.deep.equal([
      'good',
      'malformed-json',
      'good',
      'malformed-json',
    ]);
  });

  it('passes over any number of blank lines', () => {
    const blank = ' \t\r\n\n'.repeat(100_000);
    const [first, second, third] = lines(`${blank}${JSON.stringify(GOOD)}${blank}\n  ${JSON.stringify(GOOD)}\n`, blank);
    expect([first, second, third]).to.deep.equal([{ value: GOOD }, { value: GOOD }, undefined]);
  });

  it('says where a line breaks, as long as 64 Ki characters of broken lines were searched for that', () => {
    const broken = `{"total":1,"suite":"${'long '.repeat(6000)}"]`;
    const items = lines(broken, '{"total":1]', broken, broken, '{"total":1]', JSON.stringify(GOOD));
    const where = items.map((item) => /It breaks at line 1, column (\d+)/.exec(item.faults?.[0]?.message ?? '')?.[1]);
    expect(where).to.deep.equal(['30022', '11', '30022', undefined, '11', undefined]);
    expect(items.map((item) => item.faults?.[0]?.code)).to.deep.equal([...Array(5).fill('malformed-json'), undefined]);
  });

  it('refuses as a whole what is no list, is empty or too long', () => {
    expect(() => json({ data: [] })).to.throw(Problem, /must be a list/);
    expect(() => json([])).to.throw(Problem, /1 or more/);
    expect(() => lines('', ' ')).to.throw(Problem, /1 or more/);
    expect(() => json(Array.from({ length: 1001 }, () => GOOD))).to.throw(Problem, /1000 or fewer/);
    expect(() => read(Buffer.from('[{]'), 'json')).to.throw(Problem, /well-formed/);
    expect(json(Array.from({ length: 1000 }, () => GOOD))).to.have.length(1000);
  });
});
