import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storesContract } from '@shipworthy/adapters/contract';
import { type DatabaseOptions, knexStores, migrate, openDatabase } from '@shipworthy/adapters/knex';
import { testDatabase } from '../postgres/test-database.js';

const opened = async (options: DatabaseOptions, remove: () => Promise<void>) => {
  const database = await openDatabase(options);
  await migrate(database);
  const second = await openDatabase(options);
  return {
    stores: knexStores(database),
    again: knexStores(second),
    close: async () => {
      await database.close();
      await second.close();
      await remove();
    },
  };
};

const openFile = async (connections?: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'shipworthy-'));
  const url = `sqlite:${join(folder, 'data.db')}`;
  return opened({ url, ...(connections !== undefined && { connections }) }, () => rm(folder, { recursive: true }));
};

const openPostgres = async (connections?: number) => {
  const { url, drop } = await testDatabase();
  return opened({ url, ...(connections !== undefined && { connections }) }, drop);
};

storesContract('SQLite', () => openFile());
storesContract('PostgreSQL', () => openPostgres());
// A query outside the transaction, while one is held, would wait for itself here.
storesContract('SQLite with one reader', () => openFile(1));
storesContract('PostgreSQL with one connection', () => openPostgres(1));
