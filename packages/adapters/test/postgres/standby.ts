import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort, type PostgresServer, serverFolder } from './embedded-postgres.js';

/** A server that follows another one by its stream of changes and can be read. */
export interface Standby {
  /** The same database as the url it was asked for. */
  urlOf(url: string): string;
  /** By which another standby can follow it, once it was promoted. */
  readonly source: string;
  /** Carries out a statement there, such as the one that pauses its following. */
  command(sql: string): Promise<void>;
  /** Resolves when the query finds a row there. */
  untilSeen(query: string): Promise<void>;
  /** Resolves when it receives nothing from another server any more. */
  untilAlone(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again, with what it had. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Writes a file of the server's data, which is its user's as the rest of them. */
const give = async (data: string, name: string, text: string): Promise<void> => {
  const { uid, gid } = await stat(data);
  await writeFile(join(data, name), text);
  await chown(join(data, name), uid, gid);
};

/** Copies the data of a running server the way its manual says, into a folder of the same owner. */
const copyData = async (primary: PostgresServer, data: string): Promise<void> => {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    await promisify(execFile)('cp', ['-a', primary.data, data]);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    await give(data, 'backup_label', rows[0].labelfile);
  } finally {
    await client.end();
  }
  await rm(join(data, 'postmaster.pid'));
};

/** Starts the binary the other server runs as, and resolves when it can be read. */
const run = async (primary: PostgresServer, data: string, port: number): Promise<ChildProcess> => {
  const [, binary = ''] = /^(\S+)/.exec(await readFile(join(primary.data, 'postmaster.opts'), 'utf8')) ?? [];
  const { uid, gid } = await stat(primary.data);
  const settings = ['max_connections=200', 'listen_addresses=127.0.0.1', 'fsync=off', 'wal_receiver_status_interval=1'];
  const words = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const child = spawn(binary, words, { uid, gid, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  await new Promise<void>((done, fail) => {
    child.once('exit', () => fail(new Error(`The standby ended: ${log}`)));
    child.stderr?.on('data', (text: Buffer) => {
      log = `${log}${text}`.slice(-5000);
      if (log.includes('ready to accept')) done();
    });
  });
  return child;
};

/** Carries out one statement on the database of the url. */
export const command = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
};

const sourceAt = (port: string): string => `host=127.0.0.1 port=${port} user=shipworthy password=shipworthy`;

/** Starts a real standby of the server, which streams from it. It must be stopped before that one. */
export const startStandby = async (primary: PostgresServer): Promise<Standby> => {
  const folder = await serverFolder();
  const data = join(folder, 'data');
  const port = await freePort();
  await copyData(primary, data);
  const { port: from } = new URL(primary.url);
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${sourceAt(from)}'\n`);
  await give(data, 'standby.signal', '');
  let child = await run(primary, data, port);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  const urlOf = (url: string): string => {
    const here = new URL(url);
    here.port = String(port);
    return here.href;
  };
  const until = async (query: string, found: boolean): Promise<void> => {
    const client = new pg.Client({ connectionString: urlOf(primary.url) });
    await client.connect();
    try {
      while ((await client.query(query)).rows.length > 0 !== found) await new Promise((done) => setTimeout(done, 50));
    } finally {
      await client.end();
    }
  };
  return {
    urlOf,
    source: sourceAt(String(port)),
    command: (sql) => command(urlOf(primary.url), sql),
    untilSeen: (query) => until(query, true),
    untilAlone: () => until('select pid from pg_stat_wal_receiver', false),
    kill: () => end('SIGQUIT'),
    restart: async () => {
      child = await run(primary, data, port);
    },
    stop: async () => {
      await end('SIGQUIT');
      await rm(folder, { recursive: true, force: true });
    },
  };
};
