import type { ReportEntry } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import pg from 'pg';
import { knexStores, openDatabase } from '../../src/knex/index.js';
import { NOON, sampleDeployment, sampleTestRun } from '../contract/sample-records.js';
import { revisionOf, storedActiveRelease, storedDeployments } from '../contract/sample-world.js';
import { openNew, withNew } from './opened.js';

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

describe('recording reports on PostgreSQL', () => {
  it('begins again when it lost a deadlock', () =>
    withNew('PostgreSQL', async ({ url, stores }) => {
      const { project, release } = await storedActiveRelease(stores);
      await storedDeployments(stores, project.id, [{ status: 'success' }]);
      const rival = new pg.Client({ connectionString: url });
      await rival.connect();
      // The rival waits patiently, so that the report is the one to be given up.
      await rival.query(`begin; set local deadlock_timeout = '20s'`);
      await rival.query('select 1 from release_marks where release_id = $1 for update', [release.id]);
      const deployment = sampleDeployment(project.id, { status: 'success' });
      const recorded = stores.reports.record([{ kind: 'deployment', deployment, remember: null }]);
      await pause(200);
      await rival.query('select 1 from deployment_counts where project_id = $1 for update', [project.id]);
      await rival.query('commit');
      await rival.end();
      expect(await recorded).to.deep.equal([{ result: 'created' }]);
      expect(await stores.deployments.recount()).to.deep.equal([]);
      expect(await revisionOf(stores, release.id)).to.equal(3);
    }));

  for (const kind of ['deployment', 'finish'] as const)
    it(`of the kind ${kind} waits for a release that is just being shipped, and is late then`, () =>
      withNew('PostgreSQL', async ({ database, stores }) => {
        const { project, release } = await storedActiveRelease(stores);
        const begun = sampleDeployment(project.id, { startedAt: NOON });
        const at = NOON + 1;
        const end = { status: 'failure', finishedAt: at, at, durationSeconds: null, isArrivalTime: true } as const;
        const entry: ReportEntry =
          kind === 'finish'
            ? { kind, deploymentId: begun.id, ...end }
            : {
                kind,
                deployment: { ...begun, id: sampleDeployment(project.id).id },
                remember: null,
                isArrivalTime: true,
              };
        await stores.reports.record([{ kind: 'deployment', deployment: begun, remember: null }]);
        let recorded: ReturnType<typeof stores.reports.record> = Promise.resolve([]);
        let isRecorded = false;
        const isWaiting = async (): Promise<boolean> =>
          (await database.access.read('select 1 from pg_locks where not granted')).length > 0;
        await stores.transaction(async (inside) => {
          await inside.projects.lock(project.id);
          recorded = stores.reports.record([entry]).finally(() => {
            isRecorded = true;
          });
          while (!isRecorded && !(await isWaiting())) await pause(5);
          const shipped = { ...release, state: 'shipped', shippedAt: NOON + 1000, version: 2 } as const;
          await inside.releases.replace(shipped, NOON + 1000);
        });
        expect((await recorded)[0]).to.have.property('late', true);
      }));

  for (const kind of ['deployment', 'test_run'] as const)
    it(`of one ${kind} batch in any order, several services wait for each other in one order`, () =>
      withNew('PostgreSQL', async ({ url, database, stores }) => {
        const { project, release } = await storedActiveRelease(stores);
        const entriesOf = (round: number, step: number): readonly ReportEntry[] =>
          Array.from({ length: 300 }, (_, place) => {
            const name = { id: `${round} run ${(place * step + 40 * step) % 300}`, fingerprint: 'same' };
            return kind === 'deployment'
              ? { kind, deployment: sampleDeployment(project.id, { external: name }), remember: null }
              : { kind, testRun: sampleTestRun(release, { external: name }), remember: null };
          });
        const others = await Promise.all([1, 2, 3].map(() => openDatabase({ url, connections: 2 })));
        for (const round of [1, 2, 3]) {
          // Each number of the three has no divisor in common with 300.
          const outcomes = await Promise.all(
            [1, 7, 299].map((step, at) => knexStores(others[at] ?? database).reports.record(entriesOf(round, step))),
          );
          expect(outcomes.flat().filter(({ result }) => result === 'created')).to.have.lengthOf(300);
        }
        for (const other of others) await other.close();
        await database.access.read('select pg_stat_force_next_flush()');
        const [stat] = await database.access.read<{ deadlocks: number }>(
          'select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()',
        );
        expect(stat?.deadlocks).to.equal(0);
      }));

  it('loses and doubles nothing when several services report the same in different orders', async () => {
    const { url, stores, close } = await openNew('PostgreSQL');
    const { project, release } = await storedActiveRelease(stores);
    const others = await Promise.all([1, 2, 3].map(() => openDatabase({ url, connections: 2 })));
    const deployments = Array.from({ length: 40 }, (_, index) =>
      sampleDeployment(project.id, {
        startedAt: NOON + index * 1000,
        external: { id: `run ${index}`, fingerprint: 'same' },
      }),
    );
    const outcomes = await Promise.all(
      others.flatMap((database, turn) =>
        [0, 1].map((again) => {
          const turned = deployments.map(
            (_, index) => deployments[(index * 7 + turn * 11 + again) % 40] ?? sampleDeployment(project.id),
          );
          const entries = turned.map((deployment) => ({ ...deployment, id: sampleDeployment(project.id).id }));
          return knexStores(database).reports.record(
            entries.map((deployment) => ({ kind: 'deployment', deployment, remember: null })),
          );
        }),
      ),
    );
    const results = outcomes.flat().map(({ result }) => result);
    expect(results.filter((result) => result === 'created')).to.have.lengthOf(40);
    expect(results.filter((result) => result === 'duplicate')).to.have.lengthOf(200);
    expect(await stores.deployments.recount()).to.deep.equal([]);
    expect(await revisionOf(stores, release.id)).to.equal(41);
    for (const other of others) await other.close();
    await close();
  });
});

describe('the recount of deployments', () => {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    it(`finds on ${kind} what differs from the rows, before 1970 too`, () =>
      withNew(kind, async ({ database, stores }) => {
        const { project } = await storedActiveRelease(stores);
        const startedAt = Date.parse('1969-12-31T22:30:00.000Z');
        await storedDeployments(stores, project.id, [{ startedAt, status: 'failure' }, { status: 'success' }]);
        expect(await stores.deployments.recount()).to.deep.equal([]);
        await database.access.write('update deployment_counts set failure = 2 where hours = 24 and failure = 1');
        const day = Date.parse('1969-12-31T00:00:00.000Z');
        const count = { projectId: project.id, environment: 'production', day, started: 0, success: 0, returned: 0 };
        const difference = { kept: { ...count, failure: 2 }, recounted: { ...count, failure: 1 } };
        expect(await stores.deployments.recount()).to.deep.equal([difference]);
        await database.access.write('delete from deployment_counts where hours = 24');
        expect((await stores.deployments.recount()).map(({ kept }) => kept)).to.deep.equal([null, null]);
      }));
  }
});
