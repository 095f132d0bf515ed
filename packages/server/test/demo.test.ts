import { knexStores, openDatabase } from '@shipworthy/adapters/knex';
import { testDatabase } from '@shipworthy/adapters/test-database';
import { liveReport, type Stores, type Team } from '@shipworthy/domain';
import { createProject, recordHistory, recordTestRun, removeDemo } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import { addDemo } from '../src/demo.js';
import { inMemory, inPostgres, inSqlite, type OpenStores } from './harness/openings.js';
import { type Service, startService } from './harness/service.js';
import { createWorld, type World } from './harness/world.js';

const demoOf = async ({ teams }: Pick<Stores, 'teams'>): Promise<Team> => {
  const team = await teams.demo();
  if (team === undefined) throw new Error('there is no demo');
  return team;
};

const releasesOf = async (stores: Stores) => {
  const [project] = await stores.projects.ofTeams([(await demoOf(stores)).id]);
  const page = { limit: 10, after: null };
  const { rows } = await stores.releases.page({ projectId: project?.id ?? '' }, page);
  return { project, releases: rows };
};

const suite = (name: string, open: OpenStores) =>
  describe(`the demo, ${name}`, () => {
    let service: Service;
    let world: World;
    beforeEach(async () => {
      service = await startService(await open());
      world = createWorld(service.ports);
    });
    afterEach(() => service.close());

    it('waits for the first administrator, is added once, and only they own it', async () => {
      const { stores, clock } = service.ports;
      expect(await addDemo({ stores, clock })).to.equal(false);
      expect(await stores.teams.demo()).to.equal(undefined);
      const ada = await world.person('Ada');
      await world.person('Bob');
      expect(await addDemo({ stores, clock })).to.equal(true);
      const team = await demoOf(stores);
      expect(team).to.include({ name: 'Demo', demo: true });
      expect((await stores.teams.members(team.id)).map(({ userId, role }) => [userId, role])).to.deep.equal([
        [ada.user.id, 'owner'],
      ]);
      expect(await addDemo({ stores, clock })).to.equal(true);
      expect(await demoOf(stores)).to.deep.equal(team);
      expect((await releasesOf(stores)).releases).to.have.lengthOf(3);
    });

    it('has a release that says go, one that says hold and one that says unknown, with the numbers of the engine', async () => {
      const { stores, clock } = service.ports;
      await world.person('Ada');
      await addDemo({ stores, clock });
      const { releases } = await releasesOf(stores);
      const allInputs = await stores.facts.factsFor(releases.map(({ id }) => id));
      const shown = allInputs.map(async (inputs) => {
        if (inputs === undefined) throw new Error('a release is gone');
        const { id, state } = inputs.release;
        const report = (await stores.releases.frozen(id))?.report ?? liveReport(inputs, clock());
        const points = (await stores.history.page(id, { limit: 100, after: null })).rows;
        const last = points.at(-1);
        expect([last?.score, last?.decision], inputs.release.name).to.deep.equal([report.score, report.gate.decision]);
        expect(points.length, inputs.release.name).to.be.above(5);
        expect(points.every(({ at }, index) => at > (points[index - 1]?.at ?? 0))).to.equal(true);
        return `${state} ${report.gate.decision}`;
      });
      expect(await Promise.all(shown)).to.have.members(['shipped go', 'active hold', 'planned unknown']);
      const [active] = allInputs.filter((one) => one?.release.state === 'active');
      expect(active?.waivers).to.have.lengthOf(1);
    });

    it('is removed as a whole while reports to it arrive and its trend is being written', async () => {
      const { ports } = service;
      const ada = await world.person('Ada');
      await addDemo(ports);
      const { id: teamId } = await demoOf(ports.stores);
      const { project } = await releasesOf(ports.stores);
      const projectId = project?.id ?? '';
      const caller = { ...(await world.actor(ada)), needs: 'member' } as const;
      const counts = { total: 4, passed: 4, failed: 0, skipped: 0, commitSha: null, url: null };
      const report = { releaseId: null, suite: null, ...counts, durationSeconds: null, ranAt: null, external: null };
      const reporting = Array.from({ length: 30 }, async () => {
        await recordTestRun(ports, { ...caller, teamId, projectId, report, remember: null });
        await recordHistory(ports, { limit: 5, leaseMs: 1_000 });
      });
      const removing = removeDemo(ports, { by: await world.actor(ada) });
      await Promise.allSettled(reporting);
      await removing;
      expect(await ports.stores.teams.byId(teamId)).to.equal(undefined);
      expect(await ports.stores.projects.byId(projectId)).to.equal(undefined);
      expect(await addDemo(ports)).to.equal(true);
    });

    it('takes no project of anybody, which would be removed with it', async () => {
      const { ports } = service;
      const ada = await world.person('Ada');
      await addDemo(ports);
      const { id: teamId } = await demoOf(ports.stores);
      const making = createProject(ports, { by: await world.actor(ada), teamId, name: 'billing' });
      expect(await making.catch((error: { code?: string }) => error.code)).to.equal('forbidden');
    });
  });

suite('in memory', inMemory);
suite('on SQLite', inSqlite);
suite('on PostgreSQL', inPostgres);

describe('the demo of two instances that start at once', () => {
  it('is one', async () => {
    const { url, drop } = await testDatabase();
    // The second waits for the first: on a busy machine longer than a statement of a request may take.
    const patient = { url, statementMs: 600_000 };
    const databases = await Promise.all([openDatabase(patient), openDatabase(patient)]);
    const [first] = databases.map(knexStores);
    if (first === undefined) throw new Error('nothing is open');
    const user = {
      id: crypto.randomUUID(),
      email: 'a@b.dev',
      name: 'Ada',
      emailVerified: true,
      administrator: true,
      disabledAt: null,
      createdAt: Date.now(),
    };
    await first.users.createFirst(user, 'x');
    const added = databases.map((database) => addDemo({ stores: knexStores(database), clock: Date.now }));
    expect(await Promise.all(added)).to.deep.equal([true, true]);
    expect((await releasesOf(first)).releases).to.have.lengthOf(3);
    for (const database of databases) await database.close();
    await drop();
  });
});
