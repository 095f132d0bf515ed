import { randomBytes } from 'node:crypto';
import { type IncomingMessage, get as request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import Koa from 'koa';
import { compressAnswers } from '../../src/http/compression.js';
import { fetchBy } from '../../src/http/fetch.js';
import type { RequestState } from '../../src/http/request.js';
import { createShipworthy, type Shipworthy } from '../../src/index.js';

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
    const [zipped, squeezed] = [await get(LONG, 'gzip'), await get(LONG, 'gzip, deflate, br')];
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

  it('to HEAD say the length of what would be sent to somebody who takes nothing compressed', async () => {
    const { headers, body } = await get(LONG, 'gzip', 'HEAD');
    expect([headers['content-encoding'], Number(headers['content-length']) > 100_000, body.length]).to.deep.equal([
      undefined,
      true,
      0,
    ]);
  });
});
