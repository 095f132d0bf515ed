import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmdirSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Postgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { postgresQuery } from '../read-back.js';
import type { FaultProxy } from './fault-proxy.js';

/** A way in which a database is not there. */
export interface Outage {
  readonly name: string;
  /** Whether anything can succeed while it lasts. */
  readonly leaves: 'nothing' | 'something';
  /** Begins the outage; the returned function ends it. */
  begin(): Promise<() => Promise<void>>;
}

/** Repeats a piece of work until it is told to end. */
export const repeatUntilEnded = (work: () => Promise<unknown>, everyMs: number): (() => Promise<void>) => {
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      await work();
      await pause(everyMs);
    }
  })();
  return async () => {
    isOver = true;
    await running;
  };
};

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
    const end = repeatUntilEnded(() => killer.query(KILL_OTHERS), KILL_EVERY_MS);
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

/** Locks all tables. Begins again after a deadlock with a writer that holds one of the tables and wants the next. */
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

/** The outages of a database behind a proxy. */
export const outagesOf = (postgres: Postgres, url: string, proxy: FaultProxy): readonly Outage[] => [
  connectionsKilled(url),
  blackHole(proxy),
  locked(url),
  forgotten(proxy),
  stopped(postgres),
  restarted(postgres),
  frozen(postgres),
];

const PREFIX = 'shipworthy-disk-';
const SIZE = '96m';

const unmount = (folder: string): void => {
  spawnSync('umount', ['--lazy', folder], { stdio: 'ignore' });
  rmdirSync(folder);
};

/** A small disk in memory, or null where the user may not mount one. */
const smallDisk = (workshop: Workshop): string | null => {
  // Unmounts the disks that killed runs left behind.
  for (const name of readdirSync(tmpdir())) if (name.startsWith(PREFIX)) unmount(join(tmpdir(), name));
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], { stdio: 'ignore' });
  if (status !== 0) {
    rmdirSync(folder);
    return null;
  }
  workshop.atClose(async () => unmount(folder));
  return folder;
};

/** Gives the folder to the user PostgreSQL runs as, who need not be this one. */
const giveToPostgres = async (url: string, folder: string): Promise<void> => {
  const [data] = await postgresQuery(url)('show data_directory');
  const { uid, gid } = statSync(String(data?.data_directory));
  chownSync(folder, uid, gid);
};

const statements = async (url: string, ...texts: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
};

/** A trigger function that fails for every new row as PostgreSQL does on a full disk. */
const REFUSE = `
  create function no_room() returns trigger language plpgsql as
  $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`;

const pretended = (url: string): Outage => ({
  name: 'told by PostgreSQL that the disk is full',
  leaves: 'something',
  begin: async () => {
    await statements(url, REFUSE, 'create trigger no_room before insert on deployments execute function no_room()');
    return () => statements(url, 'drop trigger no_room on deployments', 'drop function no_room()');
  },
});

/**
 * A full disk: the tables of deployments and their keys are put onto a small disk, which is then filled up. Where no disk
 * can be mounted, PostgreSQL is made to say what it says on a full one.
 */
export const fullDisk = async (workshop: Workshop, url: string): Promise<Outage> => {
  const folder = smallDisk(workshop);
  if (folder === null) return pretended(url);
  await giveToPostgres(url, folder);
  await statements(
    url,
    `create tablespace small location '${folder}'`,
    'alter table deployments set tablespace small',
    'alter table idempotency set tablespace small',
    'alter index deployments_newest set tablespace small',
  );
  const ballast = join(folder, 'ballast');
  return {
    name: 'with a full disk below its tables',
    leaves: 'something',
    begin: async () => {
      const { bsize, bavail } = statfsSync(folder);
      writeFileSync(ballast, Buffer.alloc(bsize * bavail));
      return () => rm(ballast);
    },
  };
};
