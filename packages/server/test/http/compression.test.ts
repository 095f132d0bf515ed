import { randomBytes } from 'node:crypto';
import { type IncomingMessage, get as request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
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
