import { rowPages, sumOfTable, type TableSum } from '../../../src/knex/copy/copy-database-sql.js';
import { type CopiedTable, TABLES } from '../../../src/knex/copy/table-list.js';
import type { Value } from '../../../src/knex/dialect.js';
import { type Database, knexStores, migrate, openDatabase } from '../../../src/knex/index.js';
import { type SchemaStep, schemaVersion, takeSteps } from '../../../src/knex/migrations/migrate.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';
import { query } from '../../../src/knex/query.js';
import type { Access } from '../../../src/knex/sql.js';
import { storedFullTeam } from '../../contract/full-team.js';

/** How many steps there are. */
export const STEP_COUNT = SCHEMA_STEPS.length;

/** What the step that follows on so many others is called. */
export const stepName = (taken: number): string => SCHEMA_STEPS[taken]?.name ?? 'none';

/** How many statements that step has on such a database. */
export const statementCount = ({ access }: Database, taken: number): number =>
  SCHEMA_STEPS[taken]?.statements(access.dialect).length ?? 0;

/** How many steps the database has taken. */
export const stepsTaken = ({ access }: Database): Promise<number> => schemaVersion(access);

const columnsIn = async ({ dialect, read }: Access, table: string): Promise<ReadonlySet<string>> => {
  const rows = await read<{ name: string }>(
    dialect.name === 'sqlite'
      ? 'select name from pragma_table_info(?)'
      : 'select column_name as name from information_schema.columns where table_name = ? and table_schema = current_schema()',
    [table],
  );
  return new Set(rows.map(({ name }) => name));
};

/** The tables that are there, each with the columns it has by now. */
export const tablesOf = async ({ access }: Database): Promise<readonly CopiedTable[]> => {
  const there: CopiedTable[] = [];
  for (const { name, columns } of TABLES) {
    const found = await columnsIn(access, name);
    if (found.size > 0) there.push({ name, columns: columns.filter((column) => found.has(column.name)) });
  }
  return there;
};

/** The sums of those tables, of those columns only. */
export const sumsOfTables = ({ access }: Database, tables: readonly CopiedTable[]): Promise<readonly TableSum[]> =>
  access.atomically(async (inside) => {
    const sums: TableSum[] = [];
    for (const table of tables) sums.push(await sumOfTable(inside, table));
    return sums;
  });

/** Stores some teams with a row of everything that can belong to one, in a database of the newest schema. */
export const storeTeams = async (database: Database, teams: number): Promise<void> => {
  await migrate(database);
  for (let count = 0; count < teams; count += 1) await storedFullTeam(knexStores(database));
};

/** A row as it is stored, by column. */
export type StoredColumns = Readonly<Record<string, Value>>;

/** Stores one row in a table that may lack columns of later. */
export const insert = async (access: Access, table: string, columns: StoredColumns): Promise<void> => {
  await query(access).from<object>(table).insert(columns);
};

/** Takes so many steps on an empty database and fills it with what the full one holds, as far as these steps know it. */
export const fillOlder = async (full: Database, older: Database, steps: number): Promise<void> => {
  await takeSteps(older.access, SCHEMA_STEPS.slice(0, steps));
  for (const table of await tablesOf(older)) {
    // Rows that the database numbers itself are numbered anew.
    const columns = table.columns.filter(({ name }) => name !== 'place' || table.name !== 'issue_events');
    for await (const rows of rowPages(full.access, { ...table, columns }))
      for (const row of rows) {
        const values = columns.map(({ name, kind }, place) => {
          const value = row[place] ?? null;
          return [name, kind === 'moment' && typeof value === 'number' ? older.access.dialect.moment(value) : value];
        });
        await insert(older.access, table.name, Object.fromEntries(values));
      }
  }
};

/** Carries a step out on a database that has taken it, on what was stored since, or was put back to what was there before it. */
export const takeAgain = async ({ access }: Database, step: SchemaStep): Promise<void> => {
  for (const statement of step.statements(access.dialect)) await access.write(statement);
};

export type { CopiedTable, Database, TableSum };
export { migrate, openDatabase };
