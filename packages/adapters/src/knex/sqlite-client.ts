import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { DomainError } from '@shipworthy/domain';
import library, { type Knex } from 'knex';
import { type LocalFeed, localFeed } from '../event-feed/local-feed.js';
import { makePrivate } from './private-file.js';
import { checkBindings } from './well-formed.js';

// The one file that knows the driver of SQLite: a successor of it changes nothing else.
const require = createRequire(import.meta.url);
const SqliteClient: typeof Knex.Client = require('knex/lib/dialects/sqlite3/index.js');

type Done<Answer> = (error: Error | null, answer: Answer) => void;

/** A statement that was made ready once. */
interface Prepared {
  all(bindings: readonly unknown[], done: Done<readonly unknown[]>): void;
  finalize(done: () => void): void;
}

/** What is used of the driver's connection. */
interface Connection {
  exec(sql: string, done: (error: Error | null) => void): void;
  all(sql: string, bindings: readonly unknown[], done: Done<readonly unknown[]>): void;
  prepare(sql: string, done: (error: Error | null) => void): Prepared;
  /** From now on statements are carried out one at a time, in the order given. */
  serialize(): void;
  close(done: (error: Error | null) => void): void;
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
    return new Promise((resolve, reject) => {
      const done: Done<readonly unknown[]> = (error, rows) => (error === null ? resolve(rows) : reject(error));
      if (statement === undefined) connection.all(sql, bindings, done);
      else statement.all(bindings, done);
    });
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

const prepare = (connection: Connection, sql: string): Promise<Prepared> =>
  new Promise((resolve, reject) => {
    const statement = connection.prepare(sql, (error) => (error === null ? resolve(statement) : reject(error)));
  });

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

const exec = (connection: Connection, sql: string): Promise<void> =>
  new Promise((done, fail) => connection.exec(sql, (error) => (error === null ? done() : fail(error))));

const pragmas = (more: string): string =>
  `pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;
   pragma cache_size = -16384; pragma temp_store = memory; pragma wal_autocheckpoint = 10000; ${more}`;

const client = (file: string, pool: Knex.PoolConfig, setUp: string, waitMs: number): Knex =>
  library.knex({
    client: FileClient,
    connection: { filename: file },
    useNullAsDefault: true,
    compileSqlOnError: false,
    acquireConnectionTimeout: waitMs,
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
  // SQLite refuses a ROLLBACK only where there is nothing to roll back.
  await exec(connection, 'rollback').catch(() => {});
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

interface Hold {
  readonly connection: Connection;
  readonly feed: LocalFeed;
  users: number;
}

const held = new Map<string, Promise<Hold>>();

const connected = (file: string): Promise<Connection> =>
  new Promise((done, fail) => {
    const { Database } = require('sqlite3') as {
      Database: new (file: string, opened: (error: Error | null) => void) => Connection;
    };
    const connection: Connection = new Database(file, (error) => (error === null ? done(connection) : fail(error)));
  });

const closed = (connection: Connection): Promise<void> => new Promise((done) => connection.close(() => done()));

const takeLock = async (file: string, waitMs: number): Promise<Hold> => {
  for (const path of [`${file}.lock`, file]) await makePrivate(path);
  const connection = await connected(`${file}.lock`);
  try {
    // The lock is the operating system's: it ends with the process, however that ends.
    await exec(connection, `pragma busy_timeout = ${waitMs}; begin exclusive;`);
  } catch {
    await closed(connection);
    throw new DomainError('unavailable', `Another process has ${file} open; one process uses a file at a time.`, {
      file,
    });
  }
  try {
    // Several connections that turn the log on at once would be refused without waiting for each other.
    const first = await connected(file);
    await exec(first, pragmas('')).finally(() => closed(first));
  } catch (error) {
    await closed(connection);
    throw error;
  }
  return { connection, feed: localFeed(), users: 0 };
};

/** A file this process holds. */
export interface ClaimedFile {
  /** The one feed of the file, however often it is open. */
  readonly feed: LocalFeed;
  giveBack(): Promise<void>;
}

/**
 * Claims a file for this process, waiting a little for a process that is just ending.
 * DomainError `unavailable` when another process holds it.
 */
export const claimFile = async (file: string, waitMs: number): Promise<ClaimedFile> => {
  const path = resolve(file);
  const claim = held.get(path) ?? takeLock(path, waitMs);
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
    await closed(hold.connection);
  };
  return { feed: hold.feed, giveBack };
};
