import type { Knex } from 'knex';
import library from 'knex';
import type { Value } from './dialect.js';
import type { Access } from './sql.js';

/**
 * Begins a knex statement that the access runs: in its transaction, under its limits, or on its replica. It is sent
 * when it is awaited, and yields what knex yields.
 */
export const query = (access: Access): Knex.QueryBuilder<object, unknown[]> => {
  const shared = BUILDERS[access.dialect.name].client as Knex.Client;
  // Each statement gets a client of its own, which costs one object; a knex of its own would cost a hundred functions.
  return (Object.assign(Object.create(shared), sentBy(access)) as Knex.Client).queryBuilder();
};

const built = new Map<string, string>();

/**
 * Returns the rows of a statement that is built once for each dialect, and whose plan the database keeps. It is for
 * statements that every request runs.
 * @param build builds the statement; its text must not depend on the bindings, which it uses in their order
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

/** Makes SQL text of the dialect a part of a knex statement. */
export const expression = ({ dialect }: Access, text: string, bindings: readonly Value[] = []): Knex.Raw =>
  BUILDERS[dialect.name].raw(text, bindings);

/** Refers to a column, so that knex compares with the column and not with its name as a text. */
export const column = ({ dialect }: Access, name: string): Knex.Ref<string, Record<string, string>> =>
  BUILDERS[dialect.name].ref(name);

/** Whether the column's value is among these; the text of the statement does not depend on how many they are. */
export const among = (access: Access, column: string, kind: 'id' | 'text', values: readonly string[]): Knex.Raw =>
  expression(access, access.dialect.among(column, kind), [access.dialect.list(values)]);

/** Locks the rows and skips those that another transaction has locked. SQLite needs no lock: it has one writer. */
export const skippingLocked = ({ dialect }: Access, rows: Knex.QueryBuilder): Knex.QueryBuilder =>
  dialect.name === 'sqlite' ? rows : rows.forUpdate().skipLocked();

/** Returns a full knex for an access inside a transaction; transactions that it begins are savepoints of that one. */
export const knexInside = (access: Access): Knex => {
  const knex = builderOf(access.dialect.name);
  Object.assign(knex.client, sentBy(access));
  return Object.assign(knex, { isTransaction: true });
};

/** A statement as knex compiled it, with the answer that knex reads from it. */
interface Compiled {
  readonly method?: string;
  readonly sql: string;
  readonly bindings?: readonly Value[];
  readonly returning?: unknown;
  /** The member from which both dialects of knex read the answer. */
  response?: unknown;
  context?: { readonly changes: number; readonly lastID: null };
}

/** The names of PostgreSQL's commands for the methods of knex, which needs them to read answers. */
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
  // SQLite's driver returns either rows or a count: returning one row for each changed row gives both.
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

/** A row as it is written; moments may also be texts, as PostgreSQL takes them. */
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
