import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { alternate, comparedLine, type Line, type RowResult } from '../figures.js';
import { requestText, type SendLoad, startLoadProcess } from '../load/load-process.js';
import { countWords } from '../page/table.js';
import { endBy, freePort, startChild } from '../process/child.js';
import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { postgresQuery, postgresStorage, requireStoredOnce } from '../read-back.js';
import { deploymentBody, deploymentRequest, GROWTH } from '../subject/project.js';
import { startSubject } from './durable-writes.js';
import { type Contestant, type Cost, costOfTurn, WARM_UPS } from './report-cost.js';
import type { BenchRow, RunSize } from './row.js';

const APP = 'checkout';

/** The peer has a manifest and a lock file of its own: nothing of it is in the workspace. */
const PEER = fileURLToPath(new URL('../../../peers/parse-server/', import.meta.url));
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

/** The class of objects that reports are stored as. */
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

/** Notes what was acknowledged, to find it again when the process has been killed. */
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

const run = async (size: RunSize, workshop: Workshop): Promise<RowResult> => {
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
export const peerReport: BenchRow = { name: 'peer-report', title: 'A stored report beside Parse Server', run };
