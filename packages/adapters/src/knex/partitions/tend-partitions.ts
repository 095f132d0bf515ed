import type { Access } from '../access.js';
import type { Database } from '../database.js';
import { translated } from '../failure.js';
import { attachMonth, emptyPartition } from './partition-definitions.js';
import {
  defaultOf,
  firstIdAt,
  monthAfter,
  monthOf,
  PARTITION_LOCK,
  PARTITIONED,
  type Partitioned,
  partitionsOf,
} from './partitioned-tables.js';

/** How many months beyond the current one have their partitions. */
const AHEAD = 3;

/** Takes away what a partitioning that was ended half-way left behind, and what would refuse reports some day. */
export const leaveNoBounds = async (access: Access): Promise<void> => {
  for (const table of PARTITIONED) await access.write(`alter table ${table} drop constraint if exists ${table}_until`);
};

/** A month's partition, with what came in that month and lies among the rest because no partition was there. */
const makeMonth = async (access: Access, table: Partitioned, month: number): Promise<void> => {
  const partition = monthOf(table, month);
  const range = [firstIdAt(month), firstIdAt(monthAfter(month, 1))];
  for (const statement of emptyPartition(table, partition)) await access.write(statement);
  await access.write(
    `with gone as (delete from ${defaultOf(table)} where id >= ? and id < ? returning *) insert into ${partition} select * from gone`,
    range,
  );
  await access.write(attachMonth(table, month));
  // Taken away from the rest they lost them.
  await access.write(
    `insert into partition_external_ids (kind, project_id, external_id, record_id)
      select '${table}', project_id, external_id, id from ${partition} where external_id is not null on conflict do nothing`,
  );
};

/** Makes the months that are missing up to some months ahead, inside a transaction that holds the lock of partitions. */
export const makeMonths = async (access: Access, now: number): Promise<void> => {
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
 * Keeps a database that is partitioned by months ready for the next ones; any number of instances may do so at once. Does nothing
 * elsewhere. DomainError `unavailable`.
 */
export const tendPartitions = async ({ kind, access }: Database, now = Date.now()): Promise<void> => {
  if (kind !== 'postgres') return;
  await access
    .atomically(async (inside) => {
      const [lock] = await inside.write<{ held: boolean }>('select pg_try_advisory_xact_lock(?) as held', [
        PARTITION_LOCK,
      ]);
      if (lock?.held !== true) return;
      await inside.write(`set local lock_timeout = '2s'`);
      const partitions = await partitionsOf(inside);
      if (partitions.length === 0 && (await leftBounds(inside))) await leaveNoBounds(inside);
      if (partitions.length > 0) await makeMonths(inside, now);
    })
    .catch((error: unknown) => {
      throw translated(error);
    });
};
