import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knexStores, openDatabase } from '@shipworthy/adapters/knex';
import { memoryStores } from '@shipworthy/adapters/memory';
import { testDatabase, writeMigratedFile } from '@shipworthy/adapters/test-database';
import type { StoresWithFeed } from '@shipworthy/domain';

/** Stores for a service, empty at first. */
export interface StoresToServe {
  readonly stores: StoresWithFeed;
  close(): Promise<void>;
}
export type OpenStores = () => Promise<StoresToServe>;

export const inMemory: OpenStores = async () => ({ stores: memoryStores(), close: async () => {} });

/** A SQLite file of its own. */
export const inSqlite: OpenStores = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shipworthy-server-'));
  const path = join(folder, 'service.db');
  await writeMigratedFile(path);
  const database = await openDatabase({ url: `sqlite:${path}` });
  return {
    stores: knexStores(database),
    close: async () => {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** A database of its own on a real PostgreSQL. */
export const inPostgres: OpenStores = async () => {
  const { url, drop } = await testDatabase();
  const database = await openDatabase({ url });
  return {
    stores: knexStores(database),
    close: async () => {
      await database.close();
      await drop();
    },
  };
};

/** A suite that runs in memory, on SQLite and on PostgreSQL. */
export const onEveryDatabase = (title: string, suite: (open: OpenStores) => void): void => {
  onEveryStore(title, suite);
  describe(`${title}, on PostgreSQL`, () => suite(inPostgres));
};

/** A suite that runs in memory and again on SQLite. */
export const onEveryStore = (title: string, suite: (open: OpenStores) => void): void => {
  describe(`${title}, in memory`, () => suite(inMemory));
  describe(`${title}, on SQLite`, () => suite(inSqlite));
};
