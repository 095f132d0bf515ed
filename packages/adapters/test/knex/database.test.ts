import { expect } from 'chai';
import { knexStores, migrateLater, openDatabase } from '../../src/knex/index.js';
import { expectRefused } from '../contract/expectations.js';
import { cuttableWay } from './cuttable-way.js';
import { places } from './opened.js';

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

describe('a database that is brought up to date later', () => {
  it('refuses everything until it could be reached, and is ready by itself then', async () => {
    const { url, remove } = await places.PostgreSQL();
    const way = await cuttableWay(url);
    way.cut();
    const database = migrateLater(await openDatabase({ url: way.url }), () => {});
    const stores = knexStores(database);
    await expectRefused(database.ready(), 'unavailable');
    await expectRefused(stores.users.any(), 'unavailable');
    await expectRefused(
      stores.transaction(async () => {}),
      'unavailable',
    );
    way.mend();
    const isReady = (): Promise<boolean> =>
      database.ready().then(
        () => true,
        () => false,
      );
    while (!(await isReady())) await pause(20);
    expect(await stores.users.any()).to.equal(false);
    await database.close();
    way.close();
    await remove();
  });

  it('tells once why it cannot be brought up to date although it answers, and can be closed', async () => {
    const { url, remove } = await places.PostgreSQL();
    const direct = await openDatabase({ url });
    // A table with one of our names that another program made.
    await direct.access.write('create table users (n integer)');
    const failures: unknown[] = [];
    const database = migrateLater(await openDatabase({ url }), (error) => failures.push(error));
    while (failures.length === 0) await pause(20);
    await pause(700);
    expect(failures.map(String)).to.have.lengthOf(1);
    expect(String(failures[0])).to.include('users');
    await expectRefused(knexStores(database).users.any(), 'unavailable');
    await database.close();
    await direct.close();
    await remove();
  });
});
