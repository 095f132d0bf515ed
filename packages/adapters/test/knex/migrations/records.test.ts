import type { Stores, TestRun } from '@shipworthy/domain';
import { expect } from 'chai';
import { copyDatabase } from '../../../src/knex/copy/copy-database-sql.js';
import { PLACES } from '../../../src/knex/copy/table-list.js';
import { knexStores, migrate, openDatabase, partitionTables } from '../../../src/knex/index.js';
import { takeSteps } from '../../../src/knex/migrations/migrate.js';
import { effectiveTimes, lateDeployments, snapshots } from '../../../src/knex/migrations/records.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';
import { latestInTime } from '../../../src/knex/not-counted-sql.js';
import type { Access } from '../../../src/knex/sql.js';
import { HOUR, MINUTE, NOON, sampleId } from '../../contract/sample-records.js';
import { samplePoint, sampleRecorded } from '../../contract/sample-report.js';
import {
  changePolicy,
  storedActiveRelease,
  storedDeployment,
  storedProject,
  storedRelease,
  storedTestRun,
} from '../../contract/sample-world.js';
import { places, withNew } from '../opened.js';
import { fillOlder, insert, type StoredColumns, storeTeams, sumsOfTables, tablesOf, takeAgain } from './older-data.js';

/** A release whose runs were stored before: of each suite a green run of a fast clock, with a red one recorded after it. */
const storedBefore = async (stores: Stores) => {
  const { project, release } = await storedActiveRelease(stores);
  const run = (suite: string | null, ranAt: number, recordedAt: number, passed: number): Promise<TestRun> =>
    storedTestRun(stores, release, { suite, ranAt, recordedAt, passed, failed: 10 - passed, total: 10 });
  const fast = await run('unit', NOON + 4 * MINUTE, NOON, 10);
  await run('unit', NOON - MINUTE, NOON + 2 * MINUTE, 6);
  const red = await run('unit', NOON + MINUTE, NOON + MINUTE, 3);
  const alone = await run(null, NOON + 5 * MINUTE, NOON + 3 * MINUTE, 9);
  const honest = await run('e2e', NOON, NOON, 8);
  return { project, release, fast, red, alone, honest };
};

/** What is said of the release once the step is taken. */
const expectCorrected = async (stores: Stores, before: Awaited<ReturnType<typeof storedBefore>>): Promise<void> => {
  const { project, release, fast, red, alone, honest } = before;
  const set = (run: TestRun): TestRun => ({ ...run, ranAt: run.recordedAt });
  const found = await stores.testRuns.byIds([fast, red, alone, honest].map(({ id }) => id));
  expect(found).to.deep.equal([set(fast), red, set(alone), honest]);
  const target = async (suite: string | null) => {
    const [one] = await stores.testRuns.targets([{ projectId: project.id, releaseId: release.id, suite }]);
    return one;
  };
  expect((await target('unit'))?.latestOfSuite?.id).to.equal(red.id);
  expect((await target('e2e'))?.latestOfSuite?.id).to.equal(honest.id);
  const ofNone = await target(null);
  expect(ofNone?.latestOfSuite).to.include({ id: alone.id, ranAt: alone.recordedAt });
  expect(ofNone?.latest?.id).to.equal(alone.id);
  const verification = async () => (await stores.facts.factsFor([release.id]))[0]?.facts.verification;
  expect(await verification()).to.include({ passed: 9, total: 10, ranAt: NOON + 3 * MINUTE });
  await changePolicy(stores, project.id, { verification: 'latest_per_suite' });
  expect(await verification()).to.include({ passed: 9 + 3 + 8, total: 30, ranAt: NOON, runs: 3 });
};

describe('the step for latest runs', () => {
  it('finds the latest run of all suites by an index, without sorting those of each', () =>
    withNew('SQLite', async ({ database }) => {
      const latest = latestInTime('r', (_, id) => id, null);
      const plan = await database.access.read<{ detail: string }>(
        `explain query plan select ${latest} from releases r`,
      );
      const steps = plan.map(({ detail }) => detail).join('; ');
      expect(steps).to.include('latest_test_runs_order (release_id=?)').and.not.include('TEMP B-TREE');
    }));
});

describe('the step for effective times', () => {
  for (const kind of ['SQLite', 'PostgreSQL', 'PostgreSQL in partitions'] as const)
    it(`finds the latest runs anew on ${kind}`, () =>
      withNew(kind === 'SQLite' ? kind : 'PostgreSQL', async ({ stores, database }) => {
        const before = await storedBefore(stores);
        const untouched = await storedActiveRelease(stores);
        await storedTestRun(stores, untouched.release);
        if (kind === 'PostgreSQL in partitions') await partitionTables(database, NOON);
        const revisions = () => stores.facts.revisions([before.release.id, untouched.release.id]);
        const [revision, other] = await revisions();
        await takeAgain(database, effectiveTimes);
        expect((await revisions()).map((one) => one?.revision)).to.deep.equal([
          (revision?.revision ?? 0) + 1,
          other?.revision,
        ]);
        await expectCorrected(stores, before);
      }));

  it('goes before a copy from SQLite to PostgreSQL', () =>
    withNew('SQLite', async (from) => {
      const before = await storedBefore(from.stores);
      await takeAgain(from.database, effectiveTimes);
      await withNew(
        'PostgreSQL',
        async (to) => {
          await copyDatabase(from.database, to.database);
          await expectCorrected(to.stores, before);
        },
        { statementMs: 60_000 },
      );
    }));
});

const ALL = { limit: 50, after: null };

describe('the step for late deployments', () => {
  for (const kind of ['SQLite', 'PostgreSQL', 'PostgreSQL in partitions'] as const)
    it(`finds those that were stored before, on ${kind}`, () =>
      withNew(kind === 'SQLite' ? kind : 'PostgreSQL', async ({ stores, database }) => {
        const { project } = await storedProject(stores);
        const shipped = { state: 'shipped', startsAt: NOON - HOUR, shippedAt: NOON + HOUR } as const;
        await storedRelease(stores, project.id, shipped);
        const store = (startedAt: number, createdAt: number, finishedAt = startedAt) =>
          storedDeployment(stores, project.id, { status: 'success', startedAt, createdAt, finishedAt });
        await store(NOON, NOON);
        const reported = await store(NOON + 1, NOON + HOUR);
        const finished = await store(NOON + 2, NOON + 2, NOON + 2 * HOUR);
        if (kind === 'PostgreSQL in partitions') await partitionTables(database, NOON);
        await database.access.write('drop index deployments_late');
        await database.access.write('alter table deployments drop column late');
        await takeAgain(database, lateDeployments);
        const { rows } = await stores.deployments.notCounted(project.id, null, ALL);
        expect(rows.map(({ id }) => id)).to.deep.equal([finished.id, reported.id]);
        const later = await store(NOON + 3, NOON + HOUR);
        const [newest] = (await stores.deployments.notCounted(project.id, null, ALL)).rows;
        expect(newest?.id).to.equal(later.id);
      }));
});

const before = SCHEMA_STEPS.slice(0, SCHEMA_STEPS.indexOf(snapshots));

/** A release with a point of its trend, as the steps before know them. */
const older = (moment: (at: number) => string | number) => {
  const [team, project, release] = [sampleId(), sampleId(), sampleId()];
  const at = moment(NOON);
  const { score, coverage, decision, axes, causes, causeCount } = samplePoint(release, NOON);
  const trend = { score, coverage, decision, axes: JSON.stringify(axes), causes: JSON.stringify(causes) };
  const rows: readonly (readonly [string, StoredColumns])[] = [
    ['teams', { id: team, name: 'Payments', slug: 'payments', version: 1, created_at: at }],
    [
      'projects',
      { id: project, team_id: team, name: 'pay', slug: 'pay', version: 1, created_at: at, policy_version: 1 },
    ],
    ['policies', { project_id: project, version: 1, policy: '{}', verification: 'latest_run', changed_at: at }],
    ['releases', { id: release, project_id: project, name: '1.0', state: 'planned', version: 1, created_at: at }],
    [
      'release_marks',
      { release_id: release, project_id: project, revision: 1, changed_at: at, dirty: 1, ...NO_CAUSES },
    ],
    ['history_points', { release_id: release, second: NOON / 1000, at, ...trend, cause_count: causeCount }],
  ];
  return { rows, project, release };
};

const NO_CAUSES = { cause_count: 0, causes: '', claimed_count: 0, claimed_causes: '' };

describe('the step for snapshots', () => {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    it(`leaves on ${kind} the points that are there without one, and lets the next ones have it`, async () => {
      const { url, remove } = await places[kind]();
      const database = await openDatabase({ url });
      await takeSteps(database.access, before);
      const { rows, project, release } = older(database.access.dialect.moment);
      for (const [table, columns] of rows) await insert(database.access, table, columns);
      await migrate(database);
      await database.ready();

      const { history, policies } = knexStores(database);
      const point = samplePoint(release, NOON);
      expect(await history.latest([release])).to.deep.equal([point]);
      expect(await history.pointAt(release, NOON)).to.deep.equal(point);
      const policy = await policies.current(project);
      if (policy === undefined) throw new Error('the project was expected to have a policy');
      const next = sampleRecorded(release, NOON + MINUTE, policy);
      const [dirty] = await history.claim(NOON + MINUTE, 1, MINUTE);
      if (dirty === undefined) throw new Error('the release was expected to be dirty');
      await history.settle(dirty, [next], null);
      expect(await history.latest([release])).to.deep.equal([next]);
      await database.close();
      await remove();
    });
  }
});

/** The names of a table's key, in their order. */
const keyOf = async ({ dialect, read }: Access, table: string): Promise<readonly string[]> => {
  const rows = await read<{ name: string }>(
    dialect.name === 'sqlite'
      ? 'select name from pragma_table_info(?) where pk > 0 order by pk'
      : `select a.attname as name from pg_constraint c, unnest(c.conkey) with ordinality as k(number, place), pg_attribute a
          where c.conrelid = to_regclass(?) and c.contype = 'p' and a.attrelid = c.conrelid and a.attnum = k.number order by k.place`,
    [table],
  );
  return rows.map(({ name }) => name);
};

const BEFORE_KEYS = SCHEMA_STEPS.findIndex(({ name }) => name === 'deployments by project');
const WITH_KEYS = SCHEMA_STEPS.slice(0, BEFORE_KEYS + 3);

/** An index is made concurrently in no transaction, which each statement of ours has behind a pooler. */
const placeOf = {
  SQLite: 'SQLite',
  PostgreSQL: 'PostgreSQL',
  'PostgreSQL in partitions': 'PostgreSQL',
  'PostgreSQL with indexes made before': 'PostgreSQL past a pooler',
} as const;

describe('the steps for keys by project', () => {
  for (const kind of Object.keys(placeOf) as (keyof typeof placeOf)[])
    it(`keep every record on ${kind}, with none, one or two of them taken before`, () =>
      withNew('SQLite', async ({ database: full }) => {
        await storeTeams(full, 2);
        for (const taken of [0, 1, 2]) {
          const place = await places[placeOf[kind]]();
          const database = await openDatabase({ url: place.url });
          try {
            await fillOlder(full, database, BEFORE_KEYS + taken);
            if (kind === 'PostgreSQL in partitions') await partitionTables(database, NOON);
            if (kind === 'PostgreSQL with indexes made before')
              for (const table of ['deployments', 'test_runs', 'axis_reports'].slice(taken)) {
                await database.access.write(`create index concurrently ${table}_id on ${table} (id)`);
                await database.access.write(
                  `create unique index concurrently ${table}_by_project on ${table} (project_id, id)`,
                );
              }
            const tables = await tablesOf(database);
            const sums = await sumsOfTables(database, tables);
            expect(await keyOf(database.access, 'axis_reports')).to.deep.equal(['id']);
            await takeSteps(database.access, WITH_KEYS);
            expect(await sumsOfTables(database, tables)).to.deep.equal(sums);
            for (const table of PLACES.distributed)
              expect((await keyOf(database.access, table))[0], table).to.equal('project_id');
          } finally {
            await database.close();
            await place.remove();
          }
        }
      }));

  it('take indexes that were made before, so that the table is locked for a moment', () =>
    withNew('SQLite', async ({ database: full }) => {
      const place = await places[placeOf['PostgreSQL with indexes made before']]();
      const database = await openDatabase({ url: place.url });
      const files = (): Promise<readonly object[]> =>
        database.access.read(
          `select pg_relation_filenode(indexrelid) as file from pg_index where indrelid = to_regclass('deployments') order by 1`,
        );
      try {
        await fillOlder(full, database, BEFORE_KEYS);
        const [key] = await database.access.read(`select pg_relation_filenode('deployments_pkey') as file`);
        await database.access.write('create index concurrently deployments_id on deployments (id)');
        await database.access.write(
          'create unique index concurrently deployments_by_project on deployments (project_id, id)',
        );
        const before = await files();
        await migrate(database);
        expect(await files()).to.deep.equal(before.filter((file) => JSON.stringify(file) !== JSON.stringify(key)));
      } finally {
        await database.close();
        await place.remove();
      }
    }));

  it('find a record by its id alone by an index on SQLite', () =>
    withNew('SQLite', async ({ database }) => {
      for (const table of ['deployments', 'test_runs', 'axis_reports']) {
        const plan = await database.access.read<{ detail: string }>(
          `explain query plan select * from ${table} where ${database.access.dialect.among('id', 'id')}`,
          ['[]'],
        );
        expect(plan.map(({ detail }) => detail).join('; ')).to.include(`INDEX ${table}_id (id=?)`);
      }
    }));
});
