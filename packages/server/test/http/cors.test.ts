import { randomBytes } from 'node:crypto';
import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { createShipworthy, type Shipworthy } from '../../src/index.js';

const PORTAL = 'https://portal.acme.dev';
const PAGE = { contentType: 'text/html; charset=utf-8', tag: '1', lasting: false, plain: Buffer.from(''), coded: null };

describe('pages of other origins', () => {
  let shipworthy: Shipworthy;
  const url = 'https://ship.acme.dev/api/teams';
  before(() => {
    shipworthy = createShipworthy({
      stores: memoryStores(),
      secretKey: randomBytes(32),
      baseUrl: new URL('https://ship.acme.dev'),
      corsOrigins: [PORTAL],
      application: { byPath: new Map(), page: PAGE },
    });
  });
  after(() => shipworthy.close());
  const preflight = (origin: string): Promise<Response> =>
    shipworthy.fetch(
      new Request(url, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,idempotency-key',
        },
      }),
    );

  it('may call with a key when they are named, and read what a client needs', async () => {
    const asked = await preflight(PORTAL);
    expect(asked.status).to.equal(204);
    expect(asked.headers.get('access-control-allow-origin')).to.equal(PORTAL);
    expect(asked.headers.get('access-control-allow-methods')).to.contain('POST');
    expect(asked.headers.get('access-control-allow-headers')).to.contain('Idempotency-Key');
    const { status, headers } = await shipworthy.fetch(
      new Request(url, { headers: { origin: PORTAL, authorization: `Bearer swk_${'a'.repeat(43)}` } }),
    );
    expect([status, headers.get('access-control-allow-origin')], 'a problem can be read').to.deep.equal([401, PORTAL]);
    expect(headers.get('access-control-expose-headers')).to.contain('ETag').and.to.contain('Retry-After');
    expect(headers.get('vary')).to.contain('Origin');
  });

  it('get the page of the application with a Vary header that names Origin and all else it depends on', async () => {
    const request = new Request('https://ship.acme.dev/', { headers: { origin: PORTAL, accept: 'text/html' } });
    const { headers } = await shipworthy.fetch(request);
    const names = ['Origin', 'Accept', 'Accept-Encoding', 'Cookie'];
    expect(headers.get('vary')?.split(', ')).to.have.members(names);
  });

  it('never come with the session of a person', async () => {
    for (const { headers } of [
      await preflight(PORTAL),
      await shipworthy.fetch(new Request(url, { headers: { origin: PORTAL } })),
    ])
      expect(headers.has('access-control-allow-credentials')).to.equal(false);
  });

  for (const origin of [
    'https://evil.example',
    'https://portal.acme.dev.evil.example',
    'http://portal.acme.dev',
    'null',
  ])
    it(`may not when they are of ${origin}`, async () => {
      const { status, headers } = await preflight(origin);
      expect([status, headers.has('access-control-allow-origin')]).to.deep.equal([204, false]);
      const answer = await shipworthy.fetch(new Request(url, { headers: { origin } }));
      expect(answer.headers.has('access-control-allow-origin')).to.equal(false);
    });
});
