import type { RemovedRecords } from '@shipworthy/domain';
import type { Access } from '../access.js';
import { keptFrom } from '../kept-from.js';
import { LEAD, PARTITION_LOCK, type Partition, type Partitioned, partitionsOf } from './partitioned-tables.js';

const DAY = 24 * 3_600_000;

/** More rows than these that open releases still need keep a partition where it is until they are fewer. */
const MOST_NEEDED = 100_000;

/** From when on all of a project's records of that kind are there once the partition is gone, as SQL over `p` and `v.before`. */
const EDGE_COLUMN: Readonly<Record<Partitioned, string>> = {
  deployments: 'deployments_since',
  test_runs: 'test_runs_since',
};

const needed = (access: Access, { table, name }: Partition): string =>
  table === 'deployments'
    ? `select r.id, r.project_id from ${name} r join (select p.id, ${keptFrom(access)} as edge from projects p, asked v) k on k.id = r.project_id
        where r.started_at >= ${access.dialect.asMoment('k.edge')}`
    : `select r.id, r.project_id from ${name} r join releases e on e.id = r.release_id where e.state in ('planned', 'active')`;

/** What each team loses. */
const countGone = async (access: Access, { table, name }: Partition): Promise<readonly RemovedRecords[]> => {
  const rows = await access.read<{ team_id: string; gone: number }>(
    `select p.team_id, sum(c.records) as gone from (select project_id, count(*) as records from ${name} group by 1
        union all select project_id, -count(*) from needed_records group by 1) c
      join projects p on p.id = c.project_id group by 1 having sum(c.records) > 0`,
  );
  return rows.map(({ team_id: teamId, gone }) => ({
    projectId: null,
    teamId,
    deployments: table === 'deployments' ? gone : 0,
    testRuns: table === 'test_runs' ? gone : 0,
  }));
};

/** Notes since when the records of that kind are whole: a day after the last one of the partition began. */
const noteEdge = async (access: Access, partition: Partition, edge: number): Promise<void> => {
  const column = EDGE_COLUMN[partition.table];
  const since =
    partition.table === 'deployments' ? access.dialect.asMoment(keptFrom(access)) : access.dialect.asMoment('v.before');
  await access.write(
    `update projects p set ${column} = greatest(p.${column}, ${since}) from (select ?::bigint as before) v
      where p.${column} is null or p.${column} < ${access.dialect.asMoment('v.before')}`,
    [edge],
  );
};

const drop = async (access: Access, partition: Partition, edge: number): Promise<readonly RemovedRecords[] | null> => {
  const { table, name } = partition;
  await access.write(
    `create temp table needed_records on commit drop as with asked as (select ?::bigint as before) ${needed(access, partition)}`,
    [edge],
  );
  const [kept] = await access.read<{ rows: number }>('select count(*) as rows from needed_records');
  if (kept === undefined || kept.rows > MOST_NEEDED) {
    await access.write('drop table needed_records');
    return null;
  }
  const gone = await countGone(access, partition);
  await access.write(
    `delete from partition_external_ids e using ${name} r where e.kind = '${table}' and r.external_id is not null
      and e.project_id = r.project_id and e.external_id = r.external_id and e.record_id = r.id`,
  );
  // Last, since nobody reads the table from here to the end. What is still needed finds its place among the rest, as it is by
  // now: until here its deployments could be finished.
  await access.write(`alter table ${table} detach partition ${name}`);
  // By another name, so that an external id in it stands in nobody's way.
  await access.write(`alter table ${name} rename to ${name}_going`);
  await access.write(`insert into ${table} select r.* from ${name}_going r join needed_records n on n.id = r.id`);
  await access.write(`drop table ${name}_going`);
  await access.write('drop table needed_records');
  return gone;
};

/**
 * Drops the oldest partition all of whose records began before the moment, with what of it open releases need put aside first;
 * inside a transaction. null: there is none, or somebody else is at it.
 */
export const dropOldest = async (access: Access, before: number): Promise<readonly RemovedRecords[] | null> => {
  const [lock] = await access.write<{ held: boolean }>('select pg_try_advisory_xact_lock(?) as held', [PARTITION_LOCK]);
  if (lock?.held !== true) return null;
  await access.write('set local statement_timeout = 0');
  await access.write(`set local lock_timeout = '3s'`);
  for (const partition of await partitionsOf(access)) {
    const edge = Math.ceil((partition.until + LEAD) / DAY) * DAY;
    if (edge > before) return null;
    // Until this is over, no window moves into what goes; reports are not held up by it.
    await access.write('select id from projects order by id for no key update');
    const gone = await drop(access, partition, edge);
    if (gone === null) continue;
    await noteEdge(access, partition, edge);
    return gone;
  }
  return null;
};
