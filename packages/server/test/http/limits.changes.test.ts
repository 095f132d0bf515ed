import type { Principal, Team } from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import { createHeldWork, until } from '../harness/held-work.js';
import type { Person } from '../harness/world.js';

describe('changes', () => {
  const held = createHeldWork();
  let arrived = 0;
  let now = 0;
  let base: BareService;
  let service: BareService;
  let ada: Person;
  let bob: Person;
  let team: Team;
  before(async () => {
    base = await startBare();
    const renameTeam = async (_: unknown, { principal, ports }: { principal: Principal; ports: Ports }) => {
      arrived += 1;
      const work = async () => {
        await held.hold(principal.userId);
        return { status: 200, body: { data: { id: team.id } } } as never;
      };
      return ports.stores.transaction(work);
    };
    // Those in memory follow each other; on a pool of connections they run side by side.
    const transaction: Ports['stores']['transaction'] = (work) => work(base.ports.stores);
    const ports = { ...base.ports, stores: { ...base.ports.stores, transaction } };
    service = await startBare({ ports, routes: { renameTeam }, monotonic: () => now });
    ada = await base.world.person('Ada');
    bob = await base.world.person('Bob');
    team = await base.world.team(ada, 'Payments');
    await base.world.member(team, bob, 'owner');
  });
  after(async () => {
    await service.close();
    await base.close();
  });
  afterEach(() => {
    arrived = 0;
  });

  const rename = async (by: Person) => {
    const headers = { ...cookieOf(by), 'content-type': 'application/json' };
    const { status } = await ask(service.url, `/api/teams/${team.id}`, {
      method: 'PATCH',
      headers,
      body: { name: 'Pay' },
    });
    return status;
  };

  it('of one person hold two connections, and others have theirs at once', async () => {
    const answered: number[] = [];
    const mine = Array.from({ length: 12 }, async () => answered.push(await rename(ada)));
    await until(() => arrived === 12);
    expect(held.inside).to.deep.equal(Array(2).fill(ada.user.id));
    const other = rename(bob).then((status) => answered.push(status));
    await until(() => held.inside.includes(bob.user.id));
    await held.releaseUntil(() => answered.length === 13);
    await Promise.all([...mine, other]);
    expect(answered).to.deep.equal(Array(13).fill(200));
  });

  it('whose turn comes after they were answered as late are not made', async () => {
    const answers = Array.from({ length: 6 }, () => rename(ada));
    await until(() => arrived === 6);
    now += 15_000;
    expect(await Promise.all(answers)).to.deep.equal(Array(6).fill(503));
    let last = 0;
    const after = rename(bob).then((status) => {
      last = status;
    });
    await until(() => held.inside.includes(bob.user.id));
    const begun = held.begun;
    await held.releaseUntil(() => last === 200 && held.inside.length === 0);
    await after;
    expect(begun).to.equal(3);
    expect(await work(ada)).to.equal(200);
  });

  /** A change that is released as soon as it is inside. */
  const work = async (by: Person) => {
    const asked = rename(by);
    await until(() => held.begun > 0);
    expect(held.inside).to.deep.equal([by.user.id]);
    held.releaseAll();
    return asked;
  };
});
