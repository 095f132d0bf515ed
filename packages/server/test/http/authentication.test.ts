import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isWellFormedApiKey } from '@shipworthy/adapters/crypto';
import type { Principal } from '@shipworthy/domain';
import { expect } from 'chai';
import {
  createFindPrincipal,
  createPrincipalCache,
  deviceCookie,
  ownOrigins,
  refuseCrossSite,
  sessionCookie,
} from '../../src/http/authentication.js';
import { Problem } from '../../src/http/problem.js';
import { credentialOf } from '../../src/http/request.js';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import { createTestClock } from '../harness/test-clock.js';
import type { Person } from '../harness/world.js';

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

  it('asks anew when the clock was set back', async () => {
    const clock = createTestClock();
    let asked = 0;
    const cache = createPrincipalCache(async () => {
      asked += 1;
      return principalUntil(Number.POSITIVE_INFINITY);
    }, clock.read);
    await cache.find(credential, ADDRESS);
    clock.pass(-3_600_000);
    await cache.find(credential, ADDRESS);
    expect(asked).to.equal(2);
    expect(cache.find(credential, ADDRESS)).to.not.be.instanceOf(Promise);
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

describe('a principal that is forgotten while it is read', () => {
  const credential = { kind: 'session', secret: 's' } as const;

  it('is kept neither for later requests nor in place of what is read after it', async () => {
    const reads: ((principal: Principal) => void)[] = [];
    const cache = createPrincipalCache(() => new Promise((resolve) => reads.push(resolve)), createTestClock().read);
    const answer = (nth: number, name: string) => reads[nth]?.({ ...principalUntil(Number.POSITIVE_INFINITY), name });
    const before = cache.find(credential, ADDRESS);
    cache.forget(credential);
    const after = cache.find(credential, ADDRESS);
    answer(0, 'before the change');
    expect(await before).to.include({ name: 'before the change' });
    expect(cache.find(credential, ADDRESS), 'the query after the change').to.equal(after);
    answer(1, 'after the change');
    await after;
    expect(cache.find(credential, ADDRESS)).to.include({ name: 'after the change' });
    expect(reads).to.have.length(2);
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

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('createFindPrincipal', () => {
  let service: BareService;
  let ada: Person;
  beforeEach(async () => {
    service = await startBare();
    ada = await service.world.person('Ada');
  });
  afterEach(() => service.close());

  const find = (kind: 'api_key' | 'session', secret: string, use = true) =>
    createFindPrincipal(service.ports, isWellFormedApiKey)({ kind, secret }, use, '192.0.2.7');
  const refusal = async (kind: 'api_key' | 'session', secret: string): Promise<string> => {
    const thrown = await find(kind, secret).then(
      () => new Error('found'),
      (error: unknown) => error,
    );
    if (!(thrown instanceof Problem)) throw thrown;
    expect(thrown.type).to.equal('unauthenticated');
    expect(thrown.notes.headers).to.deep.equal({
      'WWW-Authenticate': 'Bearer realm="shipworthy", error="invalid_token"',
    });
    return thrown.detail;
  };

  it('finds who shows a key or a session', async () => {
    const key = await service.world.key(ada, { scopes: ['read'] });
    expect(await find('api_key', key)).to.include({ kind: 'api_key', userId: ada.user.id });
    expect(await find('session', ada.secret)).to.include({ kind: 'session', userId: ada.user.id });
  });

  it('says of a key what is wrong with it', async () => {
    const key = await service.world.key(ada, { scopes: ['read'] });
    expect(await refusal('api_key', `${key}x`)).to.match(/mistyped or cut off/);
    expect(await refusal('api_key', service.ports.secrets.newApiKey())).to.equal('There is no such API key.');
    await service.ports.stores.users.setDisabled(ada.user.id, service.clock.read());
    const disabled = 'The account of the person who made this API key is disabled.';
    expect(await refusal('api_key', key)).to.equal(disabled);
    service.clock.pass(90 * DAY);
    expect(await refusal('api_key', key)).to.equal('The API key has expired.');
    const [stored] = await service.ports.stores.apiKeys.ofUser(ada.user.id);
    await service.ports.stores.apiKeys.revoke(ada.user.id, stored?.id ?? '', service.clock.read());
    expect(await refusal('api_key', key)).to.equal('The API key was revoked.');
  });

  it('asks no store for a key whose check digits do not fit', async () => {
    const none = new Proxy(service.ports, {
      get: () => {
        throw new Error('a store was asked');
      },
    });
    const quiet = createFindPrincipal({ ...service.ports, stores: none as never }, isWellFormedApiKey);
    const thrown = await quiet({ kind: 'api_key', secret: 'swk_x' }, true, '192.0.2.7').catch(
      (error: unknown) => error,
    );
    expect(thrown).to.be.instanceOf(Problem);
  });

  it('says of a session what is wrong with it', async () => {
    expect(await refusal('session', 'unknown')).to.equal('The session has ended: sign in again.');
    service.clock.pass(8 * HOUR);
    expect(await refusal('session', ada.secret)).to.equal('The session has expired: sign in again.');
    await service.ports.stores.users.setDisabled(ada.user.id, service.clock.read());
    expect(await refusal('session', ada.secret)).to.equal('The account is disabled.');
  });

  it('keeps a session alive by a use, never by a look', async () => {
    service.clock.pass(7 * HOUR);
    await find('session', ada.secret, false);
    service.clock.pass(HOUR);
    expect(await refusal('session', ada.secret)).to.match(/expired/);
    const bob = await service.world.person('Bob');
    service.clock.pass(7 * HOUR);
    await find('session', bob.secret);
    service.clock.pass(HOUR);
    expect(await find('session', bob.secret)).to.include({ userId: bob.user.id });
  });
});

const OURS = new Set(['https://ship.acme.dev']);

describe('ownOrigins', () => {
  it('is the origin of the base URL, and on the loopback all of its names', () => {
    expect([...ownOrigins(new URL('https://ship.acme.dev/'))]).to.deep.equal(['https://ship.acme.dev']);
    expect([...ownOrigins(new URL('http://127.0.0.1:4400'))]).to.have.members([
      'http://localhost:4400',
      'http://127.0.0.1:4400',
      'http://[::1]:4400',
    ]);
    expect(ownOrigins(new URL('http://localhost')).has('http://127.0.0.1')).to.equal(true);
  });
});

describe('refuseCrossSite', () => {
  const verdict = (method: string, headers: Record<string, string>, proof: 'required' | 'if-any') => {
    try {
      refuseCrossSite(method, headers, OURS, proof);
      return 'passes';
    } catch (error) {
      expect((error as Problem).type).to.equal('cross-site');
      expect((error as Problem).detail).to.match(/carries a session but did not come from a page of this service/);
      return 'refused';
    }
  };

  it('demands proof of an unsafe request with a cookie', () => {
    expect(verdict('POST', { origin: 'https://ship.acme.dev' }, 'required')).to.equal('passes');
    expect(verdict('POST', { 'sec-fetch-site': 'same-origin' }, 'required')).to.equal('passes');
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: 'http://ship.acme.dev' },
      { origin: 'https://ship.acme.dev.evil.dev' },
      { origin: 'https://evil.dev', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { host: 'ship.acme.dev', referer: 'https://ship.acme.dev/' },
    ])
      expect(verdict('DELETE', headers, 'required'), JSON.stringify(headers)).to.equal('refused');
  });

  it('lets reading pass, and scripts that show nothing to abuse', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect(verdict(method, { origin: 'https://evil.dev' }, 'required')).to.equal('passes');
    expect(verdict('POST', {}, 'if-any')).to.equal('passes');
    expect(verdict('POST', { origin: 'https://evil.dev' }, 'if-any')).to.equal('refused');
    expect(verdict('POST', { 'sec-fetch-site': 'cross-site' }, 'if-any')).to.equal('refused');
    expect(Problem).to.be.a('function');
  });
});

describe('sessionCookie', () => {
  const set = { set: { secret: 's', expiresAt: 0 } } as const;

  it('is bound to the host and to https where there is https', () => {
    const cookie = sessionCookie(new URL('https://ship.acme.dev'));
    expect(cookie.name).to.equal('__Host-shipworthy');
    const expected =
      '__Host-shipworthy=s; Path=/; HttpOnly; SameSite=Lax; Secure; Expires=Thu, 01 Jan 1970 00:00:00 GMT';
    expect(cookie.header(set)).to.equal(expected);
    expect(cookie.header({ clear: true })).to.match(/^__Host-shipworthy=; .*Secure; Max-Age=0$/);
  });

  it('is bound to the path, which is part of its name, where there is one: __Host- is for the root alone', () => {
    const cookie = sessionCookie(new URL('https://acme.dev/tools/shipworthy/'));
    expect(cookie.name).to.equal('__Secure-shipworthy-tools-shipworthy');
    expect(cookie.header(set)).to.match(
      /^__Secure-shipworthy-tools-shipworthy=s; Path=\/tools\/shipworthy; HttpOnly; SameSite=Lax; Secure;/,
    );
    expect(sessionCookie(new URL('http://127.0.0.1/a')).name).to.equal('shipworthy_session-a');
  });

  it('has a name of its own over http', () => {
    expect(sessionCookie(new URL('http://127.0.0.1:4400')).header(set)).to.match(
      /^shipworthy_session=s; Path=\/; HttpOnly/,
    );
  });
});

describe('credentialOf', () => {
  it('reads the one cookie by its exact name', () => {
    const of = (cookie: string) => credentialOf({ cookie }, 'shipworthy_session');
    expect(of('a=1; shipworthy_session=abc; b=2')).to.deep.equal({ kind: 'session', secret: 'abc' });
    for (const cookie of [
      'xshipworthy_session=abc',
      'shipworthy_session',
      'shipworthy_session=',
      'SHIPWORTHY_SESSION=a',
    ])
      expect(of(cookie), cookie).to.deep.equal({ kind: 'none' });
    expect(of(`shipworthy_session=${'x'.repeat(600)}`)).to.deep.equal({ kind: 'none' });
  });

  it('takes an Authorization header for what it is, and never falls back to the cookie', () => {
    const cookie = 'shipworthy_session=abc';
    const kind = (authorization: string) => credentialOf({ authorization, cookie }, 'shipworthy_session').kind;
    expect(kind('Bearer key')).to.equal('api_key');
    for (const authorization of ['', 'Bearer', 'Bearer a b', 'Basic x', `Bearer ${'x'.repeat(600)}`])
      expect(kind(authorization), authorization).to.equal('unreadable');
  });
});

const ACCOUNT = 'ada@acme.dev';
const of = (address: string, byte = 7) =>
  deviceCookie({
    baseUrl: new URL(address),
    secretKey: Buffer.alloc(32, byte),
    clock: () => 0,
    newId: () => randomUUID(),
  });
const showing = (cookie?: string) => ({ request: { headers: { cookie } } as IncomingMessage });
const shownBy = (cookie: ReturnType<typeof of>, text: string | undefined, account: string) => {
  const device = cookie.shown(showing(text));
  return device?.isOf(account) ? device.id : null;
};
const pairOf = (header: string) => header.split(';')[0] ?? '';

describe('deviceCookie', () => {
  it('is named and protected like the session cookie, for a year', () => {
    expect(of('https://ship.acme.dev').header(showing(), ACCOUNT)).to.match(
      /^__Host-shipworthy-device=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Expires=Fri, 01 Jan 1971 /,
    );
    expect(of('https://acme.dev/tools/shipworthy/').header(showing(), ACCOUNT)).to.match(
      /^__Secure-shipworthy-device-tools-shipworthy=[\w.-]+; Path=\/tools\/shipworthy; HttpOnly; SameSite=Lax; Secure;/,
    );
    expect(of('http://127.0.0.1:4400').header(showing(), ACCOUNT)).to.match(
      /^shipworthy_device=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Expires=/,
    );
    expect(of('http://127.0.0.1/a').name).to.equal('shipworthy_device-a');
  });

  it('shows the same device again for the same account, and none for another account or another service', () => {
    const cookie = of('http://127.0.0.1');
    const kept = pairOf(cookie.header(showing(), ACCOUNT));
    const device = shownBy(cookie, `a=b; ${kept}`, ACCOUNT);
    expect(device).to.be.a('string');
    expect(shownBy(cookie, pairOf(cookie.header(showing(kept), ACCOUNT)), ACCOUNT)).to.equal(device);
    expect(shownBy(cookie, kept, 'bob@acme.dev')).to.equal(null);
    expect(of('http://127.0.0.1', 8).shown(showing(kept))).to.equal(null);
    for (const forged of [undefined, '', `${kept}x`, 'shipworthy_device=', `shipworthy_device=${'x'.repeat(5000)}`])
      expect(cookie.shown(showing(forged)), forged).to.equal(null);
  });

  it('becomes that of a new device when another account signs in', () => {
    const cookie = of('http://127.0.0.1');
    const kept = pairOf(cookie.header(showing(), ACCOUNT));
    const next = pairOf(cookie.header(showing(kept), 'bob@acme.dev'));
    expect(shownBy(cookie, next, 'bob@acme.dev')).not.to.equal(shownBy(cookie, kept, ACCOUNT));
    expect(shownBy(cookie, next, ACCOUNT)).to.equal(null);
  });
});
