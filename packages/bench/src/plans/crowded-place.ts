import { type Database, knexStores, migrate, openDatabase } from '@shipworthy/adapters/knex';
import { fillDatabase, storeCrowdedProject } from './crowded-project.js';
import type { QuestionInput } from './questions.js';

/**
 * As few rows as fill tables that are worth an index: with 10,000 the deployments have 240 pages, and a group of 100 changes is
 * carried out sooner by reading them all than by 100 ways down the index, as PostgreSQL rightly plans it.
 */
export const LEAST_ROWS = 40_000;

/** Pages of a big table. */
const bigFor = (rows: number): number => Math.max(100, Math.min(1_000, rows / 10_000));
const STATEMENT_MS = 600_000;

/** A filled database, with what is asked for in it. */
export interface CrowdedPlace {
  readonly database: Database;
  readonly place: QuestionInput;
  /** Tables of a hundred pages or more, a thousand among ten million rows: a smaller one is read sooner than looked up in. */
  readonly big: ReadonlySet<string>;
}

/** Fills the empty database at the url and opens it; the caller closes it. */
export const crowdedPlace = async (
  url: string,
  rows: number,
  say: (what: string) => void = () => undefined,
): Promise<CrowdedPlace> => {
  const database = await openDatabase({ url, statementMs: STATEMENT_MS });
  await migrate(database);
  const crowded = await storeCrowdedProject(knexStores(database), Date.now());
  await fillDatabase(url, crowded, rows, say);
  const { access } = database;
  const ids = async (sql: string): Promise<readonly string[]> =>
    (await access.read<{ id: string }>(sql)).map(({ id }) => id);
  const newest = (table: string): string =>
    `select id from ${table} where project_id = '${crowded.projectId}' order by id desc limit 100`;
  const tables = await access.read<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relpages >= ${bigFor(rows)}`,
  );
  const place = {
    ...crowded,
    now: Date.now(),
    projectIds: await ids('select id from projects limit 1000'),
    releaseIds: await ids(
      `select id from (select id, state from releases where state = 'shipped' union all (select id, state from releases where state = 'active' limit 900)) r order by state, id desc`,
    ),
    deploymentIds: await ids(newest('deployments')),
    testRunIds: await ids(newest('test_runs')),
    issueIds: await ids(newest('issues')),
  };
  return { database, place, big: new Set(tables.map(({ name }) => name)) };
};
