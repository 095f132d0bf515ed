import { mkdir, open, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { DomainError, type ReleaseEvent } from '@shipworthy/domain';
import library, { type Knex } from 'knex';
import { type LocalFeed, localFeed } from '../../event-feed/local-feed.js';
import { checkBindings, sqlite, type Value } from '../dialect.js';
import { codeOf } from '../errors.js';
import { freeConnection, NO_LIMIT_MS, type Pool } from '../postgres/connection.js';
import type { Access } from '../sql.js';

// The driver is loaded when the first file is opened: it is a native module, and PostgreSQL needs none.
const require = createRequire(import.meta.url);

/** A callback of the driver. */
type Done<Answer> = (error: Error | null, answer: Answer) => void;

interface PreparedStatement {
  all(bindings: readonly unknown[], done: Done<readonly unknown[]>): void;
  finalize(done: () => void): void;
}

/** The members of the driver's connection that are used. */
export interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
  all(sql: string, bindings: readonly unknown[], done: Done<readonly unknown[]>): void;
  prepare(sql: string, done: (error: Error | null) => void): PreparedStatement;
  /** From now on statements are carried out one at a time, in the order given. */
  serialize(): void;
  close(done: (error: Error | null) => void): void;
}

interface Driver {
  readonly Database: new (file: string, flags: number, opened: (error: Error | null) => void) => SqliteConnection;
  readonly OPEN_READONLY: number;
  readonly OPEN_READWRITE: number;
  readonly OPEN_CREATE: number;
}

/** @throws Error for a FIFO: to open or read one waits until another program writes to it */
const refuseFifo = async (path: string): Promise<void> => {
  const there = await stat(path).catch(() => undefined);
  if (there?.isFIFO()) throw new Error(`${path} is a FIFO, not a file.`);
};

/** Opens a file, and makes it where there is none; with `readOnly` it makes and changes nothing. */
export const openSqliteFile = async (
  file: string,
  mode: 'readOnly' | 'readWrite' = 'readWrite',
): Promise<SqliteConnection> => {
  await refuseFifo(file);
  return new Promise((done, fail) => {
    const { Database, OPEN_READONLY, OPEN_READWRITE, OPEN_CREATE } = require('sqlite3') as Driver;
    const flags = mode === 'readOnly' ? OPEN_READONLY : OPEN_READWRITE | OPEN_CREATE;
    const connection: SqliteConnection = new Database(file, flags, (error) =>
      error === null ? done(connection) : fail(error),
    );
  });
};

/** Closes a connection that `openSqliteFile` made. */
export const closeSqliteFile = (connection: SqliteConnection): Promise<void> =>
  new Promise((done) => connection.close(() => done()));

/** The rows of one statement. */
export const sqliteRows = <Row>(
  connection: SqliteConnection,
  sql: string,
  bindings: readonly unknown[] = [],
): Promise<readonly Row[]> =>
  new Promise((done, fail) =>
    connection.all(sql, bindings, (error, rows) => (error === null ? done(rows as readonly Row[]) : fail(error))),
  );

/** Carries out statements that take and answer nothing. */
export const exec = (connection: SqliteConnection, sql: string): Promise<void> =>
  new Promise((done, fail) => connection.exec(sql, (error) => (error === null ? done() : fail(error))));

/** How every connection of the service is set up. */
const pragmas = (more: string): string =>
  `pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;
   pragma cache_size = -16384; pragma temp_store = memory; pragma wal_autocheckpoint = 10000; ${more}`;

const prepare = (connection: SqliteConnection, sql: string): Promise<PreparedStatement> =>
  new Promise((resolve, reject) => {
    const statement = connection.prepare(sql, (error) => (error === null ? resolve(statement) : reject(error)));
  });

/** How a transaction begins, as a writer, and ends. */
const BEGIN = 'begin immediate';
const COMMIT = 'commit';
const ROLLBACK = 'rollback';
const SqliteClient: typeof Knex.Client = require('knex/lib/dialects/sqlite3/index.js');

/** Connections that began a transaction, and whose driver has not confirmed its end. */
const inDoubt = new WeakSet<SqliteConnection>();

interface FileSettings {
  readonly filename: string;
  /** Longest wait for a free connection, in milliseconds of run time. */
  readonly waitMs: number;
}

class FileClient extends SqliteClient {
  readonly #prepared = new WeakMap<SqliteConnection, Map<string, Promise<PreparedStatement>>>();

  /** Runs a statement without knex's builder, which takes longer than the statement; a named one is prepared once. */
  async carryOut(
    connection: SqliteConnection,
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

  override acquireConnection(): Promise<SqliteConnection> {
    return freeConnection(
      this.pool as Pool<SqliteConnection> | undefined,
      (this.connectionSettings as FileSettings).waitMs,
    );
  }

  override async destroyRawConnection(connection: SqliteConnection): Promise<void> {
    // A connection with statements that are still held cannot be closed.
    for (const ready of this.#prepared.get(connection)?.values() ?? []) {
      const statement = await ready.catch(() => undefined);
      if (statement !== undefined) await new Promise<void>((resolve) => statement.finalize(resolve));
    }
    await super.destroyRawConnection(connection);
  }

  #ready(connection: SqliteConnection, sql: string, name: string): Promise<PreparedStatement> {
    const statements = this.#prepared.get(connection) ?? new Map<string, Promise<PreparedStatement>>();
    this.#prepared.set(connection, statements);
    const known = statements.get(name);
    if (known !== undefined) return known;
    const ready = prepare(connection, sql);
    statements.set(name, ready);
    // A failed statement is forgotten: it may succeed later, once its table is there.
    ready.catch(() => statements.delete(name));
    return ready;
  }
}

/** Carries out a statement on one connection. */
type CarryOut = (sql: string, bindings?: readonly unknown[], name?: string) => Promise<readonly unknown[]>;

/** Runs the work on a connection of the pool. A transaction that it leaves open is undone before the next work. */
const onConnection = async <Result>(knex: Knex, work: (carryOut: CarryOut) => Promise<Result>): Promise<Result> => {
  const client: FileClient = knex.client;
  const connection: SqliteConnection = await client.acquireConnection();
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
      afterCreate: (connection: SqliteConnection, done: (error: Error | null) => void) => {
        connection.serialize();
        connection.exec(pragmas(setUp), done);
      },
    },
    log: { warn: () => {}, error: () => {} },
  });

/** Rolls back a transaction that is still open because its COMMIT failed: later changes would vanish with it. */
const rollBackWhatIsOpen = async (connection: SqliteConnection): Promise<boolean> => {
  if (!inDoubt.has(connection)) return true;
  // SQLite refuses a ROLLBACK only where there is nothing to roll back.
  await exec(connection, ROLLBACK).catch(() => {});
  inDoubt.delete(connection);
  return true;
};

interface SqliteConnections {
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

/**
 * Makes a file that is not there yet, for its owner only; what SQLite puts beside it gets the same permissions. Leaves
 * an existing file as it is.
 */
const makePrivate = async (path: string): Promise<void> => {
  await refuseFifo(path);
  // Ignores a folder that is missing or closed to us: the driver reports it later.
  const made = await open(path, 'a', 0o600).catch(() => undefined);
  await made?.close();
};

/**
 * Makes a folder and the missing ones above it, for their owner only. Node's own `recursive` never ends where the
 * system calls an existing folder missing, as Linux does for a new folder below /proc.
 * @throws the system's error of the folder that cannot be made
 */
export const makePrivateFolder = async (path: string): Promise<void> => {
  const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
  const make = () =>
    mkdir(path, 0o700).catch(async (error: unknown) => {
      if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
    });
  try {
    await make();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makePrivateFolder(dirname(path));
    await make();
  }
};

const run =
  (carryOut: CarryOut) =>
  async <Row>(sql: string, bindings: readonly Value[] = [], name?: string): Promise<readonly Row[]> =>
    (await carryOut(sql, bindings, name)) as readonly Row[];

type Tell = (events: readonly ReleaseEvent[]) => void;

/** Does all of the work or nothing: in a transaction or (`depth` > 0) a savepoint; `tell` is called after its end. */
const within = async <Result>(
  carryOut: CarryOut,
  depth: number,
  tell: Tell,
  work: (inside: Access) => Promise<Result>,
): Promise<Result> => {
  const point = `point_${depth}`;
  const statement = run(carryOut);
  const told: ReleaseEvent[] = [];
  const inside: Access = {
    dialect: sqlite,
    inTransaction: true,
    reached: () => null,
    read: statement,
    write: statement,
    atomically: (part) => within(carryOut, depth + 1, (events) => told.push(...events), part),
    publish: async (events) => void told.push(...events),
  };
  // Begins as a writer: a transaction that reads first and writes later would fail when another one wrote in between.
  await carryOut(depth === 0 ? BEGIN : `savepoint ${point}`);
  try {
    const result = await work(inside);
    await carryOut(depth === 0 ? COMMIT : `release savepoint ${point}`);
    tell(told);
    return result;
  } catch (error) {
    // SQLite refuses a ROLLBACK only where there is nothing to roll back.
    await carryOut(depth === 0 ? ROLLBACK : `rollback to savepoint ${point}`).catch(() => {});
    throw error;
  }
};

/** Access to a SQLite file outside any transaction: writes go one after the other, reads beside them. */
export const sqliteAccess = ({ writer, readers }: SqliteConnections, feed: LocalFeed): Access => ({
  dialect: sqlite,
  inTransaction: false,
  reached: () => null,
  read: (sql, bindings, name) => onConnection(readers, (carryOut) => run(carryOut)(sql, bindings, name)),
  write: (sql, bindings, name) => onConnection(writer, (carryOut) => run(carryOut)(sql, bindings, name)),
  atomically: (work) => onConnection(writer, (carryOut) => within(carryOut, 0, feed.tell, work)),
  publish: async (events) => feed.tell(events),
});

interface Hold {
  readonly connection: SqliteConnection;
  readonly feed: LocalFeed;
  users: number;
}

const held = new Map<string, Promise<Hold>>();

/**
 * Locks a file against all other processes until the returned connection is closed; waits `waitMs` milliseconds for a
 * process that is just ending. DomainError `unavailable` when another process holds the file.
 */
export const lockFile = async (file: string, waitMs: number): Promise<SqliteConnection> => {
  await makePrivate(`${file}.lock`);
  const connection = await openSqliteFile(`${file}.lock`);
  try {
    // The lock is the operating system's: it ends with the process, however that ends.
    await exec(connection, `pragma busy_timeout = ${waitMs}; begin exclusive;`);
    return connection;
  } catch (error) {
    await closeSqliteFile(connection);
    // Other failures, such as a full disk, do not mean that another process has the file.
    if (codeOf(error) !== 'SQLITE_BUSY') throw error;
    throw new DomainError('unavailable', `Another process has ${file} open; one process uses a file at a time.`, {
      file,
    });
  }
};

const takeHold = async (file: string, waitMs: number): Promise<Hold> => {
  const connection = await lockFile(file, waitMs);
  try {
    await makePrivate(file);
    // One connection turns the log on first: several that do so at once would be refused without a wait.
    const first = await openSqliteFile(file);
    await exec(first, pragmas('')).finally(() => closeSqliteFile(first));
  } catch (error) {
    await closeSqliteFile(connection);
    throw error;
  }
  return { connection, feed: localFeed(), users: 0 };
};

/** A file this process holds. */
interface ClaimedFile {
  /** The one feed of the file, however often it is open. */
  readonly feed: LocalFeed;
  giveBack(): Promise<void>;
}

/**
 * Claims a file for this process; waits `waitMs` milliseconds for a process that is just ending. DomainError
 * `unavailable` when another process holds it.
 */
export const claimFile = async (file: string, waitMs: number): Promise<ClaimedFile> => {
  const path = resolve(file);
  const claim = held.get(path) ?? takeHold(path, waitMs);
  held.set(path, claim);
  const hold = await claim.catch((error: unknown) => {
    held.delete(path);
    throw error;
  });
  hold.users += 1;
  const giveBack = async (): Promise<void> => {
    hold.users -= 1;
    if (hold.users > 0) return;
    held.delete(path);
    await closeSqliteFile(hold.connection);
  };
  return { feed: hold.feed, giveBack };
};
