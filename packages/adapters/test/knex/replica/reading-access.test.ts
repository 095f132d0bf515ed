import { expect } from 'chai';
import { openDatabase } from '../../../src/knex/database.js';
import { knexReplica, knexStores } from '../../../src/knex/stores.js';
import { storesContract } from '../../contract/index.js';
import type { OpenStores } from '../../contract/open-stores.js';
import { type FollowedServer, startFollowed } from '../../postgres/followed.js';

describe('the stores that read on a replica', () => {
  let server: FollowedServer | undefined;
  let databases = 0;
  let readThere = 0;
  let readHere = 0;

  /** What one instance stores on the primary is read back by another one on the replica. */
  const open = async (): Promise<OpenStores> => {
    server ??= await startFollowed();
    databases += 1;
    const where = await server.database(`contract_${databases}`);
    const database = await openDatabase({ url: where.url });
    const second = await openDatabase(where);
    const replica = knexReplica(second);
    if (replica === null) throw new Error('no replica');
    replica.watch({
      read: (how) => {
        if (how === 'replica') readThere += 1;
        else readHere += 1;
      },
      changed: () => {},
    });
    return {
      stores: knexStores(database),
      again: { ...replica.stores, feed: second.feed },
      close: async () => {
        await second.close();
        await database.close();
      },
    };
  };

  storesContract('PostgreSQL, read back on its replica by another instance,', open);

  after(async () => {
    await server?.stop();
    expect(readThere, `and ${readHere} on the primary`).to.be.above(0);
  });
});
