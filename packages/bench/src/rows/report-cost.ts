import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEcho } from '../baseline/baseline-process.js';
import { alternate, comparedLine, type Line, type RowResult } from '../figures.js';
import { requestText, type SendLoad, startLoadProcess } from '../load/load-process.js';
import { countWords } from '../page/table.js';
import { endBy, forgetPeak, freePort, memoryOf, processorTimeOf, startChild } from '../process/child.js';
import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { postgresQuery, postgresStorage, requireStoredOnce, sqliteStorage } from '../read-back.js';
import { deploymentBody, deploymentRequest, GROWTH } from '../subject/project.js';
import { startSubject } from './durable-writes.js';
import type { BenchRow, RunSize } from './row.js';

const APP = 'checkout';

/** The system counts in steps of 10 ms: below ten of them a figure would be off by more than a tenth. */
const LEAST_MS = 100;

/** What one turn cost the process under load. */
interface Cost {
  /** Processor time of all its threads per answered report, in microseconds. */
  readonly perReport: number;
  /** Resident memory at most, in MB. */
  readonly memory: number;
  /** Answered reports per second. */
  readonly rate: number;
}

/** A process that stores reports, or answers as if it did. */
interface Contestant {
  readonly port: number;
  readonly pid: number;
  /** A request that reports, whose commits begin with those digits. */
  request(commits: string): string;
  /** Reads back what was acknowledged; not part of the cost. @throws Error when anything is missing or there twice */
  check(commits: string, answered: number): Promise<void>;
}

/** The cost of a turn of a contestant: load for so many seconds, and again while it took too little to be measured. */
const costOfTurn = async (
  send: SendLoad,
  { port, pid, request, check }: Contestant,
  { connections }: RunSize,
  seconds: number,
): Promise<Cost> => {
  forgetPeak(pid);
  let spent = 0;
  let reports = 0;
  let took = 0;
  let memory = 0;
  while (spent < LEAST_MS) {
    const commits = randomBytes(12).toString('hex');
    const before = processorTimeOf(pid);
    const load = { port, request: request(commits), status: 201, connections, seconds };
    const { answered, seconds: loaded } = await send({ kind: 'closed loop', ...load });
    spent += processorTimeOf(pid) - before;
    memory = memoryOf(pid)?.peak ?? Number.NaN;
    await check(commits, answered);
    reports += answered;
    took += loaded;
  }
  return { perReport: (spent * 1_000) / reports, memory, rate: reports / took };
};

const ECHO = 'plain Koa that parses the same body and answers it as JSON';

/** How many warm-ups a new process needs until its code is optimised: a first report costs three times a later one. */
const WARM_UPS = 6;

const WHY_COST =
  'of the time of the main thread (profile of 200 µs steps, PostgreSQL, after the warm-up) node:http, streams, sockets and events take 27 %, of which the echo has most; steps of a request before and after its route (limits, authentication, validation, turns, headers, log, metrics) 18 %; what is written for the database and its driver 16 %; the collector of garbage 12 %, and nearly all of what the other threads do, a sixth of the whole; Koa with router and compose 8 %; score, attribution and states 3 %. A report leaves 58 kB of garbage, and the collector copies what the 128 reports under way hold. The next cost is therefore the number of objects that a report holds while it waits for its commit: closures and promises of the steps, not one place that is slow.';
const WHY_MEMORY =
  'the memory is mostly garbage that the collector sees no reason to collect on a machine with memory to spare: a smaller young generation (--max-semi-space-size=4) lowers it by a sixth for a third more processor time, so it stays as it is. Fewer objects per report lower both.';

const run = async (size: RunSize, workshop: Workshop): Promise<RowResult> => {
  if (process.platform !== 'linux') throw new Error('Only Linux tells the processor time of another process.');
  const send = startLoadProcess(workshop);
  const databaseUrl = await (await startPostgres(workshop, 'durable')).createDatabase('shipworthy');
  const postgres = await startSubject(workshop, postgresStorage(databaseUrl));
  const sqlite = await startSubject(workshop, sqliteStorage(workshop.path('shipworthy.sqlite')));
  const reporting = (key: string) => (commits: string) => deploymentRequest(APP, key, commits);
  const echo = {
    ...(await startEcho(workshop)),
    request: reporting(postgres.key),
    check: () => Promise.resolve(),
  };
  let verified = 0;
  const stored = (subject: typeof postgres): Contestant => ({
    ...subject,
    request: reporting(subject.key),
    check: async (commits, answered) => {
      await subject.check(commits, answered);
      verified += answered;
    },
  });
  const turnsOf = (contestant: Contestant) => (seconds: number) => costOfTurn(send, contestant, size, seconds);
  const turns = {
    echo: turnsOf(echo),
    postgres: turnsOf(stored(postgres)),
    sqlite: turnsOf(stored(sqlite)),
  };
  for (const warmUp of Object.values(turns)) await warmUp(size.warmUpSeconds * WARM_UPS);
  const rounds = await alternate<keyof typeof turns, Cost>(size.rounds, {
    echo: () => turns.echo(size.seconds),
    postgres: () => turns.postgres(size.seconds),
    sqlite: () => turns.sqlite(size.seconds),
  });
  const line = (
    of: keyof Cost,
    name: 'postgres' | 'sqlite',
    about: Pick<Line, 'what' | 'unit' | 'aims' | 'whyMissed'>,
  ): Line =>
    comparedLine(
      rounds.map((round) => ({ ours: round[name][of], echo: round.echo[of] })),
      'ours',
      'echo',
      { against: ECHO, ...about },
    );
  const cost = (name: 'postgres' | 'sqlite', title: string, most: number): Line =>
    line('perReport', name, {
      what: `${title}: processor time of the server per stored report`,
      unit: 'µs',
      aims: [{ of: 'ratio', most }],
      whyMissed: WHY_COST,
    });
  const memory = (name: 'postgres' | 'sqlite', title: string): Line =>
    line('memory', name, {
      what: `${title}: resident memory under that load, at most`,
      unit: 'MB',
      aims: [{ of: 'measured', most: 140 }],
      whyMissed: WHY_MEMORY,
    });
  return {
    lines: [
      cost('postgres', 'PostgreSQL', 1.4),
      cost('sqlite', 'SQLite, synchronous FULL', 2),
      memory('postgres', 'PostgreSQL'),
      memory('sqlite', 'SQLite, synchronous FULL'),
    ],
    verifiedRecords: verified,
    remarks: [
      `Processor time of all threads of the process, as /proc tells it, over the load; the database's own processes are not counted, so that SQLite, which works within the server, is. ${size.connections} kept-alive connections, each with one request at a time; every request has an Idempotency-Key of its own.`,
      `Read back after every turn: ${countWords(verified)} acknowledged reports, each stored exactly once; remembered answers, kept counts and the project's report agree with them.`,
      'A deployment that comes alone, with an Idempotency-Key, is stored by 8 statements with BEGIN, on both databases, a test run by 8 on PostgreSQL and 7 on SQLite. The point of the trend, at most one a second for each release, takes 6 more, instead of 8 before. `packages/server/test/report-statements.test.ts` counts them.',
    ],
  };
};

/** What a stored report costs the server in processor time, which other work of the machine hardly changes. */
export const reportCost: BenchRow = { name: 'report-cost', title: 'Work of the server per stored report', run };

/** The peer, Parse Server, has a manifest and a lock file of its own: nothing of it is in the workspace. */
const PEER = fileURLToPath(new URL('../../../peers/parse-server', import.meta.url));
const PROGRAM = `${PEER}node_modules/parse-server/bin/parse-server`;
const APPLICATION = { 'X-Parse-Application-Id': 'bench', 'Content-Type': 'application/json' };
const MASTER_KEY = 'a master key of the bench alone';
const READY_WITHIN_MS = 60_000;

/** Installs the peer by its lock file where that is not done yet. @throws Error with what npm says */
const installPeer = (): void => {
  if (existsSync(PROGRAM)) return;
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: PEER,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Parse Server could not be installed in ${PEER}. ${stderr}`);
};

/** Waits until it answers. @throws Error with its last words */
const untilReady = async (url: string, lastWords: () => string): Promise<void> => {
  for (const deadline = performance.now() + READY_WITHIN_MS; performance.now() < deadline; await pause(100)) {
    try {
      if ((await fetch(`${url}/health`, { headers: APPLICATION })).ok) return;
    } catch {
      // Nothing listens there yet.
    }
  }
  throw new Error(`Parse Server did not start. ${lastWords()}`);
};

/** The fields of the class that reports are stored as. */
const FIELDS = ['app_name', 'environment', 'commit_sha', 'version', 'deployed_by', 'status'];

/** Parse Server on an empty database, as its guide sets it up, with a class for deployments. */
const startPeer = async (workshop: Workshop, databaseUrl: string) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/parse`;
  const child = startChild(workshop, {
    program: PROGRAM,
    args: ['--appId', 'bench', '--masterKey', MASTER_KEY, '--databaseURI', databaseUrl]
      .concat(['--host', '127.0.0.1', '--port', String(port)])
      .concat(['--serverURL', url]),
    env: { PARSE_SERVER_LOGS_FOLDER: workshop.path('logs') },
  });
  await untilReady(url, child.lastWords);
  const made = await fetch(`${url}/schemas/Deployment`, {
    method: 'POST',
    headers: { ...APPLICATION, 'X-Parse-Master-Key': MASTER_KEY },
    body: JSON.stringify({
      className: 'Deployment',
      fields: Object.fromEntries(FIELDS.map((name) => [name, { type: 'String' }])),
    }),
  });
  if (!made.ok) throw new Error(`Parse Server did not take the class. ${await made.text()}`);
  return { port, pid: child.process.pid ?? 0, kill: () => endBy(child.process, 'SIGKILL') };
};

const peerRequest = (commits: string): string =>
  requestText({
    method: 'POST',
    path: '/parse/classes/Deployment',
    headers: APPLICATION,
    body: deploymentBody(APP, commits),
    bodyGrowth: GROWTH,
  });

/** Notes what was acknowledged, so that it can be read back after the process was killed. */
const noting = (noted: Map<string, number>) => async (commits: string, answered: number) => {
  noted.set(commits, answered);
};

const readBack = async (databaseUrl: string, table: string, noted: ReadonlyMap<string, number>): Promise<number> => {
  let reports = 0;
  for (const [commits, answered] of noted) {
    await requireStoredOnce(postgresQuery(databaseUrl), commits, answered, table);
    reports += answered;
  }
  return reports;
};

const takeTurns = async (send: SendLoad, size: RunSize, ours: Contestant, peer: Contestant) => {
  for (const contestant of [ours, peer]) await costOfTurn(send, contestant, size, size.warmUpSeconds * WARM_UPS);
  return alternate<'ours' | 'peer', Cost>(size.rounds, {
    ours: () => costOfTurn(send, ours, size, size.seconds),
    peer: () => costOfTurn(send, peer, size, size.seconds),
  });
};

const runBesidePeer = async (size: RunSize, workshop: Workshop): Promise<RowResult> => {
  if (process.platform !== 'linux') throw new Error('Only Linux tells the processor time of another process.');
  installPeer();
  const send = startLoadProcess(workshop);
  const postgres = await startPostgres(workshop, 'durable');
  const [ourUrl, peerUrl] = [await postgres.createDatabase('shipworthy'), await postgres.createDatabase('parse')];
  const subject = await startSubject(workshop, postgresStorage(ourUrl));
  const peer = await startPeer(workshop, peerUrl);
  const [ourReports, peerReports] = [new Map<string, number>(), new Map<string, number>()];
  const rounds = await takeTurns(
    send,
    size,
    {
      ...subject,
      request: (commits) => deploymentRequest(APP, subject.key, commits),
      check: noting(ourReports),
    },
    { ...peer, request: peerRequest, check: noting(peerReports) },
  );
  process.kill(subject.pid, 'SIGKILL');
  await peer.kill();
  const found =
    (await readBack(ourUrl, 'deployments', ourReports)) + (await readBack(peerUrl, '"Deployment"', peerReports));
  const line = (of: keyof Cost, what: string, unit: Line['unit']): Line =>
    comparedLine(
      rounds.map((round) => ({ ours: round.ours[of], peer: round.peer[of] })),
      'ours',
      'peer',
      { what, unit, against: 'Parse Server, an object stored by its REST interface', aims: [] },
    );
  return {
    lines: [
      line('rate', 'a stored report: POST /api/deployments', 'per second'),
      line('perReport', 'processor time of the server per stored report', 'µs'),
      line('memory', 'resident memory under that load, at most', 'MB'),
    ],
    verifiedRecords: found,
    remarks: [
      `Both on one PostgreSQL that flushes each commit. Parse Server 9, installed by packages/bench/peers/parse-server, is set up as its guide says: its program with an application id, a master key and a class for deployments. ${size.connections} kept-alive connections, each with one request at a time.`,
      'Not the same work: ours asks for an API key, finds project and release, counts, and remembers the answer under the Idempotency-Key; Parse Server asks for the application id and stores the object.',
      `Both were ended by SIGKILL after the last turn, and ${countWords(found)} acknowledged reports were read back from the database, each stored exactly once.`,
    ],
  };
};

/** A stored report beside another server that people run for such data. */
export const peerReport: BenchRow = {
  name: 'peer-report',
  title: 'A stored report beside Parse Server',
  run: runBesidePeer,
};
