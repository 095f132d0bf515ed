import type { Principal, Project, Team } from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { InOneTurn } from '../../src/http/route.js';
import { createReportCache } from '../../src/report-cache.js';
import { readinessRoutes } from '../../src/routes/readiness.js';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import { createHeldWork, until } from '../harness/held-work.js';
import type { Person } from '../harness/world.js';

/** What the routes of these tests use of their context. */
interface Reading {
  readonly principal: Principal;
  readonly ports: Ports;
  readonly inOneTurn: InOneTurn;
}

describe('a report that several persons read', () => {
  const held = createHeldWork();
  let waiting = 0;
  let readings = 0;
  let now = 0;
  let base: BareService;
  let service: BareService;
  let ada: Person;
  let bob: Person;
  let team: Team;
  let project: Project;
  before(async () => {
    base = await startBare();
    const { stores, lookups, clock } = base.ports;
    const page: Ports['stores']['audit']['page'] = async ({ teamId }) => {
      await held.hold(teamId);
      return { rows: [], next: null };
    };
    const factsFor: Ports['stores']['facts']['factsFor'] = (ids) => {
      readings += 1;
      return stores.facts.factsFor(ids);
    };
    const askTwice = ({ userId }: Principal, { audit }: Ports['stores']) =>
      Promise.all([1, 2].map(() => audit.page({ teamId: userId }, { limit: 1, after: null })));
    const reply = { status: 200, body: { data: [], next_cursor: null } } as never;
    const listAuditEntries = async (_: unknown, { principal, ports }: Reading) => {
      await askTwice(principal, ports.stores);
      return reply;
    };
    const listTeams = async (_: unknown, { principal, inOneTurn }: Reading) => {
      await inOneTurn((ports) => askTwice(principal, ports.stores));
      return reply;
    };
    const { readGate: gate } = readinessRoutes(createReportCache(lookups, clock));
    const readGate: typeof gate = (input, context) => {
      const inOneTurn: InOneTurn = (work) => {
        waiting += 1;
        return context.inOneTurn(work);
      };
      return gate(input, { ...context, inOneTurn });
    };
    const ports = {
      ...base.ports,
      stores: { ...stores, audit: { ...stores.audit, page }, facts: { ...stores.facts, factsFor } },
    };
    service = await startBare({ ports, routes: { listAuditEntries, listTeams, readGate }, monotonic: () => now });
    ada = await base.world.person('Ada');
    bob = await base.world.person('Bob');
    team = await base.world.team(ada, 'Payments');
    await base.world.member(team, bob, 'owner');
    project = await base.world.project(ada, team, 'checkout');
  });
  after(async () => {
    await service.close();
    await base.close();
  });
  beforeEach(() => {
    waiting = 0;
    readings = 0;
  });

  const read = async (by: Person, path: string) => (await ask(service.url, path, { headers: cookieOf(by) })).status;

  /** Ada's slow list has both her turns, and her three reads of the release's gate wait for one. */
  const adaWaiting = async (version: string) => {
    const release = await base.world.release(ada, project, version);
    const gate = `/api/teams/${team.id}/projects/${project.id}/releases/${release.id}/gate`;
    const list = read(ada, `/api/teams/${team.id}/audit`);
    await until(() => held.inside.length === 2);
    const gates = [1, 2, 3].map(() => read(ada, gate));
    await until(() => waiting === 3);
    return { gate, list, gates };
  };

  it('is answered to one while another waits for a turn, and is read once for both', async () => {
    const { gate, list, gates } = await adaWaiting('1.0');
    expect(await read(bob, gate)).to.equal(200);
    expect(held.inside).to.deep.equal([ada.user.id, ada.user.id]);
    held.releaseAll();
    expect(await Promise.all([list, ...gates])).to.deep.equal(Array(4).fill(200));
    expect(readings).to.equal(1);
  });

  it('is answered to one after another was too late for it', async () => {
    const { gate, list, gates } = await adaWaiting('2.0');
    now += 15_000;
    expect(await Promise.all([list, ...gates])).to.deep.equal(Array(4).fill(503));
    expect(await read(bob, gate)).to.equal(200);
    held.releaseAll();
    await until(() => held.inside.length === 0);
    expect([await read(ada, gate), readings]).to.deep.equal([200, 1]);
  });

  it('holds one connection in its turn, however many questions it asks at once', async () => {
    const list = read(ada, '/api/teams');
    for (const asked of [1, 2]) {
      await until(() => held.begun === 1);
      expect(held.inside, `question ${asked}`).to.deep.equal([ada.user.id]);
      held.releaseAll();
    }
    expect(await list).to.equal(200);
  });
});
