import { expect } from 'chai';
import {
  type DatabaseOptions,
  knexStores,
  migrate,
  openDatabase,
  type ReachedServer,
} from '../../../src/knex/index.js';
import { sampleEvent } from '../../contract/sample-event.js';
import { startPooler } from '../../postgres/pooler.js';
import { type TestDatabase, testDatabase } from '../../test-database.js';

const SETTINGS = `select current_setting('statement_timeout') as statements, current_setting('TimeZone') as zone,
  current_setting('DateStyle') as dates, current_setting('jit') as jit`;

describe('a PostgreSQL behind a pooler in transaction mode', () => {
  let direct: TestDatabase;
  let pooler: Awaited<ReturnType<typeof startPooler>>;
  let url: string;
  before(async () => {
    direct = await testDatabase({ direct: true });
    pooler = await startPooler(direct.url, 2);
    url = pooler.urlOf(direct.url);
  });
  after(async () => {
    await pooler.stop();
    await direct.drop();
  });

  const open = async (options: Omit<DatabaseOptions, 'url'> = {}) => {
    const database = await openDatabase({ url, ...options });
    return { database, stores: knexStores(database) };
  };

  it('is told apart from a server', async () => {
    const told: boolean[] = [];
    const listener = {
      lost: () => {},
      reached: ({ isPooled }: ReachedServer) => void told.push(isPooled),
      passedOver: () => {},
    };
    for (const at of [url, direct.url]) {
      const database = await openDatabase({ url: at, listener });
      await migrate(database).finally(() => database.close());
    }
    expect(told).to.deep.equal([true, false]);
  });

  it('has every statement under the settings of the service, and keeps none of them', async () => {
    const { database } = await open({ statementMs: 4000 });
    const expected = { statements: '4s', zone: 'UTC', dates: 'ISO, MDY', jit: 'off' };
    expect(await database.access.read(SETTINGS)).to.deep.equal([expected]);
    await database.access.atomically(async (inside) => {
      expect(await inside.read(SETTINGS)).to.deep.equal([expected]);
    });
    const other = await openDatabase({ url, statementMs: 3000 });
    expect(await other.access.read(SETTINGS)).to.deep.equal([{ ...expected, statements: '3s' }]);
    await other.close();
    await database.close();
  });

  it('ends a statement that takes too long, and rolls its transaction back', async () => {
    const { database, stores } = await open({ statementMs: 200 });
    const event = sampleEvent();
    const failed = await database.access
      .atomically(async (inside) => {
        await inside.publish([event]);
        await inside.read('select pg_sleep(10)');
      })
      .catch((error: { code?: unknown }) => error.code);
    expect(failed).to.equal('57014');
    expect(await database.access.read('select id from told_events where id = ?', [event.id])).to.deep.equal([]);
    expect(await stores.users.any()).to.equal(false);
    await database.close();
  });

  it('serves many more at a time than it has connections, with names for statements too', async () => {
    const { database } = await open({ connections: 20, waitMs: 60_000, statementMs: 60_000 });
    const read = (n: number) => database.access.read<{ n: number }>('select ?::integer as n', [n], 'a_kept_plan');
    const found = await Promise.all(Array.from({ length: 200 }, (_, n) => read(n)));
    expect(found.flat().map(({ n }) => n)).to.deep.equal(Array.from({ length: 200 }, (_, n) => n));
    await database.close();
  });

  for (const [how, options] of [
    ['looked for', () => ({})],
    ['heard past the pooler', () => ({ directUrl: direct.url })],
  ] as const) {
    it(`tells instances of each other's events, which are ${how}`, async () => {
      const [teller, listener] = [await open(options()), await open(options())];
      const heard: string[] = [];
      let wake = (): void => {};
      const next = (): Promise<void> =>
        new Promise((resolve) => {
          wake = resolve;
        });
      const resynced = next();
      listener.stores.feed.subscribe(
        ({ id }) => {
          heard.push(id);
          wake();
        },
        () => wake(),
      );
      await resynced;
      const events = [sampleEvent(), sampleEvent()];
      for (const event of events) {
        const told = next();
        await teller.stores.events.append([event]);
        await told;
      }
      expect(heard).to.deep.equal(events.map(({ id }) => id));
      const kept = await teller.database.access.read<{ id: string }>('select id from told_events');
      const isKept = (id: string): boolean => kept.some((row) => row.id === id);
      expect(events.map(({ id }) => isKept(id))).to.deep.equal(events.map(() => how === 'looked for'));
      await teller.database.close();
      await listener.database.close();
    });
  }
});
