import type { Principal } from '@shipworthy/domain';
import { expect } from 'chai';
import { createPrincipalCache } from '../../src/http/authentication.js';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import { createTestClock } from '../harness/test-clock.js';

const principalUntil = (expiresAt: number): Principal => ({
  kind: 'api_key',
  id: 'k',
  userId: 'u',
  name: 'pipeline',
  scopes: ['read'],
  roles: new Map(),
  administrator: false,
  expiresAt,
});

const ADDRESS = '192.0.2.7';

describe('createPrincipalCache', () => {
  const credential = { kind: 'api_key', secret: 's' } as const;

  it('asks once a second at most, and once for all who ask at the same time', async () => {
    const clock = createTestClock();
    let asked = 0;
    const cache = createPrincipalCache(async () => {
      asked += 1;
      return principalUntil(clock.read() + 60_000);
    }, clock.read);
    await Promise.all([
      cache.find(credential, ADDRESS),
      cache.find(credential, ADDRESS),
      cache.find(credential, ADDRESS),
    ]);
    expect(asked).to.equal(1);
    clock.pass(999);
    expect(cache.find(credential, ADDRESS)).to.not.be.instanceOf(Promise);
    clock.pass(1);
    await cache.find(credential, ADDRESS);
    expect(asked).to.equal(2);
    cache.forget(credential);
    await cache.find(credential, ADDRESS);
    expect(asked).to.equal(3);
  });

  it('takes the secret of a session for no key, and that of a key for no session', async () => {
    const kinds: string[] = [];
    const cache = createPrincipalCache(async ({ kind }) => {
      kinds.push(kind);
      if (kind === 'api_key') throw new Error('no such key');
      return principalUntil(Number.POSITIVE_INFINITY);
    }, createTestClock().read);
    await cache.find({ kind: 'session', secret: 's' }, ADDRESS);
    const refused = await Promise.resolve(cache.find({ kind: 'api_key', secret: 's' }, ADDRESS)).catch(String);
    expect(refused).to.equal('Error: no such key');
    expect(kinds).to.deep.equal(['session', 'api_key']);
  });

  it('takes a look for no use, and asks anew when a use follows it', async () => {
    const clock = createTestClock();
    const uses: boolean[] = [];
    const cache = createPrincipalCache(async (_, use) => {
      uses.push(use);
      return principalUntil(clock.read() + 60_000);
    }, clock.read);
    await cache.look(credential, ADDRESS);
    await cache.look(credential, ADDRESS);
    await cache.find(credential, ADDRESS);
    await cache.look(credential, ADDRESS);
    await cache.find(credential, ADDRESS);
    expect(uses).to.deep.equal([false, true]);
  });

  it('never outlives the principal, and remembers no refusal', async () => {
    const clock = createTestClock();
    let refuse = false;
    const cache = createPrincipalCache(async () => {
      if (refuse) throw new Error('gone');
      return principalUntil(clock.read() + 10);
    }, clock.read);
    await cache.find(credential, ADDRESS);
    clock.pass(10);
    refuse = true;
    expect(await Promise.resolve(cache.find(credential, ADDRESS)).catch((error: Error) => error.message)).to.equal(
      'gone',
    );
    refuse = false;
    expect(await cache.find(credential, ADDRESS)).to.include({ name: 'pipeline' });
  });
});

describe('authentication', () => {
  let service: BareService;
  before(async () => {
    service = await startBare({
      routes: {
        whoAmI: async (_, { principal }) => ({ status: 200, body: { data: { name: principal.name } } }) as never,
        signOut: async () => ({ status: 204, session: { clear: true } }),
      },
    });
  });
  after(() => service.close());

  const whoAmI = (headers: Record<string, string>) => ask(service.url, '/api/whoami', { headers });
  const detail = async (headers: Record<string, string>) => {
    const { status, json, headers: answered } = await whoAmI(headers);
    expect(status).to.equal(401);
    const nothingShown = /^Send an API key as "Authorization: Bearer", or sign in/.test(String(json?.detail));
    const invalid = nothingShown ? '' : ', error="invalid_token"';
    expect(answered['www-authenticate']).to.equal(`Bearer realm="shipworthy"${invalid}`);
    return String(json?.detail);
  };

  it('takes a key or a session, and says why not', async () => {
    const ada = await service.world.person('Ada');
    const key = await service.world.key(ada, { scopes: ['read'] });
    expect((await whoAmI({ authorization: `Bearer ${key}` })).json).to.deep.equal({ data: { name: 'pipeline' } });
    expect((await whoAmI({ authorization: `bearer  ${key} ` })).status).to.equal(200);
    expect((await whoAmI(cookieOf(ada))).json).to.deep.equal({ data: { name: 'Ada' } });
    const typo = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
    expect(await detail({})).to.match(/Send an API key/);
    expect(await detail({ authorization: 'Basic abc' })).to.match(/Send the API key as "Authorization: Bearer"/);
    expect(await detail({ authorization: `Bearer ${typo}` })).to.match(/mistyped/);
    expect(await detail({ authorization: `Bearer ${service.ports.secrets.newApiKey()}` })).to.match(/no such API key/);
    expect(await detail({ cookie: 'shipworthy_session=unknown' })).to.match(/sign in again/);
    expect(await detail({ cookie: '__Host-shipworthy=x; shipworthy_session=' })).to.match(/Send an API key/);
  });

  it('sees a revoked key and an ended session within two seconds', async () => {
    const bob = await service.world.person('Bob');
    const key = await service.world.key(bob, { scopes: ['read'] });
    const headers = { authorization: `Bearer ${key}` };
    expect((await whoAmI(headers)).status).to.equal(200);
    const [stored] = await service.ports.stores.apiKeys.ofUser(bob.user.id);
    await service.ports.stores.apiKeys.revoke(bob.user.id, stored?.id ?? '', service.clock.read());
    await service.ports.stores.sessions.remove(bob.session.id);
    service.clock.pass(1000);
    expect(await detail(headers)).to.match(/revoked/);
    expect(await detail(cookieOf(bob))).to.match(/sign in again/);
  });

  it('prefers the header to the cookie, and clears the cookie at sign-out', async () => {
    const eve = await service.world.person('Eve');
    expect(await detail({ ...cookieOf(eve), authorization: 'Bearer wrong' })).to.match(/mistyped/);
    const out = await ask(service.url, '/api/session', { method: 'DELETE', headers: cookieOf(eve) });
    expect(out.status).to.equal(204);
    expect(out.headers['set-cookie']).to.equal('shipworthy_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
  });

  it('lets an embedding organisation decide who calls', async () => {
    const own = await startBare({
      routes: {
        whoAmI: async (_, { principal }) => ({ status: 200, body: { data: { name: principal.name } } }) as never,
      },
      authenticate: async ({ headers, method }) =>
        headers['x-user'] === 'zoe' && method === 'GET' ? { ...principalUntil(Infinity), name: 'Zoe' } : null,
    });
    try {
      const known = await ask(own.url, '/api/whoami', { headers: { 'x-user': 'zoe' } });
      expect(known.json).to.deep.equal({ data: { name: 'Zoe' } });
      expect((await ask(own.url, '/api/whoami')).status).to.equal(401);
    } finally {
      await own.close();
    }
  });
});
