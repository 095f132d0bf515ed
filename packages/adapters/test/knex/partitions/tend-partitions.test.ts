import { expect } from 'chai';
import { openDatabase, partitionTables, tendPartitions } from '../../../src/knex/index.js';
import { firstIdAt, momentOfId, partitionsOf } from '../../../src/knex/partitions/partitioned-tables.js';
import { DAY, NOON, sampleDeployment, sampleId } from '../../contract/sample-records.js';
import { storedDeployment, storedProject } from '../../contract/sample-world.js';
import { type Opened, withNew } from '../opened.js';

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
  it('makes the coming months, once, by whichever instances are at it', () =>
    withNew('PostgreSQL', async (opened) => {
      await tendPartitions(opened.database, NOON);
      expect(await months(opened, 'deployments')).to.deep.equal([]);
      await partitionTables(opened.database, NOON);
      expect(await months(opened, 'deployments')).to.deep.equal(['past', '202603', '202604']);
      const others = await Promise.all([1, 2, 3].map(() => openDatabase({ url: opened.url })));
      try {
        await Promise.all([opened.database, ...others].map((database) => tendPartitions(database, NOON + 60 * DAY)));
        await tendPartitions(opened.database, NOON + 60 * DAY);
        expect(await months(opened, 'deployments')).to.deep.equal(['past', '202603', '202604', '202605', '202606']);
        expect(await months(opened, 'test_runs')).to.deep.equal(['past', '202603', '202604', '202605', '202606']);
      } finally {
        await Promise.all(others.map((database) => database.close()));
      }
    }));

  it('finds a place for what came while nobody made the months', () =>
    withNew('PostgreSQL', async (opened) => {
      const { stores, database } = opened;
      const { project } = await storedProject(stores);
      await partitionTables(database, NOON - 400 * DAY);
      const external = { id: 'run 1', fingerprint: 'f' };
      const { id } = await storedDeployment(stores, project.id, { external });
      expect(await partOf(opened, id)).to.equal('deployments_default');
      await tendPartitions(database, NOON);
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
