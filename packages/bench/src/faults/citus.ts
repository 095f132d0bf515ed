import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endBy, exitCodeOf, freePort } from '../process/child.js';
import { familyOf } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { postgresQuery, type Query } from '../read-back.js';
import { type StandingServer, standingServer } from '../subject/shipworthy.js';
import { type FaultLine, type FaultProgramme, type FaultSize, holds, tookAtMost } from './fault-programme.js';
import { type RunningReporters, startReporters } from './reporters/crew.js';
import { readBack } from './reporters/read-back.js';
import { setUpScenes } from './reporters/requests.js';

/** The script that starts and stops a cluster on one machine; operators copy it. */
const SCRIPT = fileURLToPath(new URL('../../../../../deploy/citus/cluster.sh', import.meta.url));
const BIN = '/usr/lib/postgresql/15/bin';
const EXTENSION = '/usr/lib/postgresql/15/lib/citus.so';
const NODES = ['coordinator', 'worker1', 'worker2'] as const;

/** Enough projects that each worker has some of them, and that one transaction holds reports of several. */
const PROJECTS = 6;
const REPORTERS_OF_EACH = 2;
/** How many parts each table has; each part is moved by itself. */
const PARTS = 8;
/** The rounds, in each of which every node is killed once. */
const ROUNDS: Readonly<Record<FaultSize, number>> = { full: 5, short: 1 };
/** The longest time under load before a kill, and (AWAY_MS) the longest time a node is away, in milliseconds. */
const WORK_MS = 1_500;
const AWAY_MS = 600;
const PATIENCE_MS = 120_000;
/** The aim from a node's start to a change acknowledged in every project: open transactions are resolved every 5 s. */
const BACK_AIM_MS = 15_000;

type Node = (typeof NODES)[number];

/** A coordinator and two workers on this machine. */
interface CitusCluster {
  readonly url: string;
  /** The port of the last worker. */
  readonly lastPort: number;
  /** Ends all processes of the node, as the loss of its machine would. */
  kill(node: Node): Promise<void>;
  /** Starts the nodes that do not run, and waits until they take connections. */
  start(): Promise<void>;
}

/** Whether the process is there and has not ended. */
const isRunning = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

const endNow = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself, with its leader.
  }
};

const startCluster = async (workshop: Workshop): Promise<CitusCluster> => {
  if (!existsSync(EXTENSION)) throw new Error(`The programme needs PostgreSQL 15 with Citus: ${EXTENSION} is missing.`);
  const folder = workshop.path('citus');
  const port = await freePort();
  const carryOut = async (word: 'start' | 'stop'): Promise<string> =>
    (await promisify(execFile)('sh', [SCRIPT, word, folder, BIN, String(port)])).stdout.trim();
  workshop.atClose(async () => void (await carryOut('stop')));
  const url = await carryOut('start');
  return {
    url,
    lastPort: port + 2,
    kill: async (node) => {
      const lock = join(folder, node, 'postmaster.pid');
      const family = familyOf(Number.parseInt(readFileSync(lock, 'utf8'), 10));
      for (const pid of family) endNow(pid);
      while (family.some(isRunning)) await pause(1);
      // A process that ended stays listed until its parent asks for it, and `pg_ctl` would take it for one that runs.
      rmSync(lock, { force: true });
    },
    start: async () => void (await carryOut('start')),
  };
};

const acknowledgedBy = (crews: readonly RunningReporters[]): readonly number[] =>
  crews.map(({ ledger }) => ledger.acknowledged);

/** Waits until every crew has a further change acknowledged; returns the milliseconds until then. */
const untilAllReport = async (crews: readonly RunningReporters[]): Promise<number> => {
  const before = acknowledgedBy(crews);
  const begin = performance.now();
  while (acknowledgedBy(crews).some((count, index) => count <= (before[index] ?? 0))) {
    if (performance.now() > begin + PATIENCE_MS)
      throw new Error(`Nothing was acknowledged in a project for ${PATIENCE_MS / 1_000} s.`);
    await pause(5);
  }
  return performance.now() - begin;
};

/** Kills one node after the other under load; measures how long until every project takes reports again. */
const killEach = async (
  cluster: CitusCluster,
  crews: readonly RunningReporters[],
  rounds: number,
): Promise<readonly FaultLine[]> => {
  const lines: FaultLine[] = [];
  for (const node of NODES) {
    const back: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await pause(Math.random() * WORK_MS);
      await cluster.kill(node);
      await pause(Math.random() * AWAY_MS);
      await cluster.start();
      back.push(await untilAllReport(crews));
    }
    const what = `kill -9 of the ${node.replace('1', ' 1').replace('2', ' 2')}, ${rounds} times`;
    lines.push(
      tookAtMost(`${what}: from its start to a change in every project (longest)`, Math.max(...back), BACK_AIM_MS),
    );
  }
  return lines;
};

const partsOn = async (query: Query, port: number): Promise<number> => {
  const [found] = await query(
    `select count(*) as parts from citus_shards where citus_table_type = 'distributed' and nodeport = ${port}`,
  );
  return Number(found?.parts);
};

/** Moves all parts off a worker and then half of them back, under load. */
const moveParts = async (query: Query, { lastPort }: CitusCluster, crews: readonly RunningReporters[]) => {
  const begin = performance.now();
  const before = acknowledgedBy(crews);
  await query(`select citus_drain_node('127.0.0.1', ${lastPort}, 'force_logical')`);
  const drained = await partsOn(query, lastPort);
  await query(`select citus_set_node_property('127.0.0.1', ${lastPort}, 'shouldhaveshards', true)`);
  await query(`select citus_rebalance_start(shard_transfer_mode := 'force_logical')`);
  await query('select citus_rebalance_wait()');
  const back = await partsOn(query, lastPort);
  const moved = `${drained} left, then ${back} of them there`;
  const reports = acknowledgedBy(crews).map((count, index) => count - (before[index] ?? 0));
  return [
    holds('parts on a worker: drained, then rebalanced', moved, 'none, then half', drained === 0 && back === PARTS * 2),
    holds(
      `least changes acknowledged in a project while the parts moved (${Math.round((performance.now() - begin) / 1_000)} s)`,
      `${Math.min(...reports)}`,
      '1 or more',
      Math.min(...reports) > 0,
    ),
  ];
};

/** Merges the lines of several projects: one line for each thing that was looked at. */
const together = (ofProjects: readonly (readonly FaultLine[])[]): readonly FaultLine[] =>
  (ofProjects[0] ?? []).map((line, index) => {
    const lines = ofProjects.map((ofProject) => ofProject[index] ?? line);
    const measured = [...new Set(lines.map((one) => one.measured))].join('; ');
    return { ...line, measured, met: lines.every(({ met }) => met) };
  });

/** A server on a cluster, and its reporters. */
interface Reported {
  readonly cluster: CitusCluster;
  /** Asks the coordinator. */
  readonly query: Query;
  readonly server: StandingServer;
  readonly crews: readonly RunningReporters[];
  /** Ends the reporters, compares what they were told with what is stored, and ends the server. */
  end(): Promise<readonly FaultLine[]>;
}

/** Starts a cluster, a server on it, and reporters for several projects. */
const startReported = async (workshop: Workshop, isDistributed: boolean): Promise<Reported> => {
  const cluster = await startCluster(workshop);
  const query = postgresQuery(cluster.url);
  await query(`alter database postgres set citus.shard_count = ${PARTS}`);
  const server = await standingServer(workshop, cluster.url);
  if (isDistributed) await server.command('distribute');
  await server.start();
  const scenes = await setUpScenes(server, REPORTERS_OF_EACH, PROJECTS);
  const crews = scenes.map((scene) =>
    startReporters({
      scene,
      ports: [server.port],
      reporters: REPORTERS_OF_EACH,
      patienceMs: 30_000,
      pauseMs: 50,
    }),
  );
  await untilAllReport(crews);
  const end = async (): Promise<readonly FaultLine[]> => {
    await Promise.all(crews.map((crew) => crew.stop(PATIENCE_MS)));
    // The coordinator resolves the transactions that a killed node left open, at the latest now.
    await query('select recover_prepared_transactions()');
    const strays = crews.flatMap((crew) => crew.strays);
    const found = [];
    for (const [index, scene] of scenes.entries()) {
      const { ledger } = crews[index] ?? {};
      if (ledger !== undefined) found.push(await readBack(query, server.port, scene, ledger));
    }
    await server.end('SIGTERM');
    return [
      holds('answers other than 2xx and "try again"', strays[0] ?? '0', '0', strays.length === 0),
      ...together(found),
    ];
  };
  return { cluster, query, server, crews, end };
};

const faultsOf = async (workshop: Workshop, rounds: number): Promise<readonly FaultLine[]> => {
  const { cluster, query, server, crews, end } = await startReported(workshop, true);
  const process = server.pid();
  const lines = [...(await killEach(cluster, crews, rounds)), ...(await moveParts(query, cluster, crews))];
  const isSame = server.pid() === process;
  return [...lines, holds('starts of the server', isSame ? '1' : 'more', '1', isSame), ...(await end())];
};

/** Nodes of a cluster killed, and its parts moved, under load. */
export const citusCluster: FaultProgramme = {
  name: 'citus',
  title: 'PostgreSQL with Citus: workers and coordinator killed, parts moved',
  run: async (size, workshop) => ({
    lines: await faultsOf(workshop, ROUNDS[size]),
    remarks: [
      `One coordinator and two workers on one machine by \`deploy/citus/cluster.sh\`, Citus on PostgreSQL 15, fsync on; distributed by \`shipworthy-server distribute\` in ${PARTS} parts of each table. ${ROUNDS[size]} kills of each node with all its processes, at random moments.`,
      `${PROJECTS} projects with ${REPORTERS_OF_EACH} reporters each, without a pause, all the time. Where a line has several figures they are those of the projects.`,
      'It needs PostgreSQL 15 in /usr/lib/postgresql with Citus; it is no part of `npm test`.',
    ],
  }),
};

/** How often `distribute` is killed before it may end. */
const KILLS: Readonly<Record<FaultSize, number>> = { full: 10, short: 1 };
/** The latest kill after `distribute` began to change tables, in milliseconds. */
const LATEST_KILL_MS = 1_500;
/** Exit code of a command of the server that could not be carried out. */
const REFUSED = 1;
/** How many tables are distributed, or have a copy on every node. */
const TABLES = 8;

/** How many tables are on the workers, as distributed ones and as copies. */
const placedTables = async (query: Query): Promise<number> => {
  const [found] = await query(
    `select count(*) as tables from citus_tables where citus_table_type in ('distributed', 'reference')`,
  );
  return Number(found?.tables);
};

/** Waits until the coordinator changes tables for `distribute`, or no longer does. */
const untilChanging = async (query: Query, isChanging: boolean, child: ChildProcess): Promise<void> => {
  for (;;) {
    const [found] = await query(`select count(*) as processes from pg_stat_activity where pid <> pg_backend_pid()
      and backend_type = 'client backend' and query ~ '^select create_(reference|distributed)_table'`);
    if (Number(found?.processes) > 0 === isChanging || (isChanging && child.exitCode !== null)) return;
    await pause(5);
  }
};

/** Kills `distribute` in its middle, `kills` times at most; returns how many tables each attempt placed. */
const killDistributing = async ({ query, server }: Reported, kills: number): Promise<readonly number[]> => {
  const placed: number[] = [];
  for (let kill = 0; kill < kills && !placed.some((tables) => tables > 0); kill += 1) {
    const { process: child } = server.begin('distribute');
    await untilChanging(query, true, child);
    await pause(Math.random() * LATEST_KILL_MS);
    await endBy(child, 'SIGKILL');
    await untilChanging(query, false, child);
    placed.push(await placedTables(query));
  }
  return placed;
};

/**
 * Distributes while reports come: refused while the server is connected, killed in its middle, and done while the server
 * starts again.
 */
const distributeUnderLoad = async (workshop: Workshop, kills: number): Promise<readonly FaultLine[]> => {
  const reported = await startReported(workshop, false);
  const { query, server, crews } = reported;
  const refused = await exitCodeOf(server.begin('distribute').process);
  const untouched = await placedTables(query);
  await untilAllReport(crews);
  const begin = performance.now();
  const before = acknowledgedBy(crews);
  await server.end('SIGTERM');
  const placed = await killDistributing(reported, kills);
  const { process: distributing } = server.begin('distribute');
  await untilChanging(query, true, distributing);
  const [code] = await Promise.all([exitCodeOf(distributing), server.start()]);
  await untilAllReport(crews);
  const away = performance.now() - begin;
  await pause(WORK_MS);
  await untilAllReport(crews);
  const since = acknowledgedBy(crews).map((count, index) => count - (before[index] ?? 0));
  const tables = await placedTables(query);
  const halves = placed.filter((count) => count !== 0 && count !== TABLES);
  return [
    holds(
      'asked for while the server is connected',
      `exit code ${refused}, ${untouched} tables moved`,
      `exit code ${REFUSED}, 0 tables moved`,
      refused === REFUSED && untouched === 0,
    ),
    holds(
      `killed in its middle ${placed.length} times: left half done`,
      `${halves.length}`,
      '0',
      halves.length === 0 && placed.length > 0,
    ),
    holds(
      'then once to its end, with the server started in its middle: tables on the workers',
      `exit code ${code}, ${tables} of ${TABLES}`,
      `exit code 0, ${TABLES} of ${TABLES}`,
      code === 0 && tables === TABLES,
    ),
    holds(
      `changes acknowledged in each project afterwards (${Math.round(away / 1_000)} s after the server was ended, kills included)`,
      `${Math.min(...since)} or more`,
      '1 or more',
      Math.min(...since) > 0,
    ),
    ...(await reported.end()),
  ];
};

/** A database in use is distributed over a cluster. */
export const distribution: FaultProgramme = {
  name: 'distribute',
  title: 'PostgreSQL with Citus: a database distributed while reports come, killed in the middle',
  run: async (size, workshop) => ({
    lines: await distributeUnderLoad(workshop, KILLS[size]),
    remarks: [
      '`shipworthy-server distribute` wants no instance connected. The reporters go on without a pause all the time: what they cannot bring while the server is away they send again under the same key.',
      `One coordinator and two workers on one machine by \`deploy/citus/cluster.sh\`, Citus on PostgreSQL 15, fsync on, ${PARTS} parts of each table; ${PROJECTS} projects with ${REPORTERS_OF_EACH} reporters each. Where a line has several figures they are those of the projects.`,
      'It needs PostgreSQL 15 in /usr/lib/postgresql with Citus; it is no part of `npm test`.',
    ],
  }),
};
