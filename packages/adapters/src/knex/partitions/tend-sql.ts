// SQL by hand: only PostgreSQL has partitions, and the builder does not know them. Without them old records are removed
// in portions, found by their physical place, and one statement finds the next project and skips locked ones.
import { ALLOWED_CLOCK_LEAD } from '@shipworthy/domain';
import type { KeptRecordsStore, RemovedPortion, RemovedRecords } from '@shipworthy/domain/ports';
import type { Database } from '../database.js';
import { domainErrorOf } from '../errors.js';
import { lockProjects } from '../projects.js';
import { query } from '../query.js';
import { type Access, removePortion } from '../sql.js';
import {
  attachMonth,
  DEFINITIONS,
  defaultOf,
  EXTERNAL_IDS,
  emptyPartition,
  externalTriggers,
  firstIdAt,
  keptFrom,
  monthAfter,
  monthOf,
  PARTITION_LOCK,
  PARTITIONED,
  type Partition,
  type Partitioned,
  partitionsOf,
  pastOf,
} from './definitions-sql.js';
import { clusterTablesOf } from './distribute-sql.js';

/** How many months beyond the current one have their partitions. */
const AHEAD = 3;

/** Removes the check constraints that an interrupted partitioning left behind: they would refuse reports later. */
const dropBoundsConstraints = async (access: Access): Promise<void> => {
  for (const table of PARTITIONED) await access.write(`alter table ${table} drop constraint if exists ${table}_until`);
};

/** Makes a month's partition, and moves the records of that month into it that came before it was there. */
const makeMonth = async (access: Access, table: Partitioned, month: number): Promise<void> => {
  const partition = monthOf(table, month);
  const range = [firstIdAt(month), firstIdAt(monthAfter(month, 1))];
  for (const statement of emptyPartition(table, partition)) await access.write(statement);
  await access.write(
    `with gone as (delete from ${defaultOf(table)} where id >= ? and id < ? returning *) insert into ${partition} select * from gone`,
    range,
  );
  await access.write(attachMonth(table, month));
  // Deleting rows from the default partition removed their external ids, too.
  await access.write(
    `insert into partition_external_ids (kind, project_id, external_id, record_id)
      select '${table}', project_id, external_id, id from ${partition} where external_id is not null on conflict do nothing`,
  );
};

/** Makes the months that are missing up to `AHEAD` months ahead; the transaction must hold PARTITION_LOCK. */
const makeMonths = async (access: Access, now: number): Promise<void> => {
  const partitions = await partitionsOf(access);
  for (const table of PARTITIONED) {
    const last = partitions.filter((partition) => partition.table === table).at(-1)?.until;
    for (let month = last ?? Number.POSITIVE_INFINITY; month <= monthAfter(now, AHEAD); month = monthAfter(month, 1))
      await makeMonth(access, table, month);
  }
};

const leftBounds = async ({ read }: Access): Promise<boolean> => {
  const names = PARTITIONED.map((table) => `'${table}_until'`).join(', ');
  return (await read(`select 1 as there from pg_constraint where conname in (${names})`)).length > 0;
};

/**
 * Makes the partitions of the next months where the tables are partitioned; any number of instances may do so at once.
 * Elsewhere it only removes what an interrupted partitioning left behind. DomainError `unavailable`.
 */
export const preparePartitions = async ({ kind, access }: Database, now = Date.now()): Promise<void> => {
  if (kind !== 'postgres') return;
  await access
    .atomically(async (inside) => {
      const [lock] = await inside.write<{ held: boolean }>('select pg_try_advisory_xact_lock(?) as held', [
        PARTITION_LOCK,
      ]);
      if (lock?.held !== true) return;
      await inside.write(`set local lock_timeout = '2s'`);
      const partitions = await partitionsOf(inside);
      if (partitions.length === 0 && (await leftBounds(inside))) await dropBoundsConstraints(inside);
      if (partitions.length > 0) await makeMonths(inside, now);
    })
    .catch((error: unknown) => {
      throw domainErrorOf(error);
    });
};

/** How long a statement waits for a lock before it gives up; reports wait behind it. */
const LOCK_WAIT = '3s';

/** Checks that ids tell when a record came: none may be from after the moment. @throws Error that names one */
const requireTimes = async (access: Access, table: Partitioned, until: number): Promise<void> => {
  const [last] = await access.read<{ id: string }>(`select id from ${table} where id >= ? order by id desc limit 1`, [
    firstIdAt(until),
  ]);
  if (last !== undefined)
    throw new Error(`${table} has the id ${last.id}, which tells no time: the tables cannot be partitioned.`);
};

/**
 * Proves by a check constraint, while reports go on, that all rows came before the moment: so attaching needs no scan.
 */
const addBoundsConstraint = async (access: Access, table: Partitioned, until: number): Promise<void> => {
  await access.atomically(async (inside) => {
    await inside.write(`set local lock_timeout = '${LOCK_WAIT}'`);
    await inside.write(
      `alter table ${table} add constraint ${table}_until check (id < '${firstIdAt(until)}') not valid`,
    );
  });
  await access.atomically(async (inside) => {
    await inside.write('set local statement_timeout = 0');
    await inside.write(`alter table ${table} validate constraint ${table}_until`);
  });
};

/** Returns those of the table's indexes that exist: an earlier schema may lack some. */
const indexesThere = async (access: Access, table: Partitioned): Promise<Readonly<Record<string, string>>> => {
  const rows = await access.read<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where indrelid = to_regclass('${table}')`,
  );
  const there = new Set(rows.map(({ name }) => name));
  return Object.fromEntries(Object.entries(DEFINITIONS[table].indexes).filter(([name]) => there.has(name)));
};

/** Makes the table the first partition of a new table of its name. */
const partition = async (access: Access, table: Partitioned, until: number): Promise<void> => {
  const past = pastOf(table);
  const { references } = DEFINITIONS[table];
  const indexes = await indexesThere(access, table);
  await access.write(`alter table ${table} rename to ${past}`);
  for (const name of [`${table}_pkey`, `${table}_external`, ...Object.keys(indexes)])
    await access.write(`alter index ${name} rename to ${name.replace(table, past)}`);
  await access.write(
    `create table ${table} (like ${past} including defaults including storage) partition by range (id)`,
  );
  const [key] = await access.read<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = to_regclass('${past}') and contype = 'p'`,
  );
  if (key !== undefined) await access.write(`alter table ${table} add ${key.definition}`);
  for (const [name, columns] of Object.entries(indexes))
    await access.write(`create index ${name} on ${table} ${columns}`);
  for (const [name, reference] of Object.entries(references))
    await access.write(`alter table ${table} add constraint ${name} ${reference}`);
  await access.write(
    `alter table ${table} attach partition ${past} for values from (minvalue) to ('${firstIdAt(until)}')`,
  );
  await access.write(`alter table ${past} drop constraint ${table}_until`);
  for (const statement of emptyPartition(table, defaultOf(table))) await access.write(statement);
  await access.write(`alter table ${table} attach partition ${defaultOf(table)} default`);
  for (const statement of externalTriggers(table)) await access.write(statement);
};

const switchOver = async (access: Access, until: number, now: number): Promise<void> => {
  await access.write(`set local lock_timeout = '${LOCK_WAIT}'`);
  await access.write(`lock table ${PARTITIONED.join(', ')} in access exclusive mode`);
  await access.write(EXTERNAL_IDS);
  for (const table of PARTITIONED) await partition(access, table, until);
  await makeMonths(access, now);
};

/**
 * Partitions the tables of records by months, on PostgreSQL, without copying a row. It scans all rows while reports go
 * on; the switch itself holds reports up for a moment, and is done as a whole or not at all. After an interruption it
 * can be started again. Every instance must already run this version.
 * @returns whether there was something to do
 * @throws DomainError `unavailable` when the tables could not be locked in time, Error when ids tell no time or the
 * tables are distributed; with nothing changed
 */
export const partitionTables = async ({ kind, access }: Database, now = Date.now()): Promise<boolean> => {
  if (kind !== 'postgres') throw new TypeError('Only PostgreSQL partitions tables.');
  // Far enough ahead that the scan of many rows ends before.
  const until = monthAfter(now, 2);
  return access
    .atomically(async (holder) => {
      await holder.write('set local statement_timeout = 0');
      await holder.write('set local idle_in_transaction_session_timeout = 0');
      await holder.write('select pg_advisory_xact_lock(?)', [PARTITION_LOCK]);
      if ((await partitionsOf(holder)).length > 0) return false;
      if ((await clusterTablesOf(holder))?.has('deployments'))
        throw new Error('The tables are distributed by project: a database is either partitioned or distributed.');
      await access.atomically(dropBoundsConstraints);
      for (const table of PARTITIONED) await requireTimes(access, table, until);
      try {
        for (const table of PARTITIONED) await addBoundsConstraint(access, table, until);
        await access.atomically((inside) => switchOver(inside, until, now));
      } catch (error) {
        // A check constraint that is left behind would refuse later reports; running instances remove it, too.
        await access.atomically(dropBoundsConstraints).catch(() => undefined);
        throw error;
      }
      return true;
    })
    .catch((error: unknown) => {
      throw domainErrorOf(error);
    });
};

const DAY = 24 * 3_600_000;

/** A partition with more rows than this that open releases still need is not dropped yet. */
const MOST_NEEDED = 100_000;

/** The columns of `projects` with the moment since which all records of a table are still stored. */
const KEPT_SINCE_COLUMN: Readonly<Record<Partitioned, string>> = {
  deployments: 'deployments_since',
  test_runs: 'test_runs_since',
};

const needed = (access: Access, { table, name }: Partition): string =>
  table === 'deployments'
    ? `select r.id, r.project_id from ${name} r join (select p.id, ${keptFrom(access)} as edge from projects p, asked v) k on k.id = r.project_id
        where r.started_at >= ${access.dialect.asMoment('k.edge')}`
    : `select r.id, r.project_id from ${name} r join releases e on e.id = r.release_id where e.state in ('planned', 'active')`;

/** Counts the records that go with the partition, for each team. */
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
    axisReports: 0,
  }));
};

/**
 * Stores since when all records of the table are still stored: since `keptSince`, or for deployments since `keptFrom`.
 */
const storeKeptSince = async (access: Access, partition: Partition, keptSince: number): Promise<void> => {
  const column = KEPT_SINCE_COLUMN[partition.table];
  const since =
    partition.table === 'deployments' ? access.dialect.asMoment(keptFrom(access)) : access.dialect.asMoment('v.before');
  await access.write(
    `update projects p set ${column} = greatest(p.${column}, ${since}) from (select ?::bigint as before) v
      where p.${column} is null or p.${column} < ${access.dialect.asMoment('v.before')}`,
    [keptSince],
  );
};

const drop = async (
  access: Access,
  partition: Partition,
  keptSince: number,
): Promise<readonly RemovedRecords[] | null> => {
  const { table, name } = partition;
  await access.write(
    `create temp table needed_records on commit drop as with asked as (select ?::bigint as before) ${needed(access, partition)}`,
    [keptSince],
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
  // Comes last, since readers of the table wait from here to the end. The rows that are still needed are copied only
  // after it: until then their deployments could be finished.
  await access.write(`alter table ${table} detach partition ${name}`);
  // Renamed, so that the external ids in it block no new rows.
  await access.write(`alter table ${name} rename to ${name}_going`);
  await access.write(`insert into ${table} select r.* from ${name}_going r join needed_records n on n.id = r.id`);
  await access.write(`drop table ${name}_going`);
  await access.write('drop table needed_records');
  return gone;
};

/**
 * Drops the oldest partition whose records all began before the moment, and keeps the rows that open releases still
 * need. Must run inside a transaction. null: there is none, or another instance is dropping one.
 */
const dropOldest = async (access: Access, before: number): Promise<readonly RemovedRecords[] | null> => {
  const [lock] = await access.write<{ held: boolean }>('select pg_try_advisory_xact_lock(?) as held', [PARTITION_LOCK]);
  if (lock?.held !== true) return null;
  await access.write('set local statement_timeout = 0');
  await access.write(`set local lock_timeout = '${LOCK_WAIT}'`);
  for (const partition of await partitionsOf(access)) {
    // A record may say that it began up to this lead after it came.
    const keptSince = Math.ceil((partition.until + ALLOWED_CLOCK_LEAD) / DAY) * DAY;
    if (keptSince > before) return null;
    // Locks projects so that no release window moves into the dropped partition; reports do not wait for it.
    await access.write('select id from projects order by id for no key update');
    const gone = await drop(access, partition, keptSince);
    if (gone === null) continue;
    await storeKeptSince(access, partition, keptSince);
    return gone;
  }
  return null;
};

/** No id is smaller. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface DueProject {
  readonly id: string;
  readonly team_id: string;
  /** Deployments that started before this moment are removed; milliseconds since 1970. */
  readonly edge: number;
}

/** The tables from which old records are removed. */
interface Tables {
  readonly deployments: string;
  readonly testRuns: string;
}

const WHOLE: Tables = { deployments: 'deployments', testRuns: 'test_runs' };
/** The default partitions, for rows that fit no month; all other rows are removed with their month. */
const REST: Tables = { deployments: defaultOf('deployments'), testRuns: defaultOf('test_runs') };

/** The next project with records to remove, its row locked; one that another instance has locked is skipped. */
const nextDue = async (
  access: Access,
  { deployments, testRuns }: Tables,
  before: number,
  from: string | null,
): Promise<DueProject | undefined> => {
  const { dialect } = access;
  const asked = dialect.rowset('v', { before: 'count', at: 'moment', place: 'id' });
  const hold = dialect.name === 'sqlite' ? '' : 'for no key update of p skip locked';
  const [row] = await access.write<DueProject>(
    `select p.id, p.team_id, ${keptFrom(access)} as edge from ${asked.table} join projects p on v.place is null or p.id >= v.place
      where exists (select 1 from ${deployments} d where d.project_id = p.id and d.started_at < ${dialect.asMoment(keptFrom(access))})
        or exists (select 1 from releases c join ${testRuns} t on t.release_id = c.id
          where c.project_id = p.id and c.state in ('shipped', 'canceled') and t.ran_at < v.at)
        or exists (select 1 from releases c join axis_reports t on t.release_id = c.id
          where c.project_id = p.id and c.state in ('shipped', 'canceled') and t.measured_at < v.at)
      order by p.id limit 1 ${hold}`,
    asked.bindings([[before, dialect.moment(before), from]]),
  );
  return row;
};

/** How many projects of a cluster one transaction looks through. */
const PROJECTS_LOOKED_AT = 100;

interface Looked {
  readonly due: DueProject | undefined;
  /** The id of the project to continue with when none is due; null: all projects are done. */
  readonly next: string | null;
}

/**
 * On a cluster: does what `nextDue` does, by one statement per project. The lock is an advisory one, and waits until no
 * report of the project is being stored.
 */
const nextDueOfEach = async (access: Access, before: number, from: string | null): Promise<Looked> => {
  const { dialect, read, write } = access;
  const asked = dialect.rowset('v', { before: 'count', place: 'id' });
  const projects = `select p.id, p.team_id, ${keptFrom(access)} as edge from ${asked.table} join projects p on`;
  const found = await read<DueProject>(
    `${projects} (v.place is null or p.id >= v.place) order by p.id limit ${PROJECTS_LOOKED_AT + 1}`,
    asked.bindings([[before, from]]),
  );
  for (const { id, edge } of found.slice(0, PROJECTS_LOOKED_AT)) {
    const [old] = await read<{ there: boolean }>(
      `select exists (select 1 from deployments d where d.project_id = ? and d.started_at < ?)
        or exists (select 1 from test_runs t join releases c on c.id = t.release_id
          where t.project_id = ? and c.state in ('shipped', 'canceled') and t.ran_at < ?)
        or exists (select 1 from axis_reports t join releases c on c.id = t.release_id
          where t.project_id = ? and c.state in ('shipped', 'canceled') and t.measured_at < ?) as there`,
      [id, dialect.moment(edge), ...[id, dialect.moment(before)], ...[id, dialect.moment(before)]],
    );
    if (old?.there !== true) continue;
    const [lock] = await write<{ held: boolean }>(dialect.cluster?.tryLockForRemoval ?? '', [id]);
    if (lock?.held !== true) continue;
    await lockProjects(access, 'alone', [id]);
    const [due] = await read<DueProject>(`${projects} p.id = v.place`, asked.bindings([[before, id]]));
    if (due !== undefined) return { due, next: id };
  }
  return { due: undefined, next: found[PROJECTS_LOOKED_AT]?.id ?? null };
};

const removeOf = async (
  access: Access,
  tables: Tables,
  project: DueProject,
  before: number,
): Promise<RemovedRecords> => {
  const { cluster, moment, greatest } = access.dialect;
  const { id, team_id: teamId } = project;
  const [keptSince, end] = [moment(project.edge), moment(before)];
  const deployments = await removePortion(
    access,
    tables.deployments,
    `${tables.deployments} t where t.project_id = ? and t.started_at < ?`,
    't.started_at, t.id',
    [id, keptSince],
    id,
  );
  const ofProject = cluster === null ? '' : 't.project_id = c.project_id and';
  const ofClosed = (table: string, measured: string): Promise<number> =>
    removePortion(
      access,
      table,
      `releases c join ${table} t on ${ofProject} t.release_id = c.id
        where c.project_id = ? and c.state in ('shipped', 'canceled') and t.${measured} < ?`,
      `t.${measured}, t.id`,
      [id, end],
      id,
    );
  const testRuns = await ofClosed(tables.testRuns, 'ran_at');
  const axisReports = await ofClosed('axis_reports', 'measured_at');
  const later = (column: string): string => `${column} = ${greatest}(coalesce(${column}, ?), ?)`;
  const since = [later('deployments_since'), later('test_runs_since'), later('axis_reports_since')].join(', ');
  await access.write(`update projects set ${since} where id = ?`, [keptSince, keptSince, end, end, end, end, id]);
  return { projectId: id, teamId, deployments, testRuns, axisReports };
};

const removeBefore = (access: Access, before: number, from: string | null): Promise<RemovedPortion> =>
  access.atomically(async (inside) => {
    if (inside.dialect.cluster !== null) {
      const { due, next } = await nextDueOfEach(inside, before, from);
      return { removed: due === undefined ? [] : [await removeOf(inside, WHOLE, due, before)], next };
    }
    const partitioned = (await partitionsOf(inside)).length > 0;
    const dropped = partitioned ? await dropOldest(inside, before) : null;
    if (dropped !== null) return { removed: dropped, next: FIRST_ID };
    const tables = partitioned ? REST : WHOLE;
    const due = await nextDue(inside, tables, before, from);
    if (due === undefined) return { removed: [], next: null };
    return { removed: [await removeOf(inside, tables, due, before)], next: due.id };
  });

export const keptRecordsStore = (access: Access): KeptRecordsStore => ({
  since: async (projectId) => {
    const row = await query(access)
      .from('projects')
      .where('id', projectId)
      .first('deployments_since', 'test_runs_since', 'axis_reports_since');
    return {
      deployments: row?.deployments_since ?? null,
      testRuns: row?.test_runs_since ?? null,
      axisReports: row?.axis_reports_since ?? null,
    };
  },
  removeBefore: (before, from) => removeBefore(access, before, from),
});
