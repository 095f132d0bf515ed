import type { Access } from '../access.js';
import type { Database } from '../database.js';
import type { Value } from '../dialect.js';
import { sumOf, type TableSum, tableAdder } from './checksum.js';
import { type Rows, rowPages } from './row-pages.js';
import { type CopiedTable, TABLES } from './table-list.js';

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
  const [sent, stored] = [adder.sum(), await sumOf(to, table)];
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
 * Copies all rows of a SQLite database nobody else has open into a PostgreSQL database; both have taken every step of the
 * schema. In one transaction: all is there afterwards, or nothing. Each table is read back and compared.
 * @returns the sums of the tables as they are in the copy
 * @throws Error when the target has any row, or a table does not read back as it was sent
 */
export const copyDatabase = (from: Database, to: Database): Promise<readonly TableSum[]> => {
  if (from.kind !== 'sqlite' || to.kind !== 'postgres')
    throw new TypeError('Rows are copied from SQLite to PostgreSQL.');
  return to.access.atomically(async (inside) => {
    await inside.write('set local statement_timeout = 0');
    await inside.write('set local idle_in_transaction_session_timeout = 0');
    // A service that is started on the target meanwhile waits with its first write.
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
