import { createRequire } from 'node:module';

// The driver is loaded when the first file is opened: it is a native module, and PostgreSQL needs none.
const require = createRequire(import.meta.url);

/** What the driver calls back with. */
export type Done<Answer> = (error: Error | null, answer: Answer) => void;

/** A statement that was made ready once. */
export interface Prepared {
  all(bindings: readonly unknown[], done: Done<readonly unknown[]>): void;
  finalize(done: () => void): void;
}

/** What is used of the driver's connection. */
export interface Connection {
  exec(sql: string, done: (error: Error | null) => void): void;
  all(sql: string, bindings: readonly unknown[], done: Done<readonly unknown[]>): void;
  prepare(sql: string, done: (error: Error | null) => void): Prepared;
  /** From now on statements are carried out one at a time, in the order given. */
  serialize(): void;
  close(done: (error: Error | null) => void): void;
}

interface Driver {
  readonly Database: new (file: string, flags: number, opened: (error: Error | null) => void) => Connection;
  readonly OPEN_READONLY: number;
  readonly OPEN_READWRITE: number;
  readonly OPEN_CREATE: number;
}

/** Opens a file, and makes it where there is none; `readOnly` does neither that nor anything else to it. */
export const connected = (file: string, mode: 'readOnly' | 'readWrite' = 'readWrite'): Promise<Connection> =>
  new Promise((done, fail) => {
    const { Database, OPEN_READONLY, OPEN_READWRITE, OPEN_CREATE } = require('sqlite3') as Driver;
    const flags = mode === 'readOnly' ? OPEN_READONLY : OPEN_READWRITE | OPEN_CREATE;
    const connection: Connection = new Database(file, flags, (error) =>
      error === null ? done(connection) : fail(error),
    );
  });

/** Closes a connection. */
export const closed = (connection: Connection): Promise<void> => new Promise((done) => connection.close(() => done()));

/** The rows of one statement. */
export const rowsOf = <Row>(
  connection: Connection,
  sql: string,
  bindings: readonly unknown[] = [],
): Promise<readonly Row[]> =>
  new Promise((done, fail) =>
    connection.all(sql, bindings, (error, rows) => (error === null ? done(rows as readonly Row[]) : fail(error))),
  );

/** Carries out statements that take and answer nothing. */
export const exec = (connection: Connection, sql: string): Promise<void> =>
  new Promise((done, fail) => connection.exec(sql, (error) => (error === null ? done() : fail(error))));

/** How every connection of the service is set up. */
export const pragmas = (more: string): string =>
  `pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;
   pragma cache_size = -16384; pragma temp_store = memory; pragma wal_autocheckpoint = 10000; ${more}`;

/** Makes a statement ready. */
export const prepare = (connection: Connection, sql: string): Promise<Prepared> =>
  new Promise((resolve, reject) => {
    const statement = connection.prepare(sql, (error) => (error === null ? resolve(statement) : reject(error)));
  });
