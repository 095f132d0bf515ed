import { type DatabaseOptions, knexStores, openDatabase, partitionTables } from '../../src/knex/index.js';
import { storesContract } from '../contract/index.js';
import { DAY, NOON } from '../contract/sample-records.js';
import { openNew, type places } from './opened.js';

const open = async (kind: keyof typeof places, options: Omit<DatabaseOptions, 'url'>) => {
  const { url, stores, close } = await openNew(kind, options);
  const second = await openDatabase({ url, ...options });
  return {
    stores,
    again: knexStores(second),
    close: async () => {
      await second.close();
      await close();
    },
  };
};

/** Partitioned so early that the samples fall into a month of their own. */
const openParted = async (options: Omit<DatabaseOptions, 'url'>) => {
  const { url, database, close: remove } = await openNew('PostgreSQL');
  await partitionTables(database, NOON - 100 * DAY);
  const [first, second] = [await openDatabase({ url, ...options }), await openDatabase({ url, ...options })];
  const close = async (): Promise<void> => {
    await first.close();
    await second.close();
    await remove();
  };
  return { stores: knexStores(first), again: knexStores(second), close };
};

storesContract('SQLite', () => open('SQLite', {}));
storesContract('PostgreSQL', () => open('PostgreSQL', {}));
// A query outside the transaction, while one is held, would wait for itself here.
storesContract('SQLite with one reader', () => open('SQLite', { connections: 1 }));
storesContract('PostgreSQL in partitions, with one connection', () => openParted({ connections: 1 }), {
  keepsByMonth: true,
});
