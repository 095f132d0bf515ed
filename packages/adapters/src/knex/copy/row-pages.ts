import type { Access } from '../access.js';
import type { Value } from '../dialect.js';
import type { CopiedTable } from './table-list.js';

/** Rows of one table, each as its values in the order of the table's columns; moments are milliseconds since 1970. */
export type Rows = readonly (readonly Value[])[];

type Row = Readonly<Record<string, Value>>;

const PAGE = 2_000;

const columnList = ({ columns }: CopiedTable): string => columns.map(({ name }) => `"${name}"`).join(', ');

const valuesOf = ({ columns }: CopiedTable, rows: readonly Row[]): Rows =>
  rows.map((row) => columns.map(({ name }) => row[name] ?? null));

async function* pagesBySQLite(access: Access, table: CopiedTable): AsyncGenerator<Rows> {
  const text = `select rowid as row_number, ${columnList(table)} from ${table.name}
    where rowid > ? order by rowid limit ${PAGE}`;
  let last: Value = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows: readonly Row[] = await access.read<Row>(text, [last]);
    if (rows.length > 0) yield valuesOf(table, rows);
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.row_number ?? last;
  }
}

/** By a cursor, which reads one state of the table; so only inside a transaction. */
async function* pagesByPostgres(access: Access, table: CopiedTable): AsyncGenerator<Rows> {
  await access.write(`declare copied no scroll cursor for select ${columnList(table)} from ${table.name}`);
  for (;;) {
    const rows = await access.read<Row>(`fetch ${PAGE} from copied`);
    if (rows.length > 0) yield valuesOf(table, rows);
    if (rows.length < PAGE) break;
  }
  await access.write('close copied');
}

/** All rows of a table, some thousands at a time, in no particular order. On PostgreSQL within a transaction. */
export const rowPages = (access: Access, table: CopiedTable): AsyncGenerator<Rows> =>
  access.dialect.name === 'sqlite' ? pagesBySQLite(access, table) : pagesByPostgres(access, table);
