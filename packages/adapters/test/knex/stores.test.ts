import { type DatabaseOptions, knexStores, openDatabase } from '../../src/knex/index.js';
import { storesContract } from '../contract/index.js';
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

storesContract('SQLite', () => open('SQLite', {}));
storesContract('PostgreSQL', () => open('PostgreSQL', {}));
// A query outside the transaction, while one is held, would wait for itself here.
storesContract('SQLite with one reader', () => open('SQLite', { connections: 1 }));
