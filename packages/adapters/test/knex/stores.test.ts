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
// On a cluster a report takes several nodes: many at once wait longer for a connection than a service would.
const patience = process.env.TEST_DATABASE_CITUS === undefined ? {} : { waitMs: 60_000, statementMs: 60_000 };
storesContract('PostgreSQL', () => open('PostgreSQL', patience));
// A query outside the transaction, while one is held, would wait for itself here.
storesContract('SQLite with one reader', () => open('SQLite', { connections: 1 }));
