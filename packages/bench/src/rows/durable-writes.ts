import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startInsert } from '../baseline/baseline-process.js';
import { alternate, comparedLine, type Line, median, type RowResult } from '../figures.js';
import { openConnection } from '../load/connection.js';
import { SEQUENCE_PLACEHOLDER, type SendLoad, sequenceText, startLoadProcess } from '../load/load-process.js';
import { countWords } from '../page/table.js';
import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import {
  countedDeployments,
  postgresQuery,
  postgresStorage,
  type Query,
  requireEqual,
  requireRemembered,
  requireStoredOnce,
  type Storage,
  sqliteQuery,
  sqliteStorage,
} from '../read-back.js';
import { createKey, deploymentRequest, readReleaseReport, setUpProject, setUpTeam } from '../subject/project.js';
import { firstPerson, type RunningServer, startShipworthy } from '../subject/shipworthy.js';
import type { BenchRow, RunSize } from './row.js';

const HOUR_MS = 3_600_000;
const APP = 'checkout';

interface Contestant {
  /** Puts the server under load for so many seconds and checks what is stored; returns deployments per second. */
  load(seconds: number): Promise<number>;
  verified(): number;
}

const contestant = (
  send: SendLoad,
  size: RunSize,
  server: { readonly port: number; readonly key: string },
  check: (commits: string, answered: number) => Promise<void>,
): Contestant => {
  let verified = 0;
  return {
    verified: () => verified,
    load: async (seconds) => {
      const commits = randomBytes(12).toString('hex');
      const { answered, seconds: took } = await send({
        kind: 'closed loop',
        port: server.port,
        request: deploymentRequest(APP, server.key, commits),
        status: 201,
        connections: size.connections,
        seconds,
      });
      await check(commits, answered);
      verified += answered;
      return answered / took;
    },
  };
};

/** The server on an empty database with a project whose active release counts the deployments. */
export const startSubject = async (workshop: Workshop, { databaseUrl, query }: Storage) => {
  const server = await startShipworthy(workshop, databaseUrl);
  const person = await firstPerson(server);
  const project = await setUpProject(person, await setUpTeam(person), APP, Date.now() - HOUR_MS);
  const key = await createKey(person);
  let remembered = 0;
  return {
    port: server.port,
    pid: server.pid,
    key,
    check: async (commits: string, answered: number): Promise<void> => {
      await requireStoredOnce(query, commits, answered);
      remembered += answered;
      await requireRemembered(query, remembered);
      const stored = await countedDeployments(query, project.id);
      const { deployments } = await readReleaseReport(server, project, key);
      if (deployments !== stored)
        throw new Error(`The report counts ${deployments} deployments, ${stored} are stored.`);
    },
  };
};

/** Durable writes of the server against a bare server that stores the same records, in turns; every record is read back. */
const compareWrites = async (
  workshop: Workshop,
  size: RunSize,
  subject: Storage,
  baseline: { readonly port: number; readonly query: Query },
  about: Pick<Line, 'against' | 'aims' | 'whyMissed'>,
): Promise<RowResult> => {
  const send = startLoadProcess(workshop);
  const started = await startSubject(workshop, subject);
  const ours = contestant(send, size, started, started.check);
  const bare = contestant(send, size, { port: baseline.port, key: started.key }, (commits, answered) =>
    requireStoredOnce(baseline.query, commits, answered),
  );
  await bare.load(size.warmUpSeconds);
  await ours.load(size.warmUpSeconds);
  const rounds = await alternate(size.rounds, {
    bare: () => bare.load(size.seconds),
    ours: () => ours.load(size.seconds),
  });
  const what = 'POST /api/deployments, authenticated, validated, attributed, idempotent';
  const verifiedRecords = ours.verified() + bare.verified();
  return {
    lines: [comparedLine(rounds, 'ours', 'bare', { what, unit: 'per second', ...about })],
    verifiedRecords,
    remarks: [
      `${size.connections} kept-alive connections, each with one request at a time; every request has an Idempotency-Key of its own.`,
      `Read back after the turns: ${countWords(verifiedRecords)} acknowledged records, each there exactly once; the server's remembered answers, kept counts and report agree with them.`,
    ],
  };
};

/** Compares reports stored by the service with bare inserts, on PostgreSQL. */
export const postgresWrites: BenchRow = {
  name: 'postgres-writes',
  title: 'Durable writes on PostgreSQL (fsync, synchronous_commit and full_page_writes on)',
  run: async (size, workshop) => {
    const postgres = await startPostgres(workshop, 'durable');
    const subject = postgresStorage(await postgres.createDatabase('shipworthy'));
    const bareUrl = await postgres.createDatabase('bare');
    const bare = { port: await startInsert(workshop, bareUrl), query: postgresQuery(bareUrl) };
    return compareWrites(workshop, size, subject, bare, {
      against: 'bare node:http and pg, one prepared INSERT per request',
      aims: [{ of: 'ratio', least: 1.5 }],
      whyMissed:
        'the server is bound by its one thread, which reads, authenticates, validates, attributes and answers every request and shares two cores with database and load; the baseline leaves all work to PostgreSQL, whose commit on a fast disk costs little. More processes on more cores reach it, as does a slower disk, where one commit for many requests counts for more: the aim was set where the baseline stored 3,500 to 7,400 a second. The packages of Koa take 9 % of that thread and the collector of garbage 15 % (profile of 0.5 ms steps); a handler that went around its chain had 1 % and 12 %.',
    });
  },
};

/** Durable writes on SQLite. */
export const sqliteWrites: BenchRow = {
  name: 'sqlite-writes',
  title: 'Durable writes on SQLite (write-ahead log, synchronous FULL)',
  run: async (size, workshop) => {
    const subject = sqliteStorage(workshop.path('shipworthy.sqlite'));
    const bareFile = workshop.path('bare.sqlite');
    const bare = { port: await startInsert(workshop, bareFile), query: sqliteQuery(bareFile) };
    return compareWrites(workshop, size, subject, bare, {
      against: 'bare node:http and sqlite3, one prepared INSERT per request',
      aims: [{ of: 'ratio', least: 4 }],
      whyMissed:
        'the aim was set on a disk that took 900 to 1,900 single commits a second, and one that takes more helps the baseline alone: the server commits many requests at once and is bound by its one thread, not by the disk. A cheaper way of a request through that thread, or a slower disk, reaches it. The packages of Koa take 9 % of that thread and the collector of garbage 15 % (profile of 0.5 ms steps); a handler that went around its chain had 1 % and 12 %.',
    });
  },
};

const PAGE = Buffer.alloc(8192, 1);
const FLUSHES = 200;

/** The time the disk at that path needs to flush a written page, in milliseconds: the median of 200. */
const flushTime = (path: string): number => {
  const file = openSync(path, 'w');
  try {
    return median(
      Array.from({ length: FLUSHES }, () => {
        writeSync(file, PAGE);
        const from = performance.now();
        fdatasyncSync(file);
        return performance.now() - from;
      }),
    );
  } finally {
    closeSync(file);
  }
};

const SOURCE = fileURLToPath(new URL('../../../src/rows/slow-flush.c', import.meta.url));

/** Compiles the library that slows flushes down; returns its path. @throws Error without a C compiler called cc */
const compiled = (workshop: Workshop): string => {
  const library = workshop.path('slow-flush.so');
  const { status, stderr, error } = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`A slower disk needs a C compiler called cc. ${error?.message ?? stderr}`);
  return library;
};

/** Does the work with every process that it starts on a disk whose flushes take so many milliseconds longer; Linux only. */
const onSlowerDisk = async <Result>(
  workshop: Workshop,
  milliseconds: number,
  work: () => Promise<Result>,
): Promise<Result> => {
  const settings = { LD_PRELOAD: compiled(workshop), SLOW_FLUSH_US: String(milliseconds * 1000) };
  Object.assign(process.env, settings);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(settings)) delete process.env[name];
  }
};

const LONGER_MS = 1;
const MISSED =
  'with the disk out of the way the server is bound by its one thread; more processes on more cores, or a cheaper way of a request through that thread, reach it.';

/** The two rows of durable writes on a disk that takes longer to flush, such as one across a network. */
export const slowerDiskWrites: BenchRow = {
  name: 'slower-disk-writes',
  title: `Durable writes where each flush to the disk takes ${LONGER_MS} ms longer`,
  run: (size, workshop) => {
    const own = flushTime(workshop.path('flushed'));
    return onSlowerDisk(workshop, LONGER_MS, async () => {
      const postgres = await postgresWrites.run(size, workshop);
      const sqlite = await sqliteWrites.run(size, workshop);
      const named = (database: string, lines: readonly Line[]): readonly Line[] =>
        lines.map((line) => ({ ...line, what: `${database}: ${line.what}`, whyMissed: MISSED }));
      return {
        lines: [...named('PostgreSQL', postgres.lines), ...named('SQLite', sqlite.lines)],
        verifiedRecords: postgres.verifiedRecords + sqlite.verifiedRecords,
        remarks: [
          `Everybody's fsync and fdatasync sleep before they flush. Without that this machine's disk flushes in ${own.toFixed(2)} ms.`,
          ...postgres.remarks.slice(0, 1),
        ],
      };
    });
  },
};

/**
 * Sends the first so many requests of a load once more, to a server that need not be the one that stored them: each must be
 * answered 201 with the record of its own commit. @throws Error
 */
const requireReplay = async ({ port }: RunningServer, request: string, count: number): Promise<void> => {
  const connection = await openConnection(port);
  try {
    for (let sequence = 0; sequence < count; sequence += 1) {
      const own = request.replaceAll(SEQUENCE_PLACEHOLDER, sequenceText(sequence));
      const { status, body } = await connection.ask(own);
      requireEqual('Status of a repeated request', status, 201);
      const [, wanted] = /"commit_sha":"(\w+)"/.exec(own) ?? [];
      const [, found] = /"commit_sha":"(\w+)"/.exec(body) ?? [];
      requireEqual('Commit of a repeated request', found, wanted);
    }
  } finally {
    connection.end();
  }
};

const SERVER_COUNT = 4;
const REPLAYS = 20;

/** One database with several servers on it that know nothing of each other but the secret they were given. */
const setScene = async (workshop: Workshop) => {
  const databaseUrl = await (await startPostgres(workshop, 'durable')).createDatabase('shipworthy');
  const secret = { SHIPWORTHY_SECRET_KEY: randomBytes(48).toString('base64') };
  const first = await startShipworthy(workshop, databaseUrl, secret);
  const others = Array.from({ length: SERVER_COUNT - 1 }, () => startShipworthy(workshop, databaseUrl, secret));
  const servers = [first, ...(await Promise.all(others))];
  const person = await firstPerson(first);
  const project = await setUpProject(person, await setUpTeam(person), APP, Date.now() - HOUR_MS);
  return { first, servers, project, key: await createKey(person), query: postgresQuery(databaseUrl) };
};

type Scene = Awaited<ReturnType<typeof setScene>>;

/** Returns `load`, which puts servers under load at once, checks what is stored, and returns deployments per second. */
const loadOn = (scene: Scene, sends: readonly SendLoad[], { connections }: RunSize) => {
  const { key, query, project } = scene;
  let verified = 0;
  const readBack = async (loads: readonly { readonly commits: string; readonly answered: number }[]): Promise<void> => {
    for (const { commits, answered } of loads) {
      await requireStoredOnce(query, commits, answered);
      verified += answered;
    }
    // Another process answers a repeat of what one process stored, and stores nothing.
    for (const [index, { commits, answered }] of loads.entries()) {
      const other = scene.servers[(index + 1) % SERVER_COUNT] ?? scene.first;
      await requireReplay(other, deploymentRequest(APP, key, commits), Math.min(REPLAYS, answered));
    }
    await requireRemembered(query, verified);
    requireEqual('Stored deployments of the project', await countedDeployments(query, project.id), verified);
    for (const server of scene.servers)
      requireEqual(
        'Deployments in the report of a process',
        (await readReleaseReport(server, project, key)).deployments,
        verified,
      );
  };
  const load = async (servers: readonly RunningServer[], seconds: number): Promise<number> => {
    const loads = await Promise.all(
      servers.map(async ({ port }, index) => {
        const commits = randomBytes(12).toString('hex');
        const send = sends[index];
        if (send === undefined) throw new Error('There are more servers than load processes.');
        const result = await send({
          kind: 'closed loop',
          port,
          request: deploymentRequest(APP, key, commits),
          status: 201,
          connections: Math.ceil(connections / servers.length),
          seconds,
        });
        return { commits, answered: result.answered, rate: result.answered / result.seconds };
      }),
    );
    await readBack(loads);
    return loads.reduce((sum, { rate }) => sum + rate, 0);
  };
  return { load, verified: () => verified };
};

const run = async (size: RunSize, workshop: Workshop): Promise<RowResult> => {
  const scene = await setScene(workshop);
  const sends = scene.servers.map(() => startLoadProcess(workshop));
  const { load, verified } = loadOn(scene, sends, size);
  await load(scene.servers, size.warmUpSeconds);
  await load([scene.first], size.warmUpSeconds);
  const rounds = await alternate(size.rounds, {
    one: () => load([scene.first], size.seconds),
    four: () => load(scene.servers, size.seconds),
  });
  return {
    lines: [
      comparedLine(rounds, 'four', 'one', {
        what: `POST /api/deployments on ${SERVER_COUNT} processes at once`,
        against: 'on one of them',
        unit: 'per second',
        aims: [],
      }),
    ],
    verifiedRecords: verified(),
    remarks: [
      `${SERVER_COUNT} processes on one database, each with folders of its own; ${size.connections} kept-alive connections in all, every request with an Idempotency-Key of its own. All of them share this machine's cores with the database and the load: the ratio says what sharing the database costs, not what more machines would bring.`,
      `Read back after every turn: ${countWords(verified())} acknowledged records, each there exactly once; kept counts agree, every process reports all of them, and ${REPLAYS} requests of each process, repeated at another one, got the same answers and stored nothing.`,
    ],
  };
};

/** Several processes on one PostgreSQL against one of them: nothing lost, nothing doubled. */
export const processes: BenchRow = { name: 'processes', title: 'Several processes on one PostgreSQL', run };
