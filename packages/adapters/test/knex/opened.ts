import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoresWithFeed } from '@shipworthy/domain';
import { type Database, type DatabaseOptions, knexStores, openDatabase } from '../../src/knex/index.js';
import { testDatabase, writeMigratedFile } from '../test-database.js';

/** A place for data of one suite's own, on either database. */
export interface Place {
  readonly url: string;
  remove(): Promise<void>;
}

const newFile = async (): Promise<Place & { readonly path: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'shipworthy-'));
  const path = join(folder, 'data.db');
  return { path, url: `sqlite:${path}`, remove: () => rm(folder, { recursive: true }) };
};

const newDatabase = async (options: { readonly empty: boolean; readonly direct?: boolean }): Promise<Place> => {
  const { url, drop } = await testDatabase(options);
  return { url, remove: drop };
};

/** A place that was never used. */
export const places: Readonly<Record<'SQLite' | 'PostgreSQL' | 'PostgreSQL past a pooler', () => Promise<Place>>> = {
  SQLite: newFile,
  PostgreSQL: () => newDatabase({ empty: true }),
  'PostgreSQL past a pooler': () => newDatabase({ empty: true, direct: true }),
};

/** A place that has the whole schema and no rows. */
const migratedPlaces: typeof places = {
  SQLite: async () => {
    const file = await newFile();
    await writeMigratedFile(file.path);
    return file;
  },
  PostgreSQL: () => newDatabase({ empty: false }),
  'PostgreSQL past a pooler': () => newDatabase({ empty: false, direct: true }),
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
  const { url, remove } = await migratedPlaces[kind]();
  const database = await openDatabase({ url, ...options });
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
