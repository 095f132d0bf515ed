import { randomBytes } from 'node:crypto';
import { alternate, comparedLine, type RowResult } from '../figures.js';
import { openConnection } from '../load/connection.js';
import { SEQUENCE, type SendLoad, sequenceText, startLoadProcess } from '../load/load-process.js';
import { countWords } from '../page/table.js';
import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { countedDeployments, postgresQuery, requireEqual, requireRemembered, requireStoredOnce } from '../read-back.js';
import { firstPerson } from '../subject/person.js';
import { createKey, deploymentRequest, readReleaseReport, setUpProject, setUpTeam } from '../subject/project.js';
import { type RunningServer, startShipworthy } from '../subject/shipworthy.js';
import type { BenchRow, RunSize } from './row.js';

/**
 * Sends the first so many requests of a load once more, to a server that need not be the one that stored them: each must be
 * answered 201 with the record of its own commit. @throws Error
 */
const requireReplay = async ({ port }: RunningServer, request: string, count: number): Promise<void> => {
  const connection = await openConnection(port);
  try {
    for (let sequence = 0; sequence < count; sequence += 1) {
      const own = request.replaceAll(SEQUENCE, sequenceText(sequence));
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

const PROCESSES = 4;
const REPLAYS = 20;
const HOUR_MS = 3_600_000;
const APP = 'checkout';

/** One database with several servers on it that know nothing of each other but the secret they were given. */
const setScene = async (workshop: Workshop) => {
  const databaseUrl = await (await startPostgres(workshop, 'durable')).createDatabase('shipworthy');
  const secret = { SHIPWORTHY_SECRET_KEY: randomBytes(48).toString('base64') };
  const first = await startShipworthy(workshop, databaseUrl, secret);
  const others = Array.from({ length: PROCESSES - 1 }, () => startShipworthy(workshop, databaseUrl, secret));
  const servers = [first, ...(await Promise.all(others))];
  const person = await firstPerson(first);
  const project = await setUpProject(person, await setUpTeam(person), APP, Date.now() - HOUR_MS);
  return { first, servers, project, key: await createKey(person), query: postgresQuery(databaseUrl) };
};

type Scene = Awaited<ReturnType<typeof setScene>>;

/** Puts servers under load at once; deployments per second of all together, each found again once afterwards. */
const loadOn = (scene: Scene, sends: readonly SendLoad[], { connections }: RunSize) => {
  const { key, query, project } = scene;
  let verified = 0;
  const readBack = async (loads: readonly { readonly commits: string; readonly answered: number }[]): Promise<void> => {
    for (const { commits, answered } of loads) {
      await requireStoredOnce(query, commits, answered);
      verified += answered;
    }
    // What one process stored is answered again by every other, and stored by none.
    for (const [index, { commits, answered }] of loads.entries()) {
      const other = scene.servers[(index + 1) % PROCESSES] ?? scene.first;
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
        what: `POST /api/deployments on ${PROCESSES} processes at once`,
        against: 'on one of them',
        unit: 'per second',
        aims: [],
      }),
    ],
    verifiedRecords: verified(),
    remarks: [
      `${PROCESSES} processes on one database, each with folders of its own; ${size.connections} kept-alive connections in all, every request with an Idempotency-Key of its own. All of them share this machine's cores with the database and the load: the ratio says what sharing the database costs, not what more machines would bring.`,
      `Read back after every turn: ${countWords(verified())} acknowledged records, each there exactly once; kept counts agree, every process reports all of them, and ${REPLAYS} requests of each process, repeated at another one, got the same answers and stored nothing.`,
    ],
  };
};

/** Several processes on one PostgreSQL against one of them: nothing lost, nothing doubled. */
export const processes: BenchRow = { name: 'processes', title: 'Several processes on one PostgreSQL', run };
