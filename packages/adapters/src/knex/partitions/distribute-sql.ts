// SQL by hand: the catalogue of Citus tells where tables lie on a cluster, and its functions change that.
import { PLACES } from '../copy/table-list.js';
import type { Database } from '../database.js';
import { domainErrorOf } from '../errors.js';
import { CONNECTION_NAME } from '../postgres/outage-watch.js';
import { endWithClient } from '../postgres/transaction.js';
import type { Access } from '../sql.js';
import { PARTITION_LOCK, partitionsOf } from './definitions-sql.js';

/**
 * Tables that are written together with records, but refer to no table with copies. Citus commits changes on several
 * nodes in two phases, but only of tables that it knows: so it must be told of these.
 */
const COMMITTED_WITH_RECORDS = ['idempotency'];

/** Returns the kind of each table that Citus knows, by name; null: the database has no extension citus. */
export const clusterTablesOf = async ({ dialect, read }: Access): Promise<ReadonlyMap<string, string> | null> => {
  if (dialect.name === 'sqlite') return null;
  const [extension] = await read<{ there: number }>(
    `select count(*) as there from pg_extension where extname = 'citus'`,
  );
  if (extension === undefined || extension.there === 0) return null;
  const rows = await read<{ name: string; kind: string }>(
    'select table_name::text as name, citus_table_type as kind from citus_tables',
  );
  return new Map(rows.map(({ name, kind }) => [name, kind]));
};

/** Gives a table that kind unless it has it already; returns a line about the result. */
const placeTable = async (access: Access, table: string, is: string | undefined, kind: string): Promise<string> => {
  if (is === kind) return `${table}: ${kind} already`;
  await (kind === 'reference'
    ? access.write('select create_reference_table(?)', [table])
    : access.write('select create_distributed_table(?, ?, colocate_with => ?)', [
        table,
        'project_id',
        table === PLACES.distributed[0] ? 'none' : PLACES.distributed[0],
      ]));
  return `${table}: ${kind === 'reference' ? 'a copy on every node' : 'distributed by project_id'}`;
};

/**
 * Checks that the database can be distributed; returns the present kind of each table.
 * @throws Error that says what is missing or in the way
 */
const requireCluster = async (access: Access): Promise<ReadonlyMap<string, string>> => {
  const places = await clusterTablesOf(access);
  if (places === null)
    throw new Error(
      'The database has no extension citus: install it on all nodes, run "create extension citus" and add the workers.',
    );
  const [workers] = await access.read<{ there: number }>(
    'select count(*) as there from pg_dist_node where isactive and shouldhaveshards and groupid <> 0',
  );
  if (workers?.there === 0) throw new Error('The cluster has no workers: add them by citus_add_node.');
  if ((await partitionsOf(access)).length > 0)
    throw new Error('The tables are partitioned by months: a database is either partitioned or distributed.');
  const [others] = await access.read<{ there: number }>(
    `select count(*) as there from pg_stat_activity
      where datname = current_database() and application_name = ? and pid <> pg_backend_pid()`,
    [CONNECTION_NAME],
  );
  if (PLACES.distributed.some((table) => places.get(table) !== 'distributed') && others?.there !== 0)
    throw new Error(
      `Stop all instances first: ${others?.there} connections are open, which would go on as if the tables were whole.`,
    );
  return places;
};

/**
 * Distributes the tables that grow with every report by project over the workers of a Citus cluster, and puts a copy of
 * the tables they are joined to on every node; the rest stays on the coordinator. In one transaction: reports and reads
 * wait until it ends, and either all is done or nothing. Tables that are distributed already stay as they are. No
 * instance may run: an open connection would go on as if the tables were whole.
 * @param database opened with one connection
 * @returns a line for each table that is distributed or copied
 * @throws Error when there is no extension or no worker, the tables are partitioned or other connections are open;
 * DomainError `unavailable`; with nothing changed
 */
export const distributeTables = async ({ kind, access }: Database): Promise<readonly string[]> => {
  if (kind !== 'postgres') throw new TypeError('Only PostgreSQL distributes tables.');
  return access
    .atomically(async (inside) => {
      await inside.write('set local statement_timeout = 0');
      await endWithClient(inside);
      await inside.write('select pg_advisory_xact_lock(?)', [PARTITION_LOCK]);
      const places = await requireCluster(inside);
      // Citus checks references to a table with a copy on every node over one connection to each worker.
      await inside.write(`set local citus.multi_shard_modify_mode = 'sequential'`);
      const lines: string[] = [];
      for (const table of PLACES.reference) lines.push(await placeTable(inside, table, places.get(table), 'reference'));
      for (const table of PLACES.distributed)
        lines.push(await placeTable(inside, table, places.get(table), 'distributed'));
      for (const table of COMMITTED_WITH_RECORDS)
        if (!places.has(table)) await inside.write('select citus_add_local_table_to_metadata(?)', [table]);
      return lines;
    })
    .catch((error: unknown) => {
      throw domainErrorOf(error);
    });
};
