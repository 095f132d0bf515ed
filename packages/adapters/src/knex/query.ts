import type { Knex } from 'knex';
import library from 'knex';
import type { Value } from './dialect.js';
import type { Access } from './sql.js';

/**
 * Begins a statement of knex's query builder that is carried out by the access: in its transaction, under its limits, on the
 * replica where it reads there. It is sent when it is awaited, and answers what knex answers.
 */
export const query = (access: Access): Knex.QueryBuilder<object, unknown[]> => {
  const shared = BUILDERS[access.dialect.name].client as Knex.Client;
  // A client of its own for each statement costs an object; a knex of its own would cost a hundred functions.
  return (Object.assign(Object.create(shared), sentBy(access)) as Knex.Client).queryBuilder();
};

const built = new Map<string, string>();

/**
 * Rows of a statement that is built once for each dialect and whose plan the database keeps: for what every request reads.
 * @param build the text must not depend on the bindings, which it uses in their order
 */
export const readKept = <Row>(
  access: Access,
  name: string,
  bindings: readonly Value[],
  build: (from: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<readonly Row[]> => {
  const key = `${access.dialect.name} ${name}`;
  const sql = built.get(key) ?? build(query(access)).toSQL().sql;
  built.set(key, sql);
  return access.read<Row>(sql, bindings, name);
};

/** An expression of the dialect as a part of a statement. */
export const expression = ({ dialect }: Access, text: string, bindings: readonly Value[] = []): Knex.Raw =>
  BUILDERS[dialect.name].raw(text, bindings);

/** A column to be compared with another one. */
export const column = ({ dialect }: Access, name: string): Knex.Ref<string, Record<string, string>> =>
  BUILDERS[dialect.name].ref(name);

/** Whether the column's value is among these; the text of the statement does not depend on how many they are. */
export const among = (access: Access, column: string, kind: 'id' | 'text', values: readonly string[]): Knex.Raw =>
  expression(access, access.dialect.among(column, kind), [access.dialect.list(values)]);

/** The rows, but for those that another transaction holds. A SQLite file has one writer, who holds all of them. */
export const skippingLocked = ({ dialect }: Access, rows: Knex.QueryBuilder): Knex.QueryBuilder =>
  dialect.name === 'sqlite' ? rows : rows.forUpdate().skipLocked();

/** The whole of knex on an access that is inside a transaction. What it begins as transactions are parts of that one. */
export const knexInside = (access: Access): Knex => {
  const knex = builderOf(access.dialect.name);
  Object.assign(knex.client, sentBy(access));
  return Object.assign(knex, { isTransaction: true });
};

/** One statement as knex compiled it, and what it is answered with. */
interface Compiled {
  readonly method?: string;
  readonly sql: string;
  readonly bindings?: readonly Value[];
  readonly returning?: unknown;
  /** The member from which both dialects of knex read the answer. */
  response?: unknown;
  context?: { readonly changes: number; readonly lastID: null };
}

/** How PostgreSQL's protocol calls what was carried out; knex reads answers by it. */
const COMMANDS: Readonly<Record<string, string>> = {
  select: 'SELECT',
  first: 'SELECT',
  pluck: 'SELECT',
  update: 'UPDATE',
  del: 'DELETE',
};

const carriedOut = async ({ dialect, read, write }: Access, statement: Compiled): Promise<Compiled> => {
  const { method = '', sql, bindings, returning } = statement;
  const command = COMMANDS[method];
  // SQLite's driver answers either rows or a count: a row for each that was changed is both.
  const isCounted = (command === 'UPDATE' || command === 'DELETE') && returning === undefined;
  const rows = await (command === 'SELECT'
    ? read(sql, bindings)
    : write(isCounted ? `${sql} returning 1 as changed` : sql, bindings));
  statement.response = dialect.name === 'sqlite' ? rows : { command, rows, rowCount: rows.length };
  statement.context = { changes: rows.length, lastID: null };
  return statement;
};

/** The methods of a knex client that send statements through the access. */
const sentBy = (access: Access) => ({
  transacting: true,
  acquireConnection: async () => ({}),
  releaseConnection: async () => undefined,
  query: (_: object, statement: Compiled) => carriedOut(access, statement),
  transaction: <Result>(work: (inside: Knex) => Promise<Result>) =>
    access.atomically((inside) => work(knexInside(inside))),
});

const SILENT = { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} };

/** Builds statements and has no connection. */
const builderOf = (dialect: Access['dialect']['name']): Knex =>
  library.knex({
    client: dialect === 'sqlite' ? 'sqlite3' : 'pg',
    useNullAsDefault: dialect === 'sqlite',
    log: SILENT,
  });

const BUILDERS = { sqlite: builderOf('sqlite'), postgres: builderOf('postgres') };

/** The columns that take null. */
type Nullable<Row> = { [Column in keyof Row]: null extends Row[Column] ? Column : never }[keyof Row];

/** A row as it is written: moments as the dialect has them. */
type Written<Row, Moments> = { [Column in keyof Row]: Row[Column] | (Column extends Moments ? string : never) };

/**
 * A table as knex's types take it: its row as it is read, in which moments are numbers, and what may be inserted, where columns
 * that take null or have a default may be left out.
 */
export type TableOf<
  Row,
  Moments extends keyof Row = never,
  Defaults extends keyof Row = never,
> = Knex.CompositeTableType<
  Row,
  Omit<Written<Row, Moments>, Nullable<Row> | Defaults> & Partial<Pick<Written<Row, Moments>, Nullable<Row> | Defaults>>
>;
