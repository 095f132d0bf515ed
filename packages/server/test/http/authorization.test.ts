import { DomainError, type Principal } from '@shipworthy/domain';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';

const ACCEPTED = { status: 200, body: { data: { accepted: true, repeated: false } } } as const;

describe('admission of what is signed', () => {
  let service: BareService;
  before(async () => {
    service = await startBare({
      requestsPerMinute: 6000,
      trustedProxies: 1,
      routes: {
        receiveHook: async (_, { delivery, principal }) => {
          expect(principal).to.equal(null);
          if (delivery.headers['x-signature'] !== 'right') throw new DomainError('wrong-signature', 'It is wrong.');
          return ACCEPTED;
        },
      },
    });
  });
  after(() => service.close());

  const send = (address: string, headers: Record<string, string> = { 'x-signature': 'right' }) =>
    ask(service.url, '/api/hooks/github', {
      method: 'POST',
      body: {},
      headers: { ...headers, 'x-forwarded-for': address },
    });

  it('asks for no credential, heeds none, and minds no origin', async () => {
    const ada = await service.world.person('Ada');
    const shown = [
      {},
      { authorization: 'Bearer nonsense' },
      { ...cookieOf(ada), origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of shown)
      expect((await send('9.9.9.9', { ...headers, 'x-signature': 'right' })).status).to.equal(200);
  });

  it('refuses a wrong signature and counts it against the address', async () => {
    const { status, json, headers } = await send('1.1.1.1', {});
    expect([status, json?.type]).to.deep.equal([401, '/api/docs/problems/wrong-signature']);
    expect(headers['www-authenticate']).to.match(/^Bearer/);
    for (let count = 1; count < 60; count += 1) await send('1.1.1.1', {});
    expect((await send('1.1.1.1', {})).status).to.equal(429);
  });

  it('lets a network whose delivery was signed rightly send as much as a key may', async () => {
    for (let count = 0; count < 200; count += 1) expect((await send('2.2.2.2')).status).to.equal(200);
    expect((await send('2.2.2.2')).headers.ratelimit).to.contain('caller');
    expect((await send('3.3.3.3', {})).headers.ratelimit).to.contain('anonymous');
  });
});

describe('the rate limit with an embedder’s own authentication', () => {
  const callerOf = (id: string): Principal => ({
    kind: 'api_key',
    id,
    userId: 'u',
    name: id,
    scopes: ['read'],
    roles: new Map(),
    administrator: false,
    expiresAt: Number.POSITIVE_INFINITY,
  });
  let service: BareService;
  before(async () => {
    service = await startBare({
      requestsPerMinute: 12,
      routes: {
        whoAmI: async (_, { principal }) => ({ status: 200, body: { data: { name: principal.name } } }) as never,
      },
      authenticate: async ({ headers }) => (typeof headers['x-user'] === 'string' ? callerOf(headers['x-user']) : null),
    });
  });
  after(() => service.close());

  const as = (headers: Record<string, string>) => ask(service.url, '/api/whoami', { headers });

  it('counts one caller once, with any tokens and cookies beside the proof', async () => {
    const shown = [
      { authorization: 'Bearer one' },
      { authorization: 'Bearer two' },
      { cookie: 'shipworthy_session=three' },
    ];
    const statuses: number[] = [];
    for (const headers of shown) statuses.push((await as({ 'x-user': 'zoe', ...headers })).status);
    expect(statuses).to.deep.equal([200, 200, 429]);
    expect((await as({ 'x-user': 'ada' })).headers.ratelimit, 'of another caller').to.contain('"caller-burst";r=1');
  });

  it('counts a stranger by the network, also with a token that came beside a valid proof', async () => {
    expect((await as({ 'x-user': 'eve', authorization: 'Bearer copied' })).status).to.equal(200);
    const { status, headers } = await as({ authorization: 'Bearer copied' });
    expect(status).to.equal(401);
    expect(headers.ratelimit).to.contain('anonymous');
    expect((await as({ 'x-user': 'eve' })).headers.ratelimit, 'of Eve').to.contain('"caller-burst";r=0');
  });

  it('lets in a caller whose token it knows when others have used up the requests of the network', async () => {
    expect((await as({ 'x-user': 'ian', authorization: 'Bearer of-ian' })).status).to.equal(200);
    let refused = 401;
    for (let tried = 0; refused === 401 && tried < 200; tried += 1) refused = (await as({})).status;
    expect(refused).to.equal(429);
    const { status, headers } = await as({ 'x-user': 'ian', authorization: 'Bearer of-ian' });
    expect(status).to.equal(200);
    expect(headers.ratelimit).to.contain('"caller-burst";r=0');
  });
});
