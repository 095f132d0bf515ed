import { knexStores, openDatabase, partitionTables } from '../../../src/knex/index.js';
import { storesContract } from '../../contract/index.js';
import { DAY, NOON } from '../../contract/sample-records.js';
import { openNew } from '../opened.js';

/** Each bundle has one connection: a query outside the transaction, while one is held, would wait for itself. */
const ONE = { connections: 1 };

/** Partitioned so early that the samples fall into a month of their own. */
const openParted = async () => {
  const { url, database, close: remove } = await openNew('PostgreSQL');
  await partitionTables(database, NOON - 100 * DAY);
  const [first, second] = [await openDatabase({ url, ...ONE }), await openDatabase({ url, ...ONE })];
  const close = async (): Promise<void> => {
    await first.close();
    await second.close();
    await remove();
  };
  return { stores: knexStores(first), again: knexStores(second), close };
};

storesContract('PostgreSQL in partitions, with one connection', openParted, { keepsByMonth: true });
