import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { knexStores, openDatabase } from '../../src/knex/index.js';
import { expectRefused } from '../contract/expectations.js';
import { sampleUser } from '../contract/sample-access.js';
import { NOON, sampleId } from '../contract/sample-records.js';
import { cuttableWay } from './cuttable-way.js';
import { openNew, withNew } from './opened.js';

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

const KILL_OTHERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** Long enough that the server's own limit ends no statement here. */
const NO_LIMIT = { statementMs: 600_000 };

const command = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
};

describe('connections to PostgreSQL', () => {
  it('that were killed are not given to the next statement', () =>
    withNew('PostgreSQL', async ({ url, stores }) => {
      await Promise.all(Array.from({ length: 5 }, () => stores.users.any()));
      await command(url, KILL_OTHERS);
      await pause(50);
      for (let times = 0; times < 10; times += 1) expect(await stores.users.any()).to.equal(false);
    }));

  it('that are killed during a transaction fail only that transaction, as unavailable', () =>
    withNew('PostgreSQL', async ({ url, stores }) => {
      const user = sampleUser();
      const work = stores.transaction(async (inside) => {
        await inside.users.create(user, 'hash');
        await command(url, KILL_OTHERS);
        await inside.users.any();
      });
      await expectRefused(work, 'unavailable');
      expect(await stores.users.byId(user.id)).to.equal(undefined);
    }));

  it('that were left inside a transaction are not given to the next statement', () =>
    withNew(
      'PostgreSQL',
      async ({ url, database, stores }) => {
        await database.access.write('begin');
        await stores.signIns.attempt({ id: sampleId(), account: 'ada', address: '::1', at: NOON });
        const second = await openDatabase({ url });
        expect(await second.access.read('select account from sign_in_attempts')).to.deep.equal([{ account: 'ada' }]);
        await second.close();
      },
      { connections: 1 },
    ));

  it('give up a statement that takes too long, and are used again', () =>
    withNew('PostgreSQL', async ({ url }) => {
      const database = await openDatabase({ url, statementMs: 1000, connections: 2 });
      const stores = knexStores(database);
      const slow = stores.transaction(async () => {
        await database.access.write('select pg_sleep(600)');
      });
      await expectRefused(slow, 'unavailable');
      expect(await stores.users.any()).to.equal(false);
      await database.close();
    }));

  it('that cannot be made are unavailable', async () => {
    const database = await openDatabase({ url: 'postgres://nobody@127.0.0.1:9/nothing' });
    await expectRefused(knexStores(database).users.any(), 'unavailable');
    await expectRefused(database.ready(), 'unavailable');
    await database.close();
  });

  it('read values by parsers of their own', () =>
    withNew('PostgreSQL', async ({ database: { access } }) => {
      const [row] = await access.read(`select count(*) as n, 12.5::numeric as d, '[1]'::json as j from users`);
      expect(row).to.deep.equal({ n: 0, d: 12.5, j: '[1]' });
      expect(pg.types.getTypeParser(pg.types.builtins.INT8)('1')).to.equal('1');
    }));
});

describe('connections to a SQLite file', () => {
  it('are waited for while the one writer is busy for longer than a silent server would be waited for', () =>
    withNew('SQLite', async ({ stores }) => {
      const [user, other] = [sampleUser(), sampleUser()];
      const slow = stores.transaction(async (inside) => {
        await inside.users.create(user, 'hash');
        await pause(3000);
      });
      const behind = stores.users.create(other, 'hash');
      await Promise.all([slow, behind]);
      expect(await stores.users.byId(other.id)).to.deep.equal(other);
    }));
});

describe('a way to PostgreSQL that is cut without a word', () => {
  it('is noticed soon, and used again soon after it is mended', async () => {
    const { url, close } = await openNew('PostgreSQL past a pooler');
    const way = await cuttableWay(url);
    const database = await openDatabase({ url: way.url });
    const stores = knexStores(database);
    await Promise.all(Array.from({ length: 3 }, () => stores.users.any()));
    way.cut();
    await Promise.all(Array.from({ length: 20 }, () => expectRefused(stores.users.any(), 'unavailable')));
    // About 2.5 seconds when nothing else keeps the machine busy; without a watch it would be longer than a test may take.
    for (let times = 0; times < 100; times += 1) await expectRefused(stores.users.any(), 'unavailable');
    // Calls fail at once while the server is known to be away: one after the other they would wait for minutes.
    way.mend();
    while (await stores.users.any().catch(() => true));
    await database.close();
    way.close();
    await close();
  });

  it('is left when it was forgotten for the connections of before alone', async () => {
    const { url, close } = await openNew('PostgreSQL past a pooler');
    const way = await cuttableWay(url);
    const database = await openDatabase({ url: way.url });
    const stores = knexStores(database);
    await Promise.all(Array.from({ length: 5 }, () => database.access.read('select pg_sleep(0.1)')));
    way.forget();
    await expectRefused(stores.users.any(), 'unavailable');
    // The other four are not even tried.
    for (let times = 0; times < 5; times += 1) expect(await stores.users.any()).to.equal(false);
    await database.close();
    way.close();
    await close();
  });

  it('is not suspected by a process that was too busy to read what had come', async () => {
    const { url, close } = await openNew('PostgreSQL past a pooler');
    const database = await openDatabase({ url });
    const busy = async (): Promise<void> => {
      // Timers come next after these: before anything is read.
      await setImmediate();
      for (const end = performance.now() + 3000; performance.now() < end; );
    };
    const ask = () => Promise.all(Array.from({ length: 20 }, () => database.access.read('select 1 as one')));
    const onNewConnections = ask();
    await busy();
    expect(await onNewConnections).to.have.lengthOf(20);
    const onOldOnes = ask();
    await busy();
    expect(await onOldOnes).to.have.lengthOf(20);
    await database.close();
    await close();
  });

  it('is not suspected because of a statement that takes long', () =>
    withNew('PostgreSQL past a pooler', async ({ database }) => {
      const [slow] = await database.access.read<{ done: number }>('select 1 as done, pg_sleep(2.5)');
      expect(slow?.done).to.equal(1);
    }));

  it('gives up a wait for a lock that another connection holds', () =>
    withNew(
      'PostgreSQL past a pooler',
      async ({ url, stores }) => {
        const holder = new pg.Client({ connectionString: url });
        await holder.connect();
        await holder.query('begin; lock table users');
        await Promise.all(Array.from({ length: 3 }, () => expectRefused(stores.users.any(), 'unavailable')));
        await holder.end();
        expect(await stores.users.any()).to.equal(false);
      },
      NO_LIMIT,
    ));

  it('lets everybody wait for their turn among ours', () =>
    withNew('PostgreSQL past a pooler', async ({ database, stores }) => {
      const user = sampleUser();
      let read: Promise<boolean> | undefined;
      await database.access.atomically(async (inside) => {
        await inside.write('lock table users');
        read = stores.users.any();
        await pause(2000);
      });
      expect(await read).to.equal(false);
      await stores.users.create(user, 'hash');
      expect(await stores.users.any()).to.equal(true);
    }));
});
