import { expect } from 'chai';
import { openDatabase } from '../../../src/knex/index.js';
import { postgresFeed } from '../../../src/knex/postgres/feed.js';
import { addressOf, PatientClient, reachServer } from '../../../src/knex/postgres/reach.js';
import { sampleEvent } from '../../contract/sample-event.js';
import { withNew } from '../opened.js';

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const KILL_LISTENERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and query = 'listen shipworthy_events'`;

describe('the feed of a PostgreSQL database', () => {
  it('goes on by itself when its connection is killed, and says when it may have missed something', () =>
    withNew('PostgreSQL past a pooler', async ({ database, stores }) => {
      const heard = new Set<string>();
      let gaps = 0;
      const missed = (): void => {
        gaps += 1;
      };
      stores.feed.subscribe(({ id }) => heard.add(id), missed);
      const told = async (): Promise<void> => {
        for (;;) {
          const event = sampleEvent();
          await stores.events.append([event]);
          await pause(20);
          if (heard.has(event.id)) return;
        }
      };
      await told();
      expect(gaps, 'until it listened').to.equal(1);
      const killed = await database.access.read(KILL_LISTENERS);
      expect(killed).to.have.lengthOf(1);
      await told();
      expect(gaps, 'until it listened again').to.equal(2);
    }));

  it('has no connection without listeners, and closes with the database', () =>
    withNew('PostgreSQL past a pooler', async ({ url, database }) => {
      const second = await openDatabase({ url });
      const listeners = async () => {
        const text = `select count(*) as n from pg_stat_activity where datname = current_database() and query like 'listen %'`;
        return (await database.access.read<{ n: number }>(text))[0]?.n;
      };
      const until = async (count: number): Promise<void> => {
        while ((await listeners()) !== count) await pause(10);
      };
      expect(await listeners()).to.equal(0);
      const ends = [second.feed.subscribe(() => {}), second.feed.subscribe(() => {})];
      await until(1);
      for (const end of ends) end();
      await until(0);
      second.feed.subscribe(() => {});
      await until(1);
      await second.close();
      await until(0);
    }));

  it('keeps no connection for a listener that left before it was made', () =>
    withNew('PostgreSQL past a pooler', async ({ url, database }) => {
      const second = await openDatabase({ url });
      for (let round = 0; round < 5; round += 1) {
        second.feed.subscribe(() => {})();
        await pause(50);
      }
      await second.close();
      const text = `select count(*) as n from pg_stat_activity where datname = current_database() and query like 'listen %'`;
      while ((await database.access.read<{ n: number }>(text))[0]?.n !== 0) await pause(10);
    }));

  it('holds nothing of its tries while the database cannot be reached', async () => {
    const warnings: Error[] = [];
    const keep = (warning: Error): void => void warnings.push(warning);
    process.on('warning', keep);
    let tries = 0;
    const manyTries = new Promise<void>((resolve) => {
      const { feed, close } = postgresFeed({
        connect: () => {
          tries += 1;
          if (tries === 15) void close().then(resolve);
          return reachServer(
            addressOf('postgres://127.0.0.1:1/x'),
            (connectionString) => new PatientClient({ connectionString, connectMs: 10_000 }),
          );
        },
        startLooking: () => async () => [],
        pauses: [0],
      });
      feed.subscribe(() => {});
    });
    await manyTries.finally(() => process.off('warning', keep));
    // Node warns when more than ten wait for the same signal.
    expect(warnings).to.deep.equal([]);
  });
});
