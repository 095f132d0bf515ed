import type { Project, Team } from '@shipworthy/domain';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import type { Person } from '../harness/world.js';

describe('Idempotency-Key', () => {
  let service: BareService;
  let ada: Person;
  let team: Team;
  let made: Project[] = [];
  let hold: Promise<void> | null = null;
  let fail = false;
  before(async () => {
    service = await startBare({
      routes: {
        createProject: async ({ body }, { ports, place, now, idempotency }) => {
          expect(idempotency).to.equal(null);
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
    const first = create('four', 'k4');
    await new Promise((resolve) => setTimeout(resolve, 30));
    const second = await create('four', 'k4');
    expect(second.status).to.equal(409);
    expect(second.headers['retry-after']).to.equal('1');
    release();
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
