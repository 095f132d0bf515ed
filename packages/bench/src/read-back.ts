import pg from 'pg';
import sqlite3 from 'sqlite3';
import { sequenceText } from './load/load-process.js';

/** Checks that what was found is what was wanted, as text: databases return counts in several types. @throws Error */
export const requireEqual = (what: string, found: unknown, wanted: unknown): void => {
  if (String(found) !== String(wanted)) throw new Error(`${what}: ${String(found)} instead of ${String(wanted)}.`);
};

/**
 * Checks that every acknowledged deployment of a load is in the table once, and no other: as many rows as answers, all
 * of different commits, none beyond the last one sent.
 * @param commits the digits all their commits begin with
 * @param table as it is written in SQL
 * @throws Error
 */
export const requireStoredOnce = async (
  query: Query,
  commits: string,
  answered: number,
  table = 'deployments',
): Promise<void> => {
  const [found] = await query(`
    select count(*) as stored, count(distinct commit_sha) as commits, max(commit_sha) as last from ${table}
    where commit_sha between '${commits}${'0'.repeat(16)}' and '${commits}${'f'.repeat(16)}'`);
  requireEqual('Stored deployments', found?.stored, answered);
  requireEqual('Different deployments', found?.commits, answered);
  if (answered > 0) requireEqual('The last deployment', found?.last, `${commits}${sequenceText(answered - 1)}`);
};

/** Checks that every acknowledged request so far has its answer remembered under its idempotency key. @throws Error */
export const requireRemembered = async (query: Query, answered: number): Promise<void> => {
  const [found] = await query('select count(*) as remembered from idempotency where status is not null');
  requireEqual('Remembered answers', found?.remembered, answered);
};

/** How many deployments of the project are stored, after making sure that its daily and hourly counts say the same. @throws Error */
export const countedDeployments = async (query: Query, projectId: string): Promise<number> => {
  const [rows] = await query(`select count(*) as stored from deployments where project_id = '${projectId}'`);
  const counts = await query(`
    select hours, sum(started + success + failure) as counted from deployment_counts
    where project_id = '${projectId}' group by hours`);
  if (counts.length === 0) throw new Error('No counts are kept.');
  for (const { hours, counted } of counts) requireEqual(`Counts of ${String(hours)} h`, counted, rows?.stored);
  return Number(rows?.stored);
};

type Row = Readonly<Record<string, unknown>>;

/** Asks the database behind a server directly, not through the server. */
export type Query = (sql: string) => Promise<readonly Row[]>;

/** Opens a connection for each statement: queries are rare, and must not hold anything while load is running. */
export const postgresQuery =
  (connectionString: string): Query =>
  async (sql) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };

export const sqliteQuery =
  (file: string): Query =>
  (sql) =>
    new Promise((resolve, reject) => {
      const database = new sqlite3.Database(file, (failure) => {
        if (failure) reject(failure);
      });
      database.all(sql, (error: Error | null, rows: Row[]) => {
        database.close();
        if (error) reject(error);
        else resolve(rows);
      });
    });

/** A database to store in, and a way to query it directly, not through the server. */
export interface Storage {
  readonly databaseUrl: string;
  readonly query: Query;
}

/** A SQLite file. */
export const sqliteStorage = (file: string): Storage => ({ databaseUrl: `sqlite:${file}`, query: sqliteQuery(file) });

/** A database of a PostgreSQL. */
export const postgresStorage = (databaseUrl: string): Storage => ({ databaseUrl, query: postgresQuery(databaseUrl) });

/** Settings with which PostgreSQL counts statements. */
export const COUNTING = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track_utility=on'];

const CALLS = `
  select queryid || ' ' || toplevel as statement, calls from pg_stat_statements
  where dbid = (select oid from pg_database where datname = current_database())`;

const callsBy = async (query: Query): Promise<ReadonlyMap<string, number>> =>
  new Map((await query(CALLS)).map(({ statement, calls }) => [String(statement), Number(calls)]));

/**
 * How many statements one piece of work sends to a PostgreSQL that was started with `COUNTING`. The work is repeated:
 * statements that the server sends by itself or only at times are left out, since their number is no multiple of the
 * repetitions.
 */
export const statementsOf = async (query: Query, often: number, work: () => Promise<unknown>): Promise<number> => {
  await query('create extension if not exists pg_stat_statements');
  const before = await callsBy(query);
  for (let time = 0; time < often; time += 1) await work();
  const after = await callsBy(query);
  return [...after].reduce((sum, [name, calls]) => {
    const more = calls - (before.get(name) ?? 0);
    return more % often === 0 ? sum + more / often : sum;
  }, 0);
};
