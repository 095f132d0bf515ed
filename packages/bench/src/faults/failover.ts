import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { median } from '../figures.js';
import { endBy, freePort } from '../process/child.js';
import type { Workshop } from '../process/workshop.js';
import { postgresQuery } from '../read-back.js';
import { standingServer } from '../subject/shipworthy.js';
import { type FaultLine, type FaultProgramme, type FaultSize, holds, tookAtMost } from './fault-programme.js';
import { type FaultProxy, openFaultProxy } from './fault-proxy.js';
import { startReporters } from './reporters/crew.js';
import { readBack } from './reporters/read-back.js';
import { meaningOf, setUpScene } from './reporters/requests.js';

const REPORTERS = 8;
const DATABASE = 'shipworthy';
/** The aim from a new primary to the first acknowledged change, in milliseconds. */
const BACK_AIM_MS = 3_000;
const PATIENCE_MS = 60_000;
/** How long the server is under load before each fault, in milliseconds. */
const WORK_MS = 1_000;

interface FailoverSize {
  readonly kills: number;
  readonly switchovers: number;
  readonly cuts: number;
}

const SIZES: Readonly<Record<FaultSize, FailoverSize>> = {
  full: { kills: 20, switchovers: 5, cuts: 3 },
  short: { kills: 1, switchovers: 1, cuts: 1 },
};

/** A way to lose the primary. */
interface Loss {
  readonly name: string;
  readonly times: number;
  begin(cluster: Cluster, primary: ClusterMember): Promise<void>;
  /** Brings back what was lost. */
  end(primary: ClusterMember): void;
}

const lossesOf = ({ kills, switchovers, cuts }: FailoverSize): readonly Loss[] => [
  {
    name: 'kill -9 of the primary and its Patroni',
    times: kills,
    begin: (_, primary) => primary.kill(),
    end: (primary) => primary.start(),
  },
  { name: 'switchover', times: switchovers, begin: (cluster) => cluster.switchOver(), end: () => {} },
  {
    name: 'primary cut off from the other members and etcd',
    times: cuts,
    begin: async (_, primary) => primary.cut(),
    end: (primary) => primary.mend(),
  },
];

/** The primary lost in every way, with a standby taking its place. */
export const failover: FaultProgramme = {
  name: 'failover',
  title: 'PostgreSQL by Patroni: the primary killed, switched over, cut off',
  run: async (size, workshop) => {
    const cluster = await startCluster(workshop);
    await cluster.createDatabase(DATABASE);
    return { lines: await failOver(workshop, cluster, lossesOf(SIZES[size])), remarks: remarks(SIZES[size]) };
  },
};

const failOver = async (
  workshop: Workshop,
  cluster: Cluster,
  losses: readonly Loss[],
): Promise<readonly FaultLine[]> => {
  const server = await standingServer(workshop, cluster.url(DATABASE));
  await server.start();
  const process = server.pid();
  const scene = await setUpScene(server, REPORTERS);
  let writtenAt = Number.NEGATIVE_INFINITY;
  const crew = startReporters({
    scene,
    ports: [server.port],
    reporters: REPORTERS,
    patienceMs: 30_000,
    pauseMs: 50,
    heard: ({ asking, reply }) => {
      if (reply !== null && asking.method !== 'GET' && meaningOf(reply) === 'done') writtenAt = reply.sentAt;
    },
  });
  const writtenAfter = async (moment: number): Promise<void> => {
    for (const deadline = performance.now() + PATIENCE_MS; writtenAt < moment; await pause(5))
      if (performance.now() > deadline) throw new Error(`Nothing was acknowledged for ${PATIENCE_MS / 1_000} s.`);
  };
  const lines: FaultLine[] = [];
  for (const loss of losses) {
    const [back, away]: [number[], number[]] = [[], []];
    for (let time = 0; time < loss.times; time += 1) {
      await cluster.whole();
      await pause(WORK_MS);
      const primary = await cluster.primary();
      const lostAt = performance.now();
      await loss.begin(cluster, primary);
      await cluster.primary(primary);
      const takenOverAt = performance.now();
      await writtenAfter(takenOverAt);
      back.push(performance.now() - takenOverAt);
      away.push(performance.now() - lostAt);
      loss.end(primary);
    }
    const times = `${loss.name}, ${loss.times} times`;
    lines.push(
      tookAtMost(
        `${times}: from a new primary to the first acknowledged change (longest)`,
        Math.max(...back),
        BACK_AIM_MS,
      ),
      {
        ...tookAtMost(`${times}: from the loss to the first acknowledged change (median)`, median(away), PATIENCE_MS),
        aim: 'as long as Patroni takes',
      },
    );
  }
  await cluster.whole();
  await crew.stop(60_000);
  lines.push(
    holds('answers other than 2xx and "try again"', crew.strays[0] ?? '0', '0', crew.strays.length === 0),
    holds('starts of the server', server.pid() === process ? '1' : 'more', '1', server.pid() === process),
    ...(await readBack(postgresQuery(await cluster.urlOfPrimary(DATABASE)), server.port, scene, crew.ledger)),
  );
  await server.end('SIGTERM');
  return lines;
};

const remarks = ({ kills, switchovers, cuts }: FailoverSize): readonly string[] => [
  `Three members on one machine by \`deploy/patroni/member.yaml\`, one etcd, PostgreSQL 15; one standby is synchronous. ${kills} kills, ${switchovers} switchovers, ${cuts} cuts, each once the cluster is whole again.`,
  `${REPORTERS} reporters without a pause, all the time; the server has all three members in DATABASE_URL. A member that is cut off still answers clients.`,
  "It needs Debian's patroni, etcd-server and postgresql-15; it is no part of `npm test`.",
];

/** Patroni's configuration of a member; operators copy it. */
const MEMBER = fileURLToPath(new URL('../../../../../deploy/patroni/member.yaml', import.meta.url));
const BIN = '/usr/lib/postgresql/15/bin';
const HOST = '127.0.0.1';
const PASSWORD = 'bench';
const MEMBERS = 3;
const ASK_EVERY_MS = 50;
const CLUSTER_MS = 120_000;
const LAST_WORDS = 3_000;

/** A member of the cluster: a Patroni with its PostgreSQL. */
interface ClusterMember {
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
interface Cluster {
  readonly members: readonly ClusterMember[];
  /** The connection string of a database over all members. */
  url(database: string): string;
  /** The connection string of a database at the primary alone. */
  urlOfPrimary(database: string): Promise<string>;
  createDatabase(name: string): Promise<void>;
  /** Waits for a member that says it is the primary, and is not `other`, which may say so, too. */
  primary(other?: ClusterMember): Promise<ClusterMember>;
  /** Waits until every member runs and a standby is synchronous. */
  whole(): Promise<void>;
  /** Hands the primary's place to the synchronous standby. */
  switchOver(): Promise<void>;
}

const NEEDED = ['/usr/bin/patroni', '/usr/bin/etcd', join(BIN, 'postgres')];

/** What `/cluster` of each member's REST interface answers. */
interface Told {
  readonly members: readonly { readonly name: string; readonly role: string; readonly state: string }[];
}

const asked = async (port: number, path: string): Promise<Response | null> =>
  fetch(`http://${HOST}:${port}${path}`, { signal: AbortSignal.timeout(1_000) }).catch(() => null);

const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  for (const deadline = performance.now() + CLUSTER_MS; !(await isSo()); await pause(ASK_EVERY_MS))
    if (performance.now() > deadline) throw new Error(`${what}: not within ${CLUSTER_MS / 1_000} s.`);
};

/** The user for PostgreSQL and Patroni where this process runs as root: PostgreSQL refuses to run as root. */
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
    // Without use_proxies Patroni would ask etcd for its address, and go around the proxy that is cut.
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
const startCluster = async (workshop: Workshop): Promise<Cluster> => {
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
