import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Database, knexStores, migrate, openDatabase } from '@shipworthy/adapters/knex';
import type { Stores } from '@shipworthy/domain';
import type { DatabaseConfig } from '../config.js';

/** Opens the configured database; the folder of a SQLite file is made when it is missing. */
export const openConfigured = async (config: DatabaseConfig): Promise<Database> => {
  if (config.kind === 'postgres') return openDatabase({ url: config.url });
  await mkdir(dirname(config.file), { recursive: true, mode: 0o700 });
  return openDatabase({ url: `sqlite:${config.file}` });
};

/** A database with its stores. */
export interface OpenedStores {
  readonly database: Database;
  readonly stores: Stores;
}

/** Opens the configured database; a SQLite file gets its schema, while PostgreSQL is migrated by the command `migrate`. */
export const openStores = async (config: DatabaseConfig): Promise<OpenedStores> => {
  const database = await openConfigured(config);
  try {
    if (database.kind === 'sqlite') await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return { database, stores: knexStores(database) };
};
