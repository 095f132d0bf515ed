import type { Access } from '../access.js';
import type { Database } from '../database.js';
import { translated } from '../failure.js';
import { DEFINITIONS, EXTERNAL_IDS, emptyPartition, externalTriggers } from './partition-definitions.js';
import {
  defaultOf,
  firstIdAt,
  monthAfter,
  PARTITION_LOCK,
  PARTITIONED,
  type Partitioned,
  partitionsOf,
  pastOf,
} from './partitioned-tables.js';
import { leaveNoBounds, makeMonths } from './tend-partitions.js';

/** Whoever reports meanwhile waits as long at most before this gives up. */
const LOCK_WAIT = '3s';

/** Whether ids tell when a record came: none is from after the moment. @throws Error that names one */
const requireTimes = async (access: Access, table: Partitioned, until: number): Promise<void> => {
  const [last] = await access.read<{ id: string }>(`select id from ${table} where id >= ? order by id desc limit 1`, [
    firstIdAt(until),
  ]);
  if (last !== undefined)
    throw new Error(`${table} has the id ${last.id}, which tells no time: the tables cannot be partitioned.`);
};

/** Proves, while reports go on, that all rows there are came before the moment, so that attaching them needs no look at them. */
const prove = async (access: Access, table: Partitioned, until: number): Promise<void> => {
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

/** The indexes of the table that its schema has: an earlier one may lack some. */
const indexesThere = async (access: Access, table: Partitioned): Promise<Readonly<Record<string, string>>> => {
  const rows = await access.read<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where indrelid = to_regclass('${table}')`,
  );
  const there = new Set(rows.map(({ name }) => name));
  return Object.fromEntries(Object.entries(DEFINITIONS[table].indexes).filter(([name]) => there.has(name)));
};

/** The table becomes the first partition of a new one of its name. */
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
  await access.write(`alter table ${table} add primary key (id)`);
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
 * Partitions the tables of records by months, on PostgreSQL: no row is copied. A look at all rows goes on beside reports; the
 * switch itself holds them up for a moment, and is done all or not at all. Ended half-way, it can be begun anew. Every
 * instance must be of this version by then.
 * @returns whether there was something to do
 * @throws DomainError `unavailable` when the tables could not be had for a moment, Error when ids tell no time; with nothing changed
 */
export const partitionTables = async ({ kind, access }: Database, now = Date.now()): Promise<boolean> => {
  if (kind !== 'postgres') throw new TypeError('Only PostgreSQL partitions tables.');
  // Far enough ahead that a look at many rows ends before then.
  const until = monthAfter(now, 2);
  return access
    .atomically(async (holder) => {
      await holder.write('set local statement_timeout = 0');
      await holder.write('set local idle_in_transaction_session_timeout = 0');
      await holder.write('select pg_advisory_xact_lock(?)', [PARTITION_LOCK]);
      if ((await partitionsOf(holder)).length > 0) return false;
      await access.atomically(leaveNoBounds);
      for (const table of PARTITIONED) await requireTimes(access, table, until);
      try {
        for (const table of PARTITIONED) await prove(access, table, until);
        await access.atomically((inside) => switchOver(inside, until, now));
      } catch (error) {
        // What is left of the proof would refuse reports some day; instances that run take it away, too.
        await access.atomically(leaveNoBounds).catch(() => undefined);
        throw error;
      }
      return true;
    })
    .catch((error: unknown) => {
      throw translated(error);
    });
};
