import { randomBytes } from 'node:crypto';
import { IncomingMessage, get as request, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { memoryStores } from '@shipworthy/adapters/memory';
import { operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import fc from 'fast-check';
import Koa from 'koa';
import {
  attachment,
  compressAnswers,
  createAnswer,
  entityTag,
  matchesNone,
  safeFileName,
} from '../../src/http/answer.js';
import { deviceCookie, sessionCookie } from '../../src/http/authentication.js';
import { fetchBy } from '../../src/http/listener.js';
import { pathOfTarget, type RequestContext, type RequestState, stateAtFirst } from '../../src/http/request.js';
import { createAnswerRoom } from '../../src/http/room.js';
import { createShipworthy, type Shipworthy } from '../../src/index.js';
import { ask } from '../harness/ask.js';
import { startBare } from '../harness/bare-service.js';

const LIST = '/api/teams/t/projects/p/deployments';

const KNOWN = { requestId: '', traceParent: null, address: '', startedAt: 0, at: 0 };

const linkFor = (url: string, basePath = ''): string => {
  const baseUrl = new URL('http://127.0.0.1:4400');
  const device = { baseUrl, secretKey: Buffer.alloc(32), clock: () => 0, newId: () => '' };
  const cookies = { sessionCookie: sessionCookie(baseUrl), deviceCookie: deviceCookie(device) };
  const answer = createAnswer(operations.listDeployments, { ...cookies, answers: createAnswerRoom() });
  const request = Object.assign(new IncomingMessage(new Socket()), { url });
  const ctx = new Koa().createContext(request, new ServerResponse(request)) as RequestContext;
  ctx.state = stateAtFirst({ ...KNOWN, path: pathOfTarget(url), basePath });
  answer(ctx, { status: 200, body: { data: [] }, next: 'a+b' }, null);
  return ctx.response.get('Link');
};

describe('the link to the next page', () => {
  it('is the same list with the cursor of the page behind', () => {
    expect(linkFor(LIST)).to.equal(`<${LIST}?cursor=a%2Bb>; rel="next"`);
    expect(linkFor(`${LIST}?limit=2&cursor=x&status=failure`)).to.equal(
      `<${LIST}?limit=2&status=failure&cursor=a%2Bb>; rel="next"`,
    );
  });

  it('has the base path in front, with any part of it that a proxy left', () => {
    expect(linkFor(`${LIST}?limit=1`, '/ship')).to.equal(`</ship${LIST}?limit=1&cursor=a%2Bb>; rel="next"`);
  });

  it('keeps a question mark within a value, or it would be the cursor of another list', () => {
    expect(linkFor(`${LIST}?environment=what?&limit=1`)).to.equal(
      `<${LIST}?environment=what?&limit=1&cursor=a%2Bb>; rel="next"`,
    );
  });

  it('leaves out a fragment, which would swallow the cursor, and another host', () => {
    expect(linkFor(`${LIST}?limit=1#end`)).to.equal(`<${LIST}?limit=1&cursor=a%2Bb>; rel="next"`);
    expect(linkFor(`http://elsewhere.example${LIST}?limit=1`)).to.equal(`<${LIST}?limit=1&cursor=a%2Bb>; rel="next"`);
  });
});

describe('entity tags', () => {
  it('differ with the body', () => {
    expect(entityTag('a'))
      .to.equal(entityTag('a'))
      .and.match(/^[\w-]{27}$/);
    expect(entityTag('a')).to.not.equal(entityTag('b'));
  });

  it('are found alone, in lists, weak, and by the star', () => {
    for (const header of ['"t"', '"a", "t"', 'W/"t"', 'W/"a",W/"t"', '*', ' * ', '"t","b"'])
      expect(matchesNone(header, 't'), header).to.equal(true);
    for (const header of ['', 't', '"tt"', '"a"', '"a, t"', 'W/"tt"', '"T"'])
      expect(matchesNone(header, 't'), header).to.equal(false);
  });

  it('answer 304 without a body to anyone who knows the text', async () => {
    const service = await startBare({
      routes: { readGate: async () => ({ status: 200, text: '{"data":1}', etag: 'abc' }) },
    });
    try {
      const ada = await service.world.person('Ada');
      const team = await service.world.team(ada, 'Payments');
      const project = await service.world.project(ada, team, 'checkout');
      const release = await service.world.release(ada, project, '2.4');
      const path = `/api/teams/${team.id}/projects/${project.id}/releases/${release.id}/gate`;
      const headers = { authorization: `Bearer ${await service.world.key(ada)}` };
      const first = await ask(service.url, path, { headers });
      expect(first.headers).to.include({ etag: '"abc"', 'cache-control': 'private, no-cache' });
      const again = await ask(service.url, path, { headers: { ...headers, 'if-none-match': '"x", "abc"' } });
      expect(again.status).to.equal(304);
      expect(again.text).to.equal('');
      expect(again.headers).to.include({ etag: '"abc"', 'cache-control': 'private, no-cache' });
      expect(again.headers).to.not.have.property('content-type');
      const other = await ask(service.url, path, { headers: { ...headers, 'if-none-match': '"x"' } });
      expect(other.text).to.equal('{"data":1}');
    } finally {
      await service.close();
    }
  });
});

describe('the name of a file to be kept', () => {
  it('is the given one when that is harmless', () => {
    for (const name of ['2.4', 'Spring (final), 2026', 'Größe', '版本 2', '.', 'a.b'])
      if (name !== '.') expect(safeFileName(name)).to.equal(name);
  });

  it('names no folder, no hidden file and no option, and is not too long', () => {
    expect(safeFileName('../../etc/passwd')).to.equal('_.._etc_passwd');
    expect(safeFileName('C:\\x|y')).to.equal('C__x_y');
    expect(safeFileName('a"b\u202Egnp.\u0000')).to.equal('a_b_gnp._');
    expect(safeFileName('--force')).to.equal('force');
    expect(safeFileName('...')).to.equal('_');
    expect([...safeFileName('🚀'.repeat(200))]).to.have.lengthOf(100);
  });

  it('is told in ASCII, and whole beside it where that is not enough', () => {
    expect(attachment('2.4-progress.csv')).to.equal('attachment; filename="2.4-progress.csv"');
    expect(attachment('Größe (1).csv')).to.equal(
      `attachment; filename="Gr__e (1).csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29.csv`,
    );
  });

  it('is one header that reads back to the safe name, for any name', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
        const safe = safeFileName(name);
        const header = attachment(`${safe}.csv`);
        const [, plain, whole] =
          /^attachment; filename="([\x20-\x21\x23-\x5b\x5d-\x7e]+)"(?:; filename\*=UTF-8''([\w%!#$&+.^`|~-]+))?$/.exec(
            header,
          ) ?? [];
        expect(plain, header).to.match(/^[^/:.][^/:]*\.csv$/);
        expect(whole === undefined ? plain : decodeURIComponent(whole)).to.equal(`${safe}.csv`);
      }),
    ));
});

interface Answered {
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

describe('answers', () => {
  let shipworthy: Shipworthy;
  let origin = '';
  /** Without what `fetch` does by itself. */
  const get = (path: string, encodings: string | undefined, method = 'GET'): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const headers = encodings === undefined ? {} : { 'accept-encoding': encodings };
      const sent = request(origin + path, { headers, method, agent: false }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(chunks) }));
      });
      sent.once('error', reject);
    });
  before(async () => {
    shipworthy = createShipworthy({ stores: memoryStores(), secretKey: randomBytes(32) });
    origin = (await shipworthy.listen({ host: '127.0.0.1', port: 0 })).origin;
  });
  after(() => shipworthy.close());

  const LONG = '/api/openapi.json';

  it('are compressed for those who take them so, and are the same then', async () => {
    const plain = await get(LONG, undefined);
    expect(plain.headers).to.not.have.property('content-encoding');
    const [zipped, squeezed] = [await get(LONG, 'GZip'), await get(LONG, 'gzip, deflate, br')];
    expect(zipped.headers).to.include({ 'content-encoding': 'gzip' });
    expect(squeezed.headers).to.include({ 'content-encoding': 'br' });
    expect(gunzipSync(zipped.body).equals(plain.body)).to.equal(true);
    expect(brotliDecompressSync(squeezed.body).equals(plain.body)).to.equal(true);
    for (const { body } of [zipped, squeezed]) expect(body.length * 5).to.be.lessThan(plain.body.length);
    for (const { headers } of [plain, zipped, squeezed]) {
      expect(headers.vary).to.contain('Accept-Encoding');
      expect(headers.etag).to.equal(plain.headers.etag);
      expect(headers).to.have.property('x-request-id');
    }
  });

  it('are sent as they are when they are short, or nothing else is taken', async () => {
    expect((await get('/api/about', 'gzip, br')).headers).to.not.have.property('content-encoding');
    for (const encodings of ['identity', 'deflate', 'gzip;q=0, br;q=0'])
      expect((await get(LONG, encodings)).headers, encodings).to.not.have.property('content-encoding');
    expect((await get(LONG, 'br;q=0, gzip')).headers).to.include({ 'content-encoding': 'gzip' });
  });

  it('that never change are compressed once, however often strangers ask for them', async () => {
    const bytes = Buffer.from(JSON.stringify({ same: 'again and again '.repeat(1000) }));
    const sent: unknown[] = [];
    const app = new Koa<RequestState>();
    app.use(async (ctx, next) => {
      await next();
      sent.push(ctx.body);
    });
    app.use(compressAnswers());
    app.use((ctx) => {
      ctx.type = 'json';
      ctx.body = bytes;
    });
    const ask = fetchBy(app.callback());
    for (const coding of ['br', 'br', 'gzip', 'gzip']) {
      const { headers } = await ask(new Request('http://shipworthy.test/', { headers: { 'accept-encoding': coding } }));
      expect(headers.get('content-encoding')).to.equal(coding);
    }
    expect(sent[0]).to.be.instanceOf(Buffer).and.to.equal(sent[1]);
    expect(sent[2]).to.be.instanceOf(Buffer).and.to.equal(sent[3]);
    expect(brotliDecompressSync(sent[0] as Buffer).equals(bytes)).to.equal(true);
    expect(gunzipSync(sent[2] as Buffer).equals(bytes)).to.equal(true);
  });

  it('are compressed for weights and capital letters, and never refused after the work', async () => {
    const app = new Koa<RequestState>();
    app.use(compressAnswers());
    app.use((ctx) => {
      ctx.type = 'json';
      ctx.body = JSON.stringify({ same: 'again and again '.repeat(1000) });
    });
    const ask = fetchBy(app.callback());
    for (const encodings of ['GZIP, identity;q=0', 'gzip;q=0.75, identity;q=0']) {
      const request = new Request('http://shipworthy.test/', { headers: { 'accept-encoding': encodings } });
      const { status, headers } = await ask(request);
      expect([status, headers.get('content-encoding')], encodings).to.deep.equal([200, 'gzip']);
    }
  });

  it('to HEAD say the length of the uncompressed body, even if the client takes gzip', async () => {
    const { headers, body } = await get(LONG, 'gzip', 'HEAD');
    expect([headers['content-encoding'], Number(headers['content-length']) > 100_000, body.length]).to.deep.equal([
      undefined,
      true,
      0,
    ]);
  });
});
