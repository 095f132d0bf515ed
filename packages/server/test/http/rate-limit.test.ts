import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { devices } from '@shipworthy/adapters/crypto';
import { expect } from 'chai';
import { Problem } from '../../src/http/problem.js';
import { BoundedMap, callerAddress, createRateLimit, quotaOf } from '../../src/http/rate-limit.js';
import { ask } from '../harness/ask.js';
import { startBare } from '../harness/bare-service.js';
import { createTestClock } from '../harness/test-clock.js';

const refusal = (work: () => unknown): Problem => {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  return expect.fail('It was let through.');
};

describe('createRateLimit', () => {
  const known = (perMinute: number) => {
    const clock = createTestClock();
    const limit = createRateLimit(perMinute, clock.read);
    const first = limit.count('key', '1.1.1.1');
    if (first === null) return expect.fail('Nothing is counted.');
    limit.recount(first, 'key');
    return { clock, limit };
  };

  it('keeps the requests of an account’s known devices apart from those of their network', () => {
    const limit = createRateLimit(6000, createTestClock().read);
    for (let count = 0; count < 60; count += 1) limit.count(null, '1.1.1.1');
    refusal(() => limit.count(null, '1.1.1.1'));
    for (let count = 0; count < 60; count += 1) limit.count(null, '1.1.1.1', 'ada');
    refusal(() => limit.count(null, '2.2.2.2', 'ada'));
  });

  it('allows 6,000 a minute with 1,000 at once', () => {
    expect(quotaOf(6000)).to.deep.equal({ perMinute: 6000, burst: 1000 });
    const { clock, limit } = known(6000);
    for (let count = 1; count < 1000; count += 1) limit.count('key', '1.1.1.1');
    const problem = refusal(() => limit.count('key', '1.1.1.1'));
    expect(problem.type).to.equal('too-many-requests');
    expect(problem.notes.retryAfter).to.be.closeTo(0.01, 1e-9);
    clock.pass(10);
    limit.count('key', '1.1.1.1');
    refusal(() => limit.count('key', '1.1.1.1'));
    clock.pass(60_000);
    for (let count = 0; count < 1000; count += 1) limit.count('key', '1.1.1.1');
    refusal(() => limit.count('key', '1.1.1.1'));
  });

  it('counts who shows nothing valid by network, apart from valid credentials', () => {
    const { limit } = known(6000);
    for (let count = 0; count < 60; count += 1) limit.count(`guess${count}`, '2.2.2.2');
    refusal(() => limit.count('guess', '2.2.2.2'));
    limit.count(null, '2.2.2.3');
    limit.count('key', '2.2.2.2');
    for (let count = 0; count < 60; count += 1) limit.count(null, `2001:db8:0:1::${count.toString(16)}`);
    refusal(() => limit.count(null, '2001:db8:0:1:ffff::1'));
    limit.count(null, '2001:db8:0:2::1');
  });

  it('gives an address its token back when the credential was valid', () => {
    const limit = createRateLimit(6000, createTestClock().read);
    for (let count = 0; count < 200; count += 1) {
      const counted = limit.count(`new${count}`, '3.3.3.3');
      if (counted !== null) limit.recount(counted, `new${count}`);
    }
    expect(limit.count(null, '3.3.3.3')).to.not.equal(null);
  });

  it('does not let a credential that is turned away again and again use up the first request of another one', () => {
    const { limit } = known(6000);
    const turnAway = () => {
      const counted = limit.count('stale', '1.1.1.1');
      if (counted !== null) limit.forget('stale', counted, '1.1.1.1');
    };
    // The first time nothing is known of it.
    for (let times = 0; times < 61; times += 1) turnAway();
    refusal(turnAway);
    for (let key = 0; key < 59; key += 1) limit.count(`new ${key}`, '1.1.1.1');
    refusal(() => limit.count('one more', '1.1.1.1'));
  });

  it('counts a credential that was turned away as its caller again once it is let in', () => {
    const { limit } = known(6000);
    const counted = limit.count('key', '1.1.1.1');
    if (counted !== null) limit.forget('key', counted, '1.1.1.1');
    for (let count = 0; count < 59; count += 1) limit.count(null, '1.1.1.1');
    refusal(() => limit.count(null, '1.1.1.1'));
    const again = limit.count('key', '1.1.1.1');
    if (again !== null) limit.recount(again, 'key');
    for (let count = 0; count < 100; count += 1) limit.count('key', '1.1.1.1');
  });

  it('survives a clock that is set back', () => {
    const { clock, limit } = known(6000);
    clock.pass(-3_600_000);
    limit.count('key', '1.1.1.1');
  });
});

describe('the limits of requests', () => {
  it('are told in every counted answer, and never on exempt operations', async () => {
    const service = await startBare({
      requestsPerMinute: 12,
      routes: {
        whoAmI: async () => ({ status: 200, body: { data: {} } }) as never,
        checkAlive: async () => ({ status: 200, body: { status: 'ok' } }),
      },
    });
    try {
      const key = await service.world.key(await service.world.person('Ada'), { scopes: ['read'] });
      const headers = { authorization: `Bearer ${key}` };
      const first = await ask(service.url, '/api/whoami', { headers });
      expect(first.headers['ratelimit-policy']).to.equal('"caller";q=12;w=60, "caller-burst";q=2;w=1');
      expect(first.headers.ratelimit).to.equal('"caller-burst";r=1;t=5');
      await ask(service.url, '/api/whoami', { headers });
      const third = await ask(service.url, '/api/whoami', { headers });
      expect(third.status).to.equal(429);
      expect(third.headers['retry-after']).to.equal('5');
      for (let count = 0; count < 100; count += 1) {
        const alive = await ask(service.url, '/livez');
        expect(alive.status).to.equal(200);
        expect(alive.headers).to.not.have.property('ratelimit');
      }
      service.clock.pass(5000);
      expect((await ask(service.url, '/api/whoami', { headers })).status).to.equal(200);
    } finally {
      await service.close();
    }
  });

  it('come before the question who it is', async () => {
    const service = await startBare({ requestsPerMinute: 6000 });
    try {
      const answers = [];
      for (let count = 0; count < 61; count += 1) answers.push((await ask(service.url, '/api/whoami')).status);
      expect(answers.filter((status) => status === 401)).to.have.length(60);
      expect(answers.at(-1)).to.equal(429);
    } finally {
      await service.close();
    }
  });

  it('are those of its network for a key that was valid and is not any more', async () => {
    const service = await startBare({
      requestsPerMinute: 6000,
      routes: { whoAmI: async () => ({ status: 200, body: { data: {} } }) as never },
    });
    try {
      const { world, ports, clock, url } = service;
      const ada = await world.person('Ada');
      const headers = { authorization: `Bearer ${await world.key(ada, { scopes: ['read'] })}` };
      const call = async () => (await ask(url, '/api/whoami', { headers })).status;
      expect(await call()).to.equal(200);
      for (const { id } of await ports.stores.apiKeys.ofUser(ada.user.id))
        await ports.stores.apiKeys.revoke(ada.user.id, id, clock.read());
      clock.pass(1000);
      const statuses = [];
      for (let count = 0; count < 63; count += 1) statuses.push(await call());
      // One as an unknown one, the others as one that was turned away.
      expect(statuses.filter((status) => status === 401)).to.have.length.within(61, 62);
      expect(statuses.at(-1)).to.equal(429);
    } finally {
      await service.close();
    }
  });

  it('count the devices of one account together, with any number of sign-ins', async () => {
    const secretKey = new Uint8Array(32);
    const service = await startBare({ requestsPerMinute: 6000, secretKey });
    try {
      const { seal } = devices(secretKey);
      const read = async (account?: string) => {
        const kept = account === undefined ? '' : seal(randomUUID(), account, service.clock.read());
        const headers = { cookie: `shipworthy_device=${kept}` };
        return (await ask(service.url, '/api/whoami', { headers })).status;
      };
      for (let count = 0; count < 60; count += 1) expect(await read('bob@acme.dev')).to.equal(401);
      expect(await read('bob@acme.dev'), 'one more device').to.equal(429);
      expect(await read('ada@acme.dev'), 'another account').to.equal(401);
      expect(await read(), 'the network').to.equal(401);
    } finally {
      await service.close();
    }
  });
});

describe('BoundedMap', () => {
  it('forgets what was unused for longest', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.use('a')).to.equal(1);
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).to.deep.equal([1, undefined, 3]);
    map.set('a', 4);
    map.set('d', 5);
    expect([map.get('a'), map.get('c'), map.size]).to.deep.equal([4, undefined, 2]);
    map.delete('a');
    expect(map.use('a')).to.equal(undefined);
  });

  it('counts values by their size, where one is told', () => {
    const map = new BoundedMap<string, string>(10, (text) => text.length);
    map.set('a', '12345');
    map.set('b', '12345');
    map.set('a', '123');
    map.set('c', '12');
    expect([map.get('a'), map.get('b'), map.get('c')]).to.deep.equal(['123', '12345', '12']);
    map.set('d', '123456');
    expect([map.get('a'), map.get('b'), map.get('c'), map.get('d')]).to.deep.equal([
      undefined,
      undefined,
      '12',
      '123456',
    ]);
    map.set('e', '12345678901');
    expect(map.size).to.equal(0);
    map.set('f', '1234567890');
    expect(map.get('f')).to.equal('1234567890');
  });
});

const from = (remoteAddress: string | undefined, forwarded?: string | string[]) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

describe('addressOf', () => {
  it('believes no header without proxies', () => {
    expect(callerAddress(from('::ffff:10.0.0.1', '1.2.3.4'), 0)).to.equal('10.0.0.1');
    expect(callerAddress(from(undefined), 0)).to.equal('');
  });

  it('believes as many entries from the end as there are proxies', () => {
    const request = from('10.0.0.1', '6.6.6.6, 1.2.3.4, 5.5.5.5');
    expect(callerAddress(request, 1)).to.equal('5.5.5.5');
    expect(callerAddress(request, 2)).to.equal('1.2.3.4');
    expect(callerAddress(request, 9)).to.equal('6.6.6.6');
    expect(callerAddress(from('10.0.0.1', ['1.1.1.1', '2001:db8::1']), 1)).to.equal('2001:db8::1');
  });

  it('leaves out the port that some proxies write, so that their callers are not one', () => {
    for (const [header, address] of [
      ['1.2.3.4:5678', '1.2.3.4'],
      ['6.6.6.6:1, 1.2.3.4:65535', '1.2.3.4'],
      ['[2001:db8::1]:80', '2001:db8::1'],
      ['[2001:db8::1]', '2001:db8::1'],
      ['[::ffff:1.2.3.4]:80', '1.2.3.4'],
      ['::FFFF:1.2.3.4', '1.2.3.4'],
      ['::ffff:c000:209', '::ffff:c000:209'],
      ['2001:db8::1:80', '2001:db8::1:80'],
    ])
      expect(callerAddress(from('10.0.0.1', header), 1), header).to.equal(address);
  });

  it('falls back to the connection when the header is no address', () => {
    for (const header of [
      undefined,
      '',
      'unknown',
      '<script>',
      '1.2.3.4:',
      '1.2.3.4:x',
      ':80',
      '[]:80',
      '[1::2',
      '2001:db8::1:',
    ])
      expect(callerAddress(from('10.0.0.1', header), 1), String(header)).to.equal('10.0.0.1');
  });
});
