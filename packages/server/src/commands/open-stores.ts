import { dirname } from 'node:path';
import {
  type Database,
  knexReplica,
  knexStores,
  makePrivateFolder,
  migrate,
  migrateLater,
  openDatabase,
  type ReadReplica,
} from '@shipworthy/adapters/knex';
import { DomainError, type StoresWithFeed } from '@shipworthy/domain';
import type { DatabaseConfig } from '../settings/database.js';

/** Opens the configured database; the folder of a SQLite file is made when it is missing. */
export const openConfigured = async (config: DatabaseConfig): Promise<Database> => {
  if (config.kind === 'postgres') {
    const { url, readUrl } = config;
    return openDatabase({ url, ...(readUrl === null ? {} : { readUrl }) });
  }
  await makePrivateFolder(dirname(config.file));
  return openDatabase({ url: `sqlite:${config.file}` });
};

/** A database with its stores. */
export interface OpenedStores {
  readonly database: Database;
  readonly stores: StoresWithFeed;
  /** null: none is configured. */
  readonly replica: ReadReplica | null;
}

const isAway = (error: unknown): boolean => error instanceof DomainError && error.code === 'unavailable';

/**
 * Opens the configured database and brings its schema up to date; several instances may start at once. A PostgreSQL that
 * cannot be reached yet is no reason not to start: it is brought up to date as soon as it answers, and until then
 * readiness says no and everything is refused as `unavailable`.
 * @param complain hears why it cannot be brought up to date although it answers
 */
export const openStores = async (config: DatabaseConfig, complain: (words: string) => void): Promise<OpenedStores> => {
  const database = await openConfigured(config);
  const opened = (of: Database): OpenedStores => ({
    database: of,
    stores: knexStores(of),
    replica: knexReplica(of),
  });
  try {
    await migrate(database);
    return opened(database);
  } catch (error) {
    if (database.kind === 'postgres' && isAway(error))
      return opened(
        migrateLater(database, (why) => complain(`The schema could not be brought up to date: ${String(why)}`)),
      );
    await database.close();
    throw error;
  }
};
