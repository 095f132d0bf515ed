// SQL by hand: where tables lie on a cluster is asked of the catalogue of Citus, and changed by its functions.
import { PLACES } from '../copy/table-list.js';
import type { Database } from '../database.js';
import { translated } from '../errors.js';
import type { Access } from '../sql.js';
import { PARTITION_LOCK, partitionsOf } from './definitions-sql.js';

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

/**
 * Distributes what grows with every report by project over the workers of a cluster of Citus, and puts a copy of what it is joined
 * to on every node; the rest stays on the coordinator. In one transaction: reports and reads wait until it ends, and it is done all
 * or not at all. What is done already stays as it is.
 * @returns a line for each table that is not the coordinator's alone
 * @throws Error when there is no extension, or the tables are partitioned; DomainError `unavailable`; with nothing changed
 */
export const distributeTables = async ({ kind, access }: Database): Promise<readonly string[]> => {
  if (kind !== 'postgres') throw new TypeError('Only PostgreSQL distributes tables.');
  return access
    .atomically(async (inside) => {
      await inside.write('set local statement_timeout = 0');
      await inside.write('select pg_advisory_xact_lock(?)', [PARTITION_LOCK]);
      const places = await clusterTablesOf(inside);
      if (places === null)
        throw new Error(
          'The database has no extension citus: install it on all nodes, run "create extension citus" and add the workers.',
        );
      if ((await partitionsOf(inside)).length > 0)
        throw new Error('The tables are partitioned by months: a database is either partitioned or distributed.');
      // References to a table that has a copy on every node are checked over one connection to each worker.
      await inside.write(`set local citus.multi_shard_modify_mode = 'sequential'`);
      const lines: string[] = [];
      for (const table of PLACES.reference) lines.push(await become(inside, table, places.get(table), 'reference'));
      for (const table of PLACES.distributed) lines.push(await become(inside, table, places.get(table), 'distributed'));
      return lines;
    })
    .catch((error: unknown) => {
      throw translated(error);
    });
};
