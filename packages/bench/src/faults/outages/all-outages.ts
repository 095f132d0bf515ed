import pg from 'pg';
import type { Postgres } from '../../process/postgres.js';
import type { FaultProxy } from '../proxy/fault-proxy.js';
import { type Outage, repeating } from './outage.js';

const KILL_OTHERS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
const TABLES = 'deployments, test_runs, checklist_items, release_marks, idempotency';
const KILL_EVERY_MS = 100;
const DEADLOCK = '40P01';

const stopped = (postgres: Postgres): Outage => ({
  name: 'stopped',
  leaves: 'nothing',
  begin: async () => {
    await postgres.stop();
    return () => postgres.start();
  },
});

const restarted = (postgres: Postgres): Outage => ({
  name: 'restarted',
  leaves: 'something',
  begin: async () => {
    await postgres.stop();
    await postgres.start();
    return async () => {};
  },
});

const connectionsKilled = (url: string): Outage => ({
  name: 'its connections killed, again and again',
  leaves: 'something',
  begin: async () => {
    const killer = new pg.Client({ connectionString: url });
    await killer.connect();
    const end = repeating(() => killer.query(KILL_OTHERS), KILL_EVERY_MS);
    return async () => {
      await end();
      await killer.end();
    };
  },
});

const blackHole = (proxy: FaultProxy): Outage => ({
  name: 'unreachable without a reset',
  leaves: 'nothing',
  begin: async () => {
    proxy.setWeather({ kind: 'black hole' });
    return async () => proxy.setWeather({ kind: 'clear' });
  },
});

const forgotten = (proxy: FaultProxy): Outage => ({
  name: 'its connections forgotten on the way',
  leaves: 'something',
  begin: async () => {
    proxy.forgetAll();
    return async () => {};
  },
});

const frozen = (postgres: Postgres): Outage => ({
  name: 'frozen (SIGSTOP)',
  leaves: 'nothing',
  begin: async () => {
    const processes = postgres.processes();
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    return async () => {
      for (const pid of processes) process.kill(pid, 'SIGCONT');
    };
  },
});

/** Writers that hold one of the tables may want the next: who asks for all of them must be ready to begin again. */
const lockAll = async (holder: pg.Client): Promise<void> => {
  for (;;) {
    try {
      await holder.query(`begin; lock table ${TABLES}`);
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== DEADLOCK) throw error;
      await holder.query('rollback');
    }
  }
};

const locked = (url: string): Outage => ({
  name: 'tables locked, so that the pool is exhausted',
  leaves: 'something',
  begin: async () => {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await lockAll(holder).catch(async (error: unknown) => {
      await holder.end();
      throw error;
    });
    return () => holder.end();
  },
});

/** What can happen to a database that is reached by a proxy. */
export const outagesOf = (postgres: Postgres, url: string, proxy: FaultProxy): readonly Outage[] => [
  connectionsKilled(url),
  blackHole(proxy),
  locked(url),
  forgotten(proxy),
  stopped(postgres),
  restarted(postgres),
  frozen(postgres),
];
