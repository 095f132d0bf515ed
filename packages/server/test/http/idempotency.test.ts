import { memoryStores } from '@shipworthy/adapters/memory';
import type { Principal, Project, Team } from '@shipworthy/domain';
import type { IdempotentRequest } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { answeredOnce, createRunningKeys, idempotentRequest } from '../../src/http/idempotency.js';
import { Problem } from '../../src/http/problem.js';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import type { Person } from '../harness/world.js';

describe('Idempotency-Key', () => {
  let service: BareService;
  let ada: Person;
  let team: Team;
  let made: Project[] = [];
  let hold: Promise<void> | null = null;
  let isHeld: () => void = () => undefined;
  let fail = false;
  before(async () => {
    service = await startBare({
      routes: {
        createProject: async ({ body }, { ports, place, now, idempotency }) => {
          expect(idempotency).to.equal(null);
          isHeld();
          if (hold) await hold;
          const project = {
            id: ports.newId(),
            teamId: place.teamId,
            slug: 'x',
            version: 1,
            createdAt: now,
            name: body.name,
          };
          const stored = await ports.stores.projects.create(project);
          if (fail) throw new Error('after the insert');
          made.push(stored);
          return { status: 201, body: { data: { id: stored.id, name: stored.name } } } as never;
        },
        createApiKey: async () => ({ status: 201, body: { data: { id: 'x', key: 'secret' } } }) as never,
      },
    });
    ada = await service.world.person('Ada');
    team = await service.world.team(ada, 'Payments');
  });
  beforeEach(() => {
    made = [];
    hold = null;
    fail = false;
  });
  after(() => service.close());

  const create = (name: string, key: string, person: Person = ada) =>
    ask(service.url, `/api/teams/${team.id}/projects`, {
      method: 'POST',
      headers: { ...cookieOf(person), 'idempotency-key': key },
      body: { name },
    });

  it('answers a repeat with the first answer, to the byte', async () => {
    const first = await create('one', 'k1');
    expect(first.status).to.equal(201);
    const again = await create('one', 'k1');
    expect(again.text).to.equal(first.text);
    expect(again.headers.location)
      .to.equal(first.headers.location)
      .and.match(/^\/api\/teams\/.+\/projects\//);
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(first.headers).to.not.have.property('idempotent-replayed');
    expect(made).to.have.length(1);
  });

  it('refuses the key with another body', async () => {
    await create('two', 'k2');
    const other = await create('three', 'k2');
    expect(other.status).to.equal(422);
    expect(other.json?.type).to.equal('/api/docs/problems/idempotency-key-reused');
    expect(made).to.have.length(1);
  });

  it('refuses the key while the first request with it is running', async () => {
    let release: () => void = () => undefined;
    hold = new Promise((resolve) => {
      release = resolve;
    });
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const first = create('four', 'k4');
    await Promise.race([held, first]);
    // A second request that is not refused waits for the first one: then this test fails, and holds up no other.
    const waiting = setTimeout(release, 5_000);
    const second = await create('four', 'k4');
    clearTimeout(waiting);
    release();
    expect(second.status).to.equal(409);
    expect(second.headers['retry-after']).to.equal('1');
    expect((await first).status).to.equal(201);
  });

  it('forgets a request that failed, with all it had done', async () => {
    fail = true;
    expect((await create('five', 'k5')).status).to.equal(500);
    fail = false;
    const again = await create('five', 'k5');
    expect(again.status).to.equal(201);
    expect(again.headers).to.not.have.property('idempotent-replayed');
  });

  it('belongs to its caller, and asks for the role before any repeat', async () => {
    await create('six', 'k6');
    const bob = await service.world.person('Bob');
    expect((await create('six', 'k6', bob)).status).to.equal(404);
    await service.world.member(team, bob, 'viewer');
    service.clock.pass(2000);
    expect((await create('six', 'k6', bob)).status).to.equal(403);
    await service.ports.stores.teams.changeRole(team.id, bob.user.id, 'member');
    service.clock.pass(2000);
    expect((await create('seven', 'k6', bob)).status).to.equal(201);
  });

  it('has 1-255 visible ASCII characters', async () => {
    for (const key of ['a b', 'x'.repeat(256), 'é']) {
      const answer = await create('eight', Buffer.from(key).toString('latin1'));
      expect(answer.status, key).to.equal(422);
      expect(answer.text).to.contain('Idempotency-Key');
    }
    expect((await create('eight', '~'.repeat(255))).status).to.equal(201);
  });

  it('is ignored where the answer holds a secret', async () => {
    const asked = {
      method: 'POST',
      headers: { ...cookieOf(ada), 'idempotency-key': 'k9' },
      body: { name: 'pipeline', scopes: ['read'] },
    };
    const first = await ask(service.url, '/api/settings/api-keys', asked);
    const second = await ask(service.url, '/api/settings/api-keys', asked);
    expect([first.status, second.status]).to.deep.equal([201, 201]);
    expect(second.headers).to.not.have.property('idempotent-replayed');
  });
});

const CALLER: Principal = {
  kind: 'api_key',
  id: 'k1',
  userId: 'u1',
  name: 'pipeline',
  scopes: ['read'],
  roles: new Map(),
  administrator: false,
  expiresAt: 1,
};

const problemOf = async (work: () => unknown): Promise<Problem> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('idempotentRequest', () => {
  const read = (key: string | undefined) =>
    idempotentRequest(key, CALLER, 'POST /api/deployments', Buffer.from('{}'), 5);

  it('names caller, operation and key, with the SHA-256 of the body', () => {
    expect(read('a')).to.deep.equal({
      caller: 'api_key:k1',
      operation: 'POST /api/deployments',
      key: 'a',
      fingerprint: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      at: 5,
    });
  });

  it('is that of the person for each of their sessions', () => {
    const callerOf = (id: string, userId: string) =>
      idempotentRequest('a', { ...CALLER, kind: 'session', id, userId }, 'POST /api/teams', Buffer.from('{}'), 5)
        ?.caller;
    expect(callerOf('s1', 'u1')).to.equal(callerOf('s2', 'u1'));
    expect(callerOf('s1', 'u1')).not.to.equal(callerOf('s1', 'u2'));
  });

  it('is null without the header', () => {
    expect(read(undefined)).to.equal(null);
  });

  it('points at a header that is no key', async () => {
    const message = 'Idempotency-Key must have 1-255 visible ASCII characters';
    for (const key of ['', 'a b', ' a', 'a ', 'x'.repeat(256)])
      expect((await problemOf(() => read(key))).notes.members, key).to.deep.equal({
        errors: [{ pointer: 'Idempotency-Key', code: 'format', message }],
      });
  });
});

const request: IdempotentRequest = { caller: 'c', operation: 'o', key: 'k', fingerprint: 'f', at: 0 };

describe('createRunningKeys', () => {
  it('keeps one key to one request at a time, of the same caller and operation only', async () => {
    const keys = createRunningKeys();
    let end: () => void = () => undefined;
    const first = keys.alone(request, () => new Promise<void>((resolve) => (end = resolve)));
    const refused = await problemOf(() => keys.alone(request, async () => 'done'));
    expect(refused.type).to.equal('idempotency-key-in-use');
    expect(refused.detail).to.equal('The first request with this key is still running.');
    expect(refused.notes).to.deep.equal({ retryAfter: 1 });
    for (const other of [{ caller: 'd' }, { operation: 'p' }, { key: 'l' }])
      expect(await keys.alone({ ...request, ...other }, async () => 'done')).to.equal('done');
    end();
    await first;
    expect(await keys.alone(request, async () => 'done')).to.equal('done');
  });

  it('lets a key go whose work failed', async () => {
    const keys = createRunningKeys();
    const failing = keys.alone(request, () => Promise.reject(new Error('broken')));
    expect(await failing.catch((error: Error) => error.message)).to.equal('broken');
    expect(await keys.alone(request, async () => 'done')).to.equal('done');
  });
});

describe('once', () => {
  const reply = { status: 201, location: '/api/x', body: '{}' };
  const never = () => Promise.reject(new Error('the work was done again'));

  it('does the work once and remembers its answer', async () => {
    const stores = memoryStores();
    expect(await answeredOnce(stores, request, async () => reply)).to.deep.equal({ ...reply, replayed: false });
    expect(await answeredOnce(stores, request, never)).to.deep.equal({ ...reply, replayed: true });
  });

  it('refuses another body, and a key that another instance is working on', async () => {
    const stores = memoryStores();
    await answeredOnce(stores, request, async () => reply);
    const reused = await problemOf(() => answeredOnce(stores, { ...request, fingerprint: 'g' }, never));
    expect(reused.type).to.equal('idempotency-key-reused');
    expect(reused.detail).to.equal('The idempotency key was used for a request with another body.');
    const idempotency = { ...stores.idempotency, take: async () => ({ state: 'in_use' }) as const };
    const busy: typeof stores.transaction = (work) => stores.transaction((inside) => work({ ...inside, idempotency }));
    expect((await problemOf(() => answeredOnce({ transaction: busy }, request, never))).type).to.equal(
      'idempotency-key-in-use',
    );
  });
});
