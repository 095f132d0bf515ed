// SQL by hand: where tables lie on a cluster is asked of the catalogue of Citus, and changed by its functions.
import { PLACES } from '../copy/table-list.js';
import type { Database } from '../database.js';
import { translated } from '../errors.js';
import { CONNECTION_NAME } from '../postgres/outage-watch.js';
import { endWithClient } from '../postgres/transaction.js';
import type { Access } from '../sql.js';
import { PARTITION_LOCK, partitionsOf } from './definitions-sql.js';

/**
 * Written together with records, while nothing in it points to a table with copies: Citus commits in two phases what it knows to
 * change on several nodes, and would take no notice of a table that it does not know.
 */
const COMMITTED_WITH_RECORDS = ['idempotency'];

/** What the extension has made of tables so far, by their names; null: the database has no such extension. */
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

/** Carries out the statement when the table is not of that kind yet; answers what became of the table. */
const become = async (access: Access, table: string, is: string | undefined, kind: string): Promise<string> => {
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

/** Refuses what cannot be distributed; answers what the tables are so far. @throws Error that says what is missing or in the way */
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
 * Distributes what grows with every report by project over the workers of a cluster of Citus, and puts a copy of what it is joined
 * to on every node; the rest stays on the coordinator. In one transaction: reports and reads wait until it ends, and it is done all
 * or not at all. What is done already stays as it is. No instance may run: what an open connection knows of the database stays.
 * @param database opened with one connection
 * @returns a line for each table that is not the coordinator's alone
 * @throws Error when there is no extension or no worker, the tables are partitioned or other connections are open; DomainError
 * `unavailable`; with nothing changed
 */
export const distributeTables = async ({ kind, access }: Database): Promise<readonly string[]> => {
  if (kind !== 'postgres') throw new TypeError('Only PostgreSQL distributes tables.');
  return access
    .atomically(async (inside) => {
      await inside.write('set local statement_timeout = 0');
      await endWithClient(inside);
      await inside.write('select pg_advisory_xact_lock(?)', [PARTITION_LOCK]);
      const places = await requireCluster(inside);
      // References to a table that has a copy on every node are checked over one connection to each worker.
      await inside.write(`set local citus.multi_shard_modify_mode = 'sequential'`);
      const lines: string[] = [];
      for (const table of PLACES.reference) lines.push(await become(inside, table, places.get(table), 'reference'));
      for (const table of PLACES.distributed) lines.push(await become(inside, table, places.get(table), 'distributed'));
      for (const table of COMMITTED_WITH_RECORDS)
        if (!places.has(table)) await inside.write('select citus_add_local_table_to_metadata(?)', [table]);
      return lines;
    })
    .catch((error: unknown) => {
      throw translated(error);
    });
};
