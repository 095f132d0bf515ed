import { createRequire } from 'node:module';
import library, { type Knex } from 'knex';
import { freeConnection, NO_LIMIT_MS, type Pool } from './free-connection.js';
import { type Connection, type Done, exec, type Prepared, pragmas, prepare } from './sqlite-connection.js';
import { checkBindings } from './well-formed.js';

const require = createRequire(import.meta.url);

/** How a transaction begins, as a writer, and ends. */
export const BEGIN = 'begin immediate';
export const COMMIT = 'commit';
export const ROLLBACK = 'rollback';
const SqliteClient: typeof Knex.Client = require('knex/lib/dialects/sqlite3/index.js');

/** Connections that began a transaction and were not told of its end. */
const inDoubt = new WeakSet<Connection>();

interface FileSettings {
  readonly filename: string;
  /** Longest wait for a free connection, in milliseconds of run time. */
  readonly waitMs: number;
}

class FileClient extends SqliteClient {
  readonly #prepared = new WeakMap<Connection, Map<string, Promise<Prepared>>>();

  /** A statement past the builder, which costs more than the statement itself; one with a name is made ready once. */
  async carryOut(
    connection: Connection,
    sql: string,
    bindings: readonly unknown[],
    name: string | undefined,
  ): Promise<readonly unknown[]> {
    checkBindings(bindings);
    const statement = name === undefined ? undefined : await this.#ready(connection, sql, name);
    if (sql === BEGIN) inDoubt.add(connection);
    const rows = await new Promise<readonly unknown[]>((resolve, reject) => {
      const done: Done<readonly unknown[]> = (error, found) => (error === null ? resolve(found) : reject(error));
      if (statement === undefined) connection.all(sql, bindings, done);
      else statement.all(bindings, done);
    });
    if (sql === COMMIT || sql === ROLLBACK) inDoubt.delete(connection);
    return rows;
  }

  override acquireConnection(): Promise<Connection> {
    return freeConnection(this.pool as Pool<Connection> | undefined, (this.connectionSettings as FileSettings).waitMs);
  }

  override async destroyRawConnection(connection: Connection): Promise<void> {
    // A connection with statements that are still held cannot be closed.
    for (const ready of this.#prepared.get(connection)?.values() ?? []) {
      const statement = await ready.catch(() => undefined);
      if (statement !== undefined) await new Promise<void>((resolve) => statement.finalize(resolve));
    }
    await super.destroyRawConnection(connection);
  }

  #ready(connection: Connection, sql: string, name: string): Promise<Prepared> {
    const statements = this.#prepared.get(connection) ?? new Map<string, Promise<Prepared>>();
    this.#prepared.set(connection, statements);
    const known = statements.get(name);
    if (known !== undefined) return known;
    const ready = prepare(connection, sql);
    statements.set(name, ready);
    // What failed once, before a table was there, may succeed later.
    ready.catch(() => statements.delete(name));
    return ready;
  }
}

/** Carries out a statement on one connection. */
export type CarryOut = (sql: string, bindings?: readonly unknown[], name?: string) => Promise<readonly unknown[]>;

/** Runs the work on a connection of the pool. What leaves a transaction open has it undone before the next. */
export const onConnection = async <Result>(
  knex: Knex,
  work: (carryOut: CarryOut) => Promise<Result>,
): Promise<Result> => {
  const client: FileClient = knex.client;
  const connection: Connection = await client.acquireConnection();
  try {
    return await work((sql, bindings = [], name) => client.carryOut(connection, sql, bindings, name));
  } finally {
    await client.releaseConnection(connection);
  }
};

const client = (file: string, pool: Knex.PoolConfig, setUp: string, waitMs: number): Knex =>
  library.knex({
    client: FileClient,
    connection: { filename: file, waitMs } satisfies FileSettings as Knex.Sqlite3ConnectionConfig,
    useNullAsDefault: true,
    compileSqlOnError: false,
    acquireConnectionTimeout: NO_LIMIT_MS,
    pool: {
      min: 0,
      ...pool,
      afterCreate: (connection: Connection, done: (error: Error | null) => void) => {
        connection.serialize();
        connection.exec(pragmas(setUp), done);
      },
    },
    log: { warn: () => {}, error: () => {} },
  });

/** A connection whose COMMIT failed still has its transaction open: what came after would vanish with it. */
const rollBackWhatIsOpen = async (connection: Connection): Promise<boolean> => {
  if (!inDoubt.has(connection)) return true;
  // SQLite refuses a ROLLBACK only where there is nothing to roll back.
  await exec(connection, ROLLBACK).catch(() => {});
  inDoubt.delete(connection);
  return true;
};

export interface SqliteConnections {
  /** One connection, so that writers queue here rather than in SQLite. */
  readonly writer: Knex;
  /** Reads that belong to no transaction; they see the last commit and never wait for the writer. */
  readonly readers: Knex;
}

/** Connections to a file: write-ahead log, synchronous FULL, foreign keys enforced. */
export const sqliteConnections = (
  file: string,
  options: { readonly readers: number; readonly waitMs: number },
): SqliteConnections => ({
  writer: client(file, { max: 1, validate: rollBackWhatIsOpen }, '', options.waitMs),
  readers: client(file, { max: options.readers }, 'pragma query_only = on;', options.waitMs),
});
