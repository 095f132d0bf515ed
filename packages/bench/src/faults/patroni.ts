import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { endBy, freePort } from '../process/child.js';
import type { Workshop } from '../process/workshop.js';
import { type FaultProxy, openFaultProxy } from './fault-proxy.js';

/** The description of a member, as operators copy it. */
const MEMBER = fileURLToPath(new URL('../../../../../deploy/patroni/member.yaml', import.meta.url));
const BIN = '/usr/lib/postgresql/15/bin';
const HOST = '127.0.0.1';
const PASSWORD = 'bench';
const MEMBERS = 3;
const ASK_EVERY_MS = 50;
const PATIENCE_MS = 120_000;
const LAST_WORDS = 3_000;

/** A member of the cluster: a Patroni with its PostgreSQL. */
export interface ClusterMember {
  readonly name: string;
  readonly port: number;
  /** Ends both at once, as the loss of their machine would. */
  kill(): Promise<void>;
  /** Starts them again with what they had. */
  start(): void;
  /** Cuts them off from the other members and from etcd, not from clients. */
  cut(): void;
  mend(): void;
}

/** A PostgreSQL of three members, one of them a synchronous standby. */
export interface Cluster {
  readonly members: readonly ClusterMember[];
  /** The connection string of a database over all members. */
  url(database: string): string;
  /** The same at the primary. */
  urlOfPrimary(database: string): Promise<string>;
  createDatabase(name: string): Promise<void>;
  /** The member that says it is the primary; of two, one that is not `other`. */
  primary(other?: ClusterMember): Promise<ClusterMember>;
  /** Waits until every member runs and a standby is synchronous. */
  whole(): Promise<void>;
  /** Hands the primary's place to the synchronous standby. */
  switchOver(): Promise<void>;
}

const NEEDED = ['/usr/bin/patroni', '/usr/bin/etcd', join(BIN, 'postgres')];

/** What `cluster` of the interface of each member answers. */
interface Told {
  readonly members: readonly { readonly name: string; readonly role: string; readonly state: string }[];
}

const asked = async (port: number, path: string): Promise<Response | null> =>
  fetch(`http://${HOST}:${port}${path}`, { signal: AbortSignal.timeout(1_000) }).catch(() => null);

const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  for (const deadline = performance.now() + PATIENCE_MS; !(await isSo()); await pause(ASK_EVERY_MS))
    if (performance.now() > deadline) throw new Error(`${what}: not within ${PATIENCE_MS / 1_000} s.`);
};

/** Who PostgreSQL and Patroni run as when we are root: it refuses to run as that. */
const owner = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const number = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: number('-u'), gid: number('-g') };
};

/** A folder of the workshop that PostgreSQL's user may write. */
const folderIn = (workshop: Workshop, name: string, { uid, gid }: ReturnType<typeof owner>): string => {
  const folder = workshop.path(name);
  mkdirSync(folder, { mode: 0o700 });
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
};

const startEtcd = async (workshop: Workshop): Promise<number> => {
  const [port, peers] = [await freePort(), await freePort()];
  const address = `http://${HOST}:${port}`;
  const args = ['--data-dir', workshop.path('etcd'), '--listen-client-urls', address];
  args.push('--advertise-client-urls', address, '--listen-peer-urls', `http://${HOST}:${peers}`);
  args.push('--initial-advertise-peer-urls', `http://${HOST}:${peers}`);
  args.push('--initial-cluster', `default=http://${HOST}:${peers}`, '--unsafe-no-fsync');
  workshop.keep(spawn('/usr/bin/etcd', args, { stdio: 'ignore' }));
  await until('etcd', async () => (await asked(port, '/health'))?.ok === true);
  return port;
};

/** A member with what is needed to look at it. */
interface OwnMember extends ClusterMember {
  readonly restPort: number;
  /** The end of what Patroni and PostgreSQL wrote. */
  lastWords(): string;
}

const prepareMember = async (workshop: Workshop, name: string, etcdPort: number): Promise<OwnMember> => {
  const user = owner();
  const [port, restPort] = [await freePort(), await freePort()];
  const ways: readonly FaultProxy[] = [
    await openFaultProxy(workshop, port),
    await openFaultProxy(workshop, restPort),
    await openFaultProxy(workshop, etcdPort),
  ];
  const [toPostgres, toRest, toEtcd] = ways.map((way) => way.port);
  const folder = folderIn(workshop, name, user);
  const data = join(folder, 'data');
  const values: Readonly<Record<string, string | number | undefined>> = {
    name,
    host: HOST,
    rest_port: restPort,
    rest_address_port: toRest,
    // Without use_proxies it would ask etcd for its address, and go past the way that is cut.
    etcd: `{hosts: '${HOST}:${toEtcd}', use_proxies: true}`,
    port,
    address_port: toPostgres,
    data,
    bin: BIN,
    passfile: join(folder, 'passfile'),
    password: PASSWORD,
  };
  const file = join(folder, 'member.yaml');
  writeFileSync(
    file,
    readFileSync(MEMBER, 'utf8').replaceAll(/\$\{(\w+)\}/g, (_, key: string) => {
      if (values[key] === undefined) throw new Error(`${MEMBER} names ${key}, which no member has.`);
      return String(values[key]);
    }),
  );
  if (user.uid !== undefined && user.gid !== undefined) chownSync(file, user.uid, user.gid);
  const logPath = workshop.path(`${name}.log`);
  const log = openSync(logPath, 'a');
  let patroni: ChildProcess | undefined;
  const postgres = (): number => {
    const path = join(data, 'postmaster.pid');
    return existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : Number.NaN;
  };
  const end = (pid: number): void => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
  const kill = async (): Promise<void> => {
    const ended = patroni === undefined ? Promise.resolve(null) : endBy(patroni, 'SIGKILL');
    const pid = postgres();
    if (Number.isInteger(pid)) end(pid);
    await ended;
  };
  workshop.atClose(kill);
  return {
    name,
    port,
    restPort,
    lastWords: () => {
      const lines = readFileSync(logPath, 'utf8').split('\n');
      return `${name}: ${lines
        .filter((line) => !line.includes('no action'))
        .join('\n')
        .slice(-LAST_WORDS)}`;
    },
    kill,
    start: () => {
      patroni = spawn('/usr/bin/patroni', [file], { ...user, cwd: folder, stdio: ['ignore', log, log] });
      workshop.keep(patroni);
    },
    cut: () => {
      for (const way of ways) way.setWeather({ kind: 'black hole' });
    },
    mend: () => {
      for (const way of ways) {
        way.setWeather({ kind: 'clear' });
        way.breakAll('reset');
      }
    },
  };
};

/**
 * Starts three members and waits until one is the primary and another its synchronous standby; all end with the workshop.
 * @throws Error that says what is needed where it is missing
 */
export const startCluster = async (workshop: Workshop): Promise<Cluster> => {
  const missing = NEEDED.filter((path) => !existsSync(path));
  if (missing.length > 0)
    throw new Error(
      `It needs ${missing.join(', ')}: apt-get install patroni etcd-server postgresql-15, and stop what that starts.`,
    );
  const etcdPort = await startEtcd(workshop);
  const members: OwnMember[] = [];
  for (let number = 1; number <= MEMBERS; number += 1)
    members.push(await prepareMember(workshop, `member${number}`, etcdPort));
  for (const member of members) member.start();
  const untilMembers = (what: string, isSo: () => Promise<boolean>): Promise<void> =>
    until(what, isSo).catch((error: Error) => {
      throw new Error([error.message, ...members.map((member) => member.lastWords())].join('\n'));
    });

  const primary = async (other?: ClusterMember): Promise<OwnMember> => {
    let found: OwnMember | undefined;
    await untilMembers('a primary', async () => {
      for (const member of members) {
        if (member === other || (await asked(member.restPort, '/primary'))?.ok !== true) continue;
        found = member;
        return true;
      }
      return false;
    });
    if (found === undefined) throw new Error('There is no primary.');
    return found;
  };
  const whole = (): Promise<void> =>
    untilMembers('three members that run', async () => {
      for (const { restPort } of members) {
        const answer = await asked(restPort, '/cluster');
        if (answer === null) return false;
        const { members: all } = (await answer.json()) as Told;
        const run = all.filter(({ state }) => state === 'running' || state === 'streaming');
        if (run.length < MEMBERS || !run.some(({ role }) => role === 'sync_standby')) return false;
      }
      return true;
    });
  const urlAt = (places: readonly OwnMember[], database: string): string =>
    `postgres://postgres:${PASSWORD}@${places.map(({ port }) => `${HOST}:${port}`).join(',')}/${database}`;
  const urlOfPrimary = async (database: string): Promise<string> => urlAt([await primary()], database);
  await whole();
  return {
    members,
    primary,
    whole,
    urlOfPrimary,
    url: (database) => urlAt(members, database),
    createDatabase: async (name) => {
      const client = new pg.Client({ connectionString: await urlOfPrimary('postgres') });
      await client.connect();
      await client.query(`create database ${name}`).finally(() => client.end());
    },
    switchOver: async () => {
      const { name, restPort } = await primary();
      const answer = await fetch(`http://${HOST}:${restPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: name }),
      });
      if (!answer.ok) throw new Error(`The switchover was refused: ${answer.status} ${await answer.text()}`);
    },
  };
};
