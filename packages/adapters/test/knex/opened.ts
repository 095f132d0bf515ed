import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoresWithFeed } from '@shipworthy/domain';
import { type Database, type DatabaseOptions, knexStores, migrate, openDatabase } from '../../src/knex/index.js';
import { testDatabase } from '../postgres/test-database.js';

/** A place for data of one suite's own, on either database. */
export interface Place {
  readonly url: string;
  remove(): Promise<void>;
}

/** A place that was never used. */
export const places: Readonly<Record<'SQLite' | 'PostgreSQL', () => Promise<Place>>> = {
  SQLite: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shipworthy-'));
    return { url: `sqlite:${join(folder, 'data.db')}`, remove: () => rm(folder, { recursive: true }) };
  },
  PostgreSQL: async () => {
    const { url, drop } = await testDatabase({ empty: true });
    return { url, remove: drop };
  },
};

/** An open database with its stores. */
export interface Opened {
  readonly url: string;
  readonly database: Database;
  readonly stores: StoresWithFeed;
  close(): Promise<void>;
}

/** Opens a database at a new place, its schema up to date; what is there goes away when it is closed. */
export const openNew = async (
  kind: keyof typeof places,
  options: Omit<DatabaseOptions, 'url'> = {},
): Promise<Opened> => {
  const { url, remove } = await places[kind]();
  const database = await openDatabase({ url, ...options });
  await migrate(database);
  const close = async (): Promise<void> => {
    await database.close();
    await remove();
  };
  return { url, database, stores: knexStores(database), close };
};

/** Runs the work on a newly opened database and closes that. */
export const withNew = async (
  kind: keyof typeof places,
  work: (opened: Opened) => Promise<void>,
  options: Omit<DatabaseOptions, 'url'> = {},
): Promise<void> => {
  const opened = await openNew(kind, options);
  await work(opened).finally(opened.close);
};
