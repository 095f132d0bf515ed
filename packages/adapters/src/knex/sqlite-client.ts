import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { DomainError } from '@shipworthy/domain';
import library, { type Knex } from 'knex';
import { checkBindings } from './well-formed.js';

// The one file that knows the driver of SQLite: a successor of it changes nothing else.
const require = createRequire(import.meta.url);
const SqliteClient: typeof Knex.Client = require('knex/lib/dialects/sqlite3/index.js');

/** What is used of the driver's connection. */
interface Connection {
  exec(sql: string, done: (error: Error | null) => void): void;
  close(done: (error: Error | null) => void): void;
}

/** Begins every transaction as a writer: one that reads first and writes later would fail at once when another wrote. */
class WriterClient extends SqliteClient {
  override query(connection: unknown, query: string | { readonly bindings?: unknown }): unknown {
    if (query === 'BEGIN;') return super.query(connection, 'BEGIN IMMEDIATE;');
    if (typeof query === 'object') checkBindings(query.bindings);
    return super.query(connection, query);
  }
}

const exec = (connection: Connection, sql: string): Promise<void> =>
  new Promise((done, fail) => connection.exec(sql, (error) => (error === null ? done() : fail(error))));

const pragmas = (more: string): string =>
  `pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;
   pragma cache_size = -65536; pragma temp_store = memory; pragma wal_autocheckpoint = 10000; ${more}`;

const client = (file: string, pool: Knex.PoolConfig, setUp: string, waitMs: number): Knex =>
  library.knex({
    client: WriterClient,
    connection: { filename: file },
    useNullAsDefault: true,
    compileSqlOnError: false,
    acquireConnectionTimeout: waitMs,
    pool: {
      min: 0,
      ...pool,
      afterCreate: (connection: Connection, done: (error: Error | null) => void) =>
        void connection.exec(pragmas(setUp), done),
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
  return { connection, users: 0 };
};

/**
 * Claims a file for this process, waiting a little for a process that is just ending. Answers how to give it back.
 * DomainError `unavailable` when another process holds it.
 */
export const claimFile = async (file: string, waitMs: number): Promise<() => Promise<void>> => {
  const path = resolve(file);
  const claim = held.get(path) ?? takeLock(path, waitMs);
  held.set(path, claim);
  const hold = await claim.catch((error: unknown) => {
    held.delete(path);
    throw error;
  });
  hold.users += 1;
  return async () => {
    hold.users -= 1;
    if (hold.users > 0) return;
    held.delete(path);
    await closed(hold.connection);
  };
};
