// SQL by hand: copies tables and sums them up page by page; names and columns of tables are data here.
import { createHash } from 'node:crypto';
import type { Database } from '../database.js';
import type { Value } from '../dialect.js';
import type { Access } from '../sql.js';
import { type CopiedTable, TABLES } from './table-list.js';

/** Rows of one table, each as its values in the order of the table's columns; moments are milliseconds since 1970. */
type Rows = readonly (readonly Value[])[];

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

/** Reads through a cursor, which shows one state of the table; works only inside a transaction. */
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

/** How many rows a table has, and a checksum of them that depends neither on the database nor on their order. */
export interface TableSum {
  readonly table: string;
  readonly rows: number;
  /** 32 hexadecimal digits. */
  readonly checksum: string;
}

const BITS = 128;
const BYTES = BITS / 8;

/** Adds up rows: the sum of the first 128 bits of each row's SHA-256, modulo 2^128, so that equal rows count too. */
export const tableAdder = (table: string) => {
  let rows = 0;
  let sum = 0n;
  return {
    add: (added: Rows): void => {
      rows += added.length;
      for (const row of added) {
        const digest = createHash('sha256').update(JSON.stringify(row)).digest('hex');
        sum += BigInt(`0x${digest.slice(0, 2 * BYTES)}`);
      }
      sum = BigInt.asUintN(BITS, sum);
    },
    sum: (): TableSum => ({ table, rows, checksum: sum.toString(16).padStart(2 * BYTES, '0') }),
  };
};

/** The sum of a table's present rows. On PostgreSQL call it within a transaction. */
export const sumOfTable = async (access: Access, table: CopiedTable): Promise<TableSum> => {
  const adder = tableAdder(table.name);
  for await (const rows of rowPages(access, table)) adder.add(rows);
  return adder.sum();
};

/** The sums of all tables, in the order of the list; of one consistent state only while nothing writes. */
export const sumsOf = async (access: Access): Promise<readonly TableSum[]> => {
  const sums: TableSum[] = [];
  for (const table of TABLES) sums.push(await sumOfTable(access, table));
  return sums;
};

/** Rows per statement: a row of history may hold some kilobytes. */
const PORTION = 500;

const insertion = ({ dialect }: Access, { name, columns }: CopiedTable) => {
  const places = columns.map(({ kind }, place) => [`c${place}`, kind] as const);
  const { table, bindings } = dialect.rowset('v', Object.fromEntries(places));
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  const text = `insert into ${name} (${names}) overriding system value select ${places.map(([place]) => place).join(', ')} from ${table}`;
  const bound = (value: Value | undefined, place: number): Value =>
    columns[place]?.kind === 'moment' && typeof value === 'number' ? dialect.moment(value) : (value ?? null);
  return { text, bindings: (rows: Rows) => bindings(rows.map((row) => row.map(bound))) };
};

const copyTable = async (from: Access, to: Access, table: CopiedTable): Promise<TableSum> => {
  const { text, bindings } = insertion(to, table);
  const adder = tableAdder(table.name);
  for await (const rows of rowPages(from, table)) {
    adder.add(rows);
    for (let start = 0; start < rows.length; start += PORTION)
      await to.write(text, bindings(rows.slice(start, start + PORTION)));
  }
  const [sent, stored] = [adder.sum(), await sumOfTable(to, table)];
  if (sent.rows !== stored.rows || sent.checksum !== stored.checksum)
    throw new Error(
      `The copy of ${table.name} differs: ${sent.rows} rows ${sent.checksum}, and ${stored.rows} rows ${stored.checksum} in the copy. Nothing was copied.`,
    );
  return stored;
};

const requireEmpty = async (to: Access): Promise<void> => {
  for (const { name } of TABLES) {
    const rows = await to.read(`select 1 as there from ${name} limit 1`);
    if (rows.length > 0) throw new Error(`The target is not empty: there are rows in ${name}. Nothing was copied.`);
  }
};

/**
 * Copies all rows of a SQLite database, which no other process has open, into a PostgreSQL database; both have taken every step
 * of the schema. In one transaction: all is there afterwards, or nothing. Each table is read back and compared.
 * @returns the sums of the tables as they are in the copy
 * @throws Error when the target has any row, or a table does not read back as it was sent
 */
export const copyDatabase = (from: Database, to: Database): Promise<readonly TableSum[]> => {
  if (from.kind !== 'sqlite' || to.kind !== 'postgres')
    throw new TypeError('Rows are copied from SQLite to PostgreSQL.');
  return to.access.atomically(async (inside) => {
    await inside.write('set local statement_timeout = 0');
    await inside.write('set local idle_in_transaction_session_timeout = 0');
    // If a service is started on the target during the copy, its first write waits.
    await inside.write(`lock table ${TABLES.map(({ name }) => name).join(', ')} in share row exclusive mode`);
    await requireEmpty(inside);
    const sums: TableSum[] = [];
    for (const table of TABLES) sums.push(await copyTable(from.access, inside, table));
    await inside.write(
      `select setval(pg_get_serial_sequence('issue_events', 'place'), max(place)) from issue_events having max(place) is not null`,
    );
    return sums;
  });
};
