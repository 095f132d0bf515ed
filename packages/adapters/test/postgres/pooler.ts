import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort, serverFolder } from './embedded-postgres.js';

/** Where Debian's package puts it. */
const PGBOUNCER = '/usr/sbin/pgbouncer';
/** The id of the system user without rights: PgBouncer refuses to run as root. */
const WITHOUT_RIGHTS = 65_534;

/** A PgBouncer in front of a server. */
interface Pooler {
  /** The same database as that of the server, through the pooler. */
  urlOf(url: string): string;
  stop(): Promise<void>;
}

/** Whether this machine has a PgBouncer. */
export const hasPooler = (): boolean => existsSync(PGBOUNCER);

/** Starts a PgBouncer in transaction mode, with so many connections to each database of the server of the url. */
export const startPooler = async (url: string, poolSize: number): Promise<Pooler> => {
  const { hostname, port: serverPort, username, password } = new URL(url);
  const folder = await serverFolder();
  const port = await freePort();
  const users = join(folder, 'users.txt');
  // Where a start of any server looks for those whose starter was killed.
  const pidFolder = join(folder, 'data');
  await mkdir(pidFolder);
  await chmod(pidFolder, 0o777);
  await writeFile(users, `"${username}" "${password}"\n`);
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pidfile: join(pidFolder, 'postmaster.pid'),
    pool_mode: 'transaction',
    default_pool_size: poolSize,
    max_client_conn: 1000,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]\n* = host=${hostname} port=${serverPort || 5432}\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  const user = userInfo().uid === 0 ? { uid: WITHOUT_RIGHTS, gid: WITHOUT_RIGHTS } : {};
  const child = spawn(PGBOUNCER, [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  await new Promise<void>((done, fail) => {
    child.once('error', fail);
    child.once('exit', () => fail(new Error(`PgBouncer ended: ${log}`)));
    child.stderr.on('data', (text: Buffer) => {
      log = `${log}${text}`.slice(-5000);
      if (log.includes('process up')) done();
    });
  });
  return {
    urlOf: (direct) => {
      const through = new URL(direct);
      through.hostname = '127.0.0.1';
      through.port = String(port);
      return through.href;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
