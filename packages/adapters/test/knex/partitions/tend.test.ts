import type { Stores } from '@shipworthy/domain';
import type { ReportEntry } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { openDatabase, partitionTables, preparePartitions } from '../../../src/knex/index.js';
import { firstIdAt, momentOfId, partitionsOf } from '../../../src/knex/partitions/definitions-sql.js';
import { DAY, NOON, sampleDeployment, sampleId } from '../../contract/sample-records.js';
import {
  storedActiveRelease,
  storedDeployment,
  storedDeployments,
  storedProject,
  storedTestRun,
} from '../../contract/sample-world.js';
import { type Opened, withNew } from '../opened.js';

const ALL = { limit: 200, after: null };
/** The first of the month in which the table that was there ends, when it is partitioned a hundred days before the samples. */
const BEFORE = NOON - 100 * DAY;

const named = (projectId: string, external: string): ReportEntry => ({
  kind: 'deployment',
  deployment: sampleDeployment(projectId, { external: { id: external, fingerprint: 'f' } }),
  remember: null,
});

const results = async (stores: Stores, entries: readonly ReportEntry[]) =>
  (await stores.reports.record(entries)).map(({ result }) => result);

const names = async ({ database }: Opened) => (await partitionsOf(database.access)).map(({ name }) => name);

const fileOf = async ({ database }: Opened, relation: string): Promise<unknown> => {
  const [row] = await database.access.read<{ file: number }>('select pg_relation_filenode(?) as file', [relation]);
  return row?.file;
};

describe('partitioning the tables of records by months', () => {
  it('copies and rebuilds nothing, and all reads as before', () =>
    withNew('PostgreSQL', async (opened) => {
      const { stores, database } = opened;
      const { project, release } = await storedActiveRelease(stores);
      await storedDeployments(stores, project.id, [{ status: 'success' }, { status: 'failure' }]);
      await storedTestRun(stores, release);
      const read = async () => [
        await stores.deployments.page({ projectId: project.id }, ALL),
        await stores.testRuns.page({ projectId: project.id }, ALL),
        await stores.facts.factsFor([release.id]),
      ];
      const relations = ['', '_pkey', '_newest', '_external'];
      const [before, files] = [
        await read(),
        await Promise.all(relations.map((end) => fileOf(opened, `deployments${end}`))),
      ];
      expect(await partitionTables(database, NOON)).to.equal(true);
      expect(await read()).to.deep.equal(before);
      expect(await Promise.all(relations.map((end) => fileOf(opened, `deployments_past${end}`)))).to.deep.equal(files);
      expect(await stores.deployments.recount()).to.deep.equal([]);
      expect(await partitionTables(database, NOON)).to.equal(false);
    }));

  it('keeps an external id to one record, even if a later report falls into another partition', () =>
    withNew('PostgreSQL', async ({ stores, database }) => {
      const { project } = await storedActiveRelease(stores);
      const old = sampleDeployment(project.id, {
        id: sampleId().replace(/^.{13}/, '01900000-0000'),
        external: { id: 'first', fingerprint: 'f' },
      });
      expect(await results(stores, [{ kind: 'deployment', deployment: old, remember: null }])).to.deep.equal([
        'created',
      ]);
      await partitionTables(database, BEFORE);
      expect(await results(stores, [named(project.id, 'first'), named(project.id, 'second')])).to.deep.equal([
        'duplicate',
        'created',
      ]);
      const later = sampleDeployment(project.id, {
        id: sampleId().replace(/^.{13}/, '01f00000-0000'),
        external: { id: 'second', fingerprint: 'other' },
      });
      expect(await results(stores, [{ kind: 'deployment', deployment: later, remember: null }])).to.deep.equal([
        'external_id_conflict',
      ]);
      const { rows } = await stores.deployments.page({ projectId: project.id }, ALL);
      expect(rows).to.have.lengthOf(2);
    }));

  it('loses and doubles nothing that is reported in the meantime', () =>
    withNew('PostgreSQL', async ({ stores, database }) => {
      const { project, release } = await storedActiveRelease(stores);
      const begun = await storedDeployment(stores, project.id);
      let over = false;
      let sent = 1;
      const reporting = async (): Promise<void> => {
        while (!over) {
          sent += 1;
          expect(await results(stores, [named(project.id, `run ${sent}`)])).to.deep.equal(['created']);
        }
      };
      const writers = [reporting(), reporting()];
      await partitionTables(database, NOON);
      const finish = { kind: 'finish', deploymentId: begun.id, status: 'success', finishedAt: NOON, at: NOON } as const;
      expect(await results(stores, [{ ...finish, durationSeconds: null }])).to.deep.equal(['finished']);
      over = true;
      await Promise.all(writers);
      const [counted] = await database.access.read<{ rows: number }>('select count(*) as rows from deployments');
      expect(counted?.rows).to.equal(sent);
      expect(await stores.deployments.recount()).to.deep.equal([]);
      const [facts] = await stores.facts.factsFor([release.id]);
      expect(facts?.facts.stability).to.deep.include({ succeeded: 1, inProgress: sent - 1 });
    }));

  it('is refused, and leaves nothing behind, where ids do not tell when a record came', () =>
    withNew('PostgreSQL', async (opened) => {
      const { stores, database } = opened;
      const { project } = await storedActiveRelease(stores);
      await storedDeployment(stores, project.id, { id: 'f0000000-0000-4000-8000-000000000000' });
      await partitionTables(database, NOON).then(
        () => expect.fail('it was partitioned'),
        (error: unknown) => expect(String(error)).to.include('deployments').and.include('f0000000'),
      );
      expect(await names(opened)).to.deep.equal([]);
      expect(
        await database.access.read(`select conname from pg_constraint where conname like '%\\_until'`),
      ).to.deep.equal([]);
      await storedDeployment(stores, project.id, { id: 'f0000000-0000-4000-8000-000000000001' });
    }));

  it('can be begun anew when it was ended half-way, and what it left refuses no report some day', () =>
    withNew('PostgreSQL', async (opened) => {
      const { database } = opened;
      const { access } = database;
      const left = async () =>
        (await access.read(`select conname from pg_constraint where conname like '%\\_until'`)).length;
      const bound = `alter table deployments add constraint deployments_until check (id < '01f00000-0000-0000-0000-000000000000') not valid`;
      await access.write(bound);
      await preparePartitions(database, NOON);
      expect([await left(), await names(opened)]).to.deep.equal([0, []]);
      await access.write(bound);
      expect(await partitionTables(database, BEFORE)).to.equal(true);
      expect(await left()).to.equal(0);
      expect(await names(opened)).to.include('deployments_past');
    }));
});

const months = async ({ database }: Opened, table: string) =>
  (await partitionsOf(database.access))
    .filter((partition) => partition.table === table)
    .map(({ name }) => name.slice(table.length + 1));

const partOf = async ({ database }: Opened, id: string): Promise<unknown> => {
  const [row] = await database.access.read<{ partition: string }>(
    'select tableoid::regclass::text as partition from deployments where id = ?',
    [id],
  );
  return row?.partition;
};

describe('tending partitions', () => {
  it('makes each coming month once, even if several instances make them at the same time', () =>
    withNew('PostgreSQL', async (opened) => {
      await preparePartitions(opened.database, NOON);
      expect(await months(opened, 'deployments')).to.deep.equal([]);
      await partitionTables(opened.database, NOON);
      expect(await months(opened, 'deployments')).to.deep.equal(['past', '202603', '202604']);
      const others = await Promise.all([1, 2, 3].map(() => openDatabase({ url: opened.url })));
      try {
        await Promise.all([opened.database, ...others].map((database) => preparePartitions(database, NOON + 60 * DAY)));
        await preparePartitions(opened.database, NOON + 60 * DAY);
        expect(await months(opened, 'deployments')).to.deep.equal(['past', '202603', '202604', '202605', '202606']);
        expect(await months(opened, 'test_runs')).to.deep.equal(['past', '202603', '202604', '202605', '202606']);
      } finally {
        await Promise.all(others.map((database) => database.close()));
      }
    }));

  it('moves rows that came while no partitions were made', () =>
    withNew('PostgreSQL', async (opened) => {
      const { stores, database } = opened;
      const { project } = await storedProject(stores);
      await partitionTables(database, NOON - 400 * DAY);
      const external = { id: 'run 1', fingerprint: 'f' };
      const { id } = await storedDeployment(stores, project.id, { external });
      expect(await partOf(opened, id)).to.equal('deployments_default');
      await preparePartitions(database, NOON);
      expect(await partOf(opened, id)).to.equal('deployments_202601');
      const again = sampleDeployment(project.id, { id: sampleId(), external });
      const [outcome] = await stores.reports.record([{ kind: 'deployment', deployment: again, remember: null }]);
      expect(outcome).to.deep.equal({ result: 'duplicate', id });
    }));

  it('tells ids and moments apart as they sort', () => {
    const moment = Date.UTC(2026, 0, 1);
    expect(momentOfId(firstIdAt(moment))).to.equal(moment);
    expect(firstIdAt(moment) > firstIdAt(moment - 1)).to.equal(true);
  });
});
