import type { Principal, Team } from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import { createHeldWork, until } from '../harness/held-work.js';
import type { Person } from '../harness/world.js';

describe('reads', () => {
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
    const page: Ports['stores']['audit']['page'] = async ({ teamId }) => {
      await held.hold(teamId);
      return { rows: [], next: null };
    };
    const listAuditEntries = async (_: unknown, { principal, ports }: { principal: Principal; ports: Ports }) => {
      arrived += 1;
      const ask = () => ports.stores.audit.page({ teamId: principal.userId }, { limit: 1, after: null });
      await Promise.all([ask(), ask()]);
      return { status: 200, body: { data: [], next_cursor: null } } as never;
    };
    const audit = { ...base.ports.stores.audit, page };
    const ports = { ...base.ports, stores: { ...base.ports.stores, audit } };
    service = await startBare({ ports, routes: { listAuditEntries }, monotonic: () => now });
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

  const read = async (by: Person) =>
    (await ask(service.url, `/api/teams/${team.id}/audit`, { headers: cookieOf(by) })).status;

  it('of one person hold two connections, and others have theirs at once', async () => {
    const answered: number[] = [];
    const mine = Array.from({ length: 12 }, async () => answered.push(await read(ada)));
    await until(() => arrived === 12);
    expect(held.inside).to.deep.equal(Array(2).fill(ada.user.id));
    const other = read(bob).then((status) => answered.push(status));
    await until(() => held.inside.includes(bob.user.id));
    await held.releaseUntil(() => answered.length === 13);
    await Promise.all([...mine, other]);
    expect(answered).to.deep.equal(Array(13).fill(200));
  });

  it('whose turn comes after they were answered as late ask nothing more', async () => {
    const answers = Array.from({ length: 6 }, () => read(ada));
    await until(() => arrived === 6 && held.inside.length === 2);
    now += 15_000;
    expect(await Promise.all(answers)).to.deep.equal(Array(6).fill(503));
    const asked = held.begun;
    await held.releaseUntil(() => held.inside.length === 0);
    // Others had their turns by now, and asked nothing.
    const after = read(bob);
    await until(() => held.inside.length === 2);
    expect([asked, ...held.inside]).to.deep.equal([2, bob.user.id, bob.user.id]);
    held.releaseAll();
    expect(await after).to.equal(200);
  });
});
