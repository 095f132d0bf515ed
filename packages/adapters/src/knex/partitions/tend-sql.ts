// SQL by hand: only PostgreSQL has partitions, and the builder does not know them.
import type { Database } from '../database.js';
import { domainErrorOf } from '../errors.js';
import type { Access } from '../sql.js';
import {
  attachMonth,
  DEFINITIONS,
  defaultOf,
  EXTERNAL_IDS,
  emptyPartition,
  externalTriggers,
  firstIdAt,
  LOCK_WAIT,
  monthAfter,
  monthOf,
  PARTITION_LOCK,
  PARTITIONED,
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
