import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { requestText, type SendLoad, startLoadProcess } from '../load/load-process.js';
import { countWords } from '../page/table.js';
import { forgetPeak, memoryOf } from '../process/child.js';
import type { Workshop } from '../process/workshop.js';
import { countedDeployments } from '../read-back.js';
import { type BenchProject, createKey, deploymentRequest, setUpProject, setUpTeam } from '../subject/project.js';
import { firstPerson, type RunningServer, startShipworthy } from '../subject/shipworthy.js';
import {
  type FaultLine,
  type FaultProgramme,
  type FaultSize,
  holds,
  type NamedStorage,
  storagesOf,
} from './fault-programme.js';
import { type FloodOrder, type FloodResult, startFlooding } from './flood.js';
import { holdSlowSockets, type Manner } from './slow-sockets.js';
import { floodLines, memoryLines, recoveryLine, seenLines, type Watch, watchReport } from './watch.js';

const HOUR_MS = 3_600_000;

/** A flooded server, and another caller who only wants to read a report. */
interface Besieged {
  readonly server: RunningServer;
  /** The project that reports go to. */
  readonly project: BenchProject;
  /** The key of the flooding caller. */
  readonly key: string;
  /** Reads the report of another project at a steady rate. */
  watchReport(): Watch;
  /** The most memory the server took since this was last asked, in MB; null where the system does not tell. */
  peak(): number | null;
  isAlive(): boolean;
}

/** @param settings of the server beside the usual ones */
const besiege = async (
  workshop: Workshop,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Besieged> => {
  const server = await startShipworthy(workshop, databaseUrl, settings);
  const person = await firstPerson(server);
  const teamId = await setUpTeam(person);
  const project = await setUpProject(person, teamId, 'checkout', Date.now() - HOUR_MS);
  const calm = await setUpProject(person, teamId, 'ledger', Date.now() - HOUR_MS);
  const [key, readerKey] = [await createKey(person), await createKey(person)];
  forgetPeak(server.pid);
  return {
    server,
    project,
    key,
    watchReport: () => watchReport(server.port, calm, readerKey),
    peak: () => {
      const memory = memoryOf(server.pid);
      forgetPeak(server.pid);
      return memory?.peak ?? null;
    },
    isAlive: () => {
      try {
        return process.kill(server.pid, 0);
      } catch {
        return false;
      }
    },
  };
};

const RECORDS = 200;

/** Reports many deployments at once: much work for the server, little for the caller. */
const batchRequest = ({ key, project }: Besieged): string => {
  const record = {
    app_name: project.name,
    environment: 'production',
    commit_sha: 'b'.repeat(40),
    version: '4.12.0',
    deployed_by: 'ci',
    status: 'success',
  };
  return requestText({
    method: 'POST',
    path: '/api/deployments/batch',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(Array.from({ length: RECORDS }, () => record)),
  });
};

/** How a slow socket of each manner begins. */
const slowBeginnings = ({ key }: Besieged): Readonly<Record<Manner, string>> => ({
  silent: '',
  headers: 'GET /api/whoami HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ',
  body: `POST /api/deployments HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`,
  reader: requestText({ method: 'GET', path: '/api/openapi.json', headers: {} }),
});

const CONNECTIONS = 64;
const ENOUGH = 0.9;
const RECOVERY_PATIENCE_MS = 30_000;

/** Measures the requests per second of a server when every caller waits for its answer. */
const capacityOf = (send: SendLoad, besieged: Besieged) => {
  const { server, project, key } = besieged;
  const measured = async (request: string, status: number, connections: number, seconds: number): Promise<number> => {
    const order = { kind: 'closed loop', port: server.port, request, status, connections, seconds } as const;
    const { answered, seconds: took } = await send(order);
    return answered / took;
  };
  const single = (seconds: number): Promise<number> =>
    measured(deploymentRequest(project.name, key, randomBytes(12).toString('hex')), 201, CONNECTIONS, seconds);
  return {
    single,
    batches: (seconds: number) => measured(batchRequest(besieged), 200, 8, seconds),
    /** Milliseconds until nearly as much is carried as before; measured in turns of so many seconds. */
    untilAgain: async (before: number, seconds: number): Promise<number> => {
      const begin = performance.now();
      while (performance.now() - begin < RECOVERY_PATIENCE_MS) {
        const turnBegan = performance.now();
        // A request may be refused once more right after a flood; that does not count as full speed.
        const now = await single(seconds).catch(() => 0);
        if (now >= ENOUGH * before) return turnBegan - begin;
      }
      return RECOVERY_PATIENCE_MS;
    },
  };
};

/** How much a run asks of a server. */
interface OverloadSize {
  readonly slowSockets: number;
  /** In a full run longer than any time limit of the server for slow senders. */
  readonly slowSeconds: number;
  readonly floodSeconds: number;
  readonly floodConnections: number;
  readonly capacitySeconds: number;
}

const overloadSize = (size: FaultSize): OverloadSize =>
  size === 'full'
    ? { slowSockets: 2_000, slowSeconds: 45, floodSeconds: 10, floodConnections: 2_000, capacitySeconds: 3 }
    : { slowSockets: 120, slowSeconds: 1, floodSeconds: 1, floodConnections: 400, capacitySeconds: 0.3 };

/** The rate of a flood, as a multiple of what the server can carry. */
const TIMES = 10;
const PATIENCE_MS = 20_000;

interface LoadTools {
  readonly send: SendLoad;
  readonly flood: (order: FloodOrder) => Promise<FloodResult>;
  readonly size: OverloadSize;
}

const slowSockets = async (workshop: Workshop, title: string, besieged: Besieged, size: OverloadSize) => {
  const { server } = besieged;
  const order = { port: server.port, sockets: size.slowSockets, beginnings: slowBeginnings(besieged) };
  const slow = await holdSlowSockets(workshop, order);
  const watch = besieged.watchReport();
  await pause(size.slowSeconds * 1_000);
  const seen = await watch.end();
  const { openNow, cut, answers } = await slow.end();
  const what = `${title}, ${size.slowSockets} slow sockets`;
  const ended = Object.entries(cut).map(([manner, count]) => `${manner} ${count}`);
  const told = Object.entries(answers).map(([status, count]) => `${count} x ${status}`);
  const remark = `${what}: ${openNow} open in the end; cut off and opened anew: ${ended.join(', ')}; told ${told.join(', ') || 'nothing'}.`;
  const lines = [
    ...seenLines(`${what}: another one reads a report`, seen),
    ...memoryLines(`${what}: memory`, besieged.peak()),
  ];
  return { lines, remark };
};

const oneFlood = async (
  what: string,
  besieged: Besieged,
  { flood, size }: LoadTools,
  requests: readonly string[],
  carried: number,
): Promise<readonly FaultLine[]> => {
  const watch = besieged.watchReport();
  const perSecond = TIMES * carried;
  const { floodSeconds: seconds, floodConnections: mostConnections } = size;
  const result = await flood({
    port: besieged.server.port,
    requests,
    perSecond,
    seconds,
    mostConnections,
    patienceMs: PATIENCE_MS,
  });
  const seen = await watch.end();
  return [
    ...floodLines(what, result, perSecond),
    ...seenLines(`${what}: another one reads a report`, seen),
    ...memoryLines(`${what}: memory`, besieged.peak()),
  ];
};

const stillRight = async (
  title: string,
  { query }: NamedStorage,
  { project, isAlive }: Besieged,
): Promise<FaultLine> => {
  const stored = await countedDeployments(query, project.id);
  const what = `${title}: afterwards the server runs, and what is counted is what is stored`;
  return holds(what, `${countWords(stored)} deployments`, 'equal', isAlive());
};

const onDatabase = async (workshop: Workshop, storage: NamedStorage, tools: LoadTools) => {
  const { title } = storage;
  const besieged = await besiege(workshop, storage.databaseUrl);
  const capacity = capacityOf(tools.send, besieged);
  const { capacitySeconds } = tools.size;
  await capacity.single(capacitySeconds);
  const carried = await capacity.single(capacitySeconds);
  const batches = await capacity.batches(capacitySeconds);
  const usual = memoryLines(`${title}: memory under the load it carries`, besieged.peak());
  const slow = await slowSockets(workshop, title, besieged, tools.size);
  const single = deploymentRequest(besieged.project.name, besieged.key, randomBytes(12).toString('hex'));
  const bySingle = await oneFlood(`${title}, ten times the reports`, besieged, tools, [single], carried);
  const afterSingle = await capacity.untilAgain(carried, capacitySeconds / 3);
  const byBatch = await oneFlood(`${title}, ten times the batches`, besieged, tools, [batchRequest(besieged)], batches);
  const afterBatch = await capacity.untilAgain(carried, capacitySeconds / 3);
  return {
    lines: [
      ...usual,
      ...slow.lines,
      ...bySingle,
      recoveryLine(`${title}, after the reports`, afterSingle),
      ...byBatch,
      recoveryLine(`${title}, after the batches`, afterBatch),
      await stillRight(title, storage, besieged),
    ],
    remarks: [
      `${title} carries ${countWords(carried)} reports/s, or ${Math.round(batches)} batches/s of 200.`,
      slow.remark,
    ],
  };
};

/** Floods a server with the default limit on requests. */
const withLimits = async (workshop: Workshop, tools: LoadTools): Promise<readonly FaultLine[]> => {
  const databaseUrl = `sqlite:${workshop.path('limited.sqlite')}`;
  const besieged = await besiege(workshop, databaseUrl, { SHIPWORTHY_RATE_LIMIT: '6000' });
  const single = deploymentRequest(besieged.project.name, besieged.key, randomBytes(12).toString('hex'));
  return oneFlood('With the usual limit of 6,000 a minute and key', besieged, tools, [single], 300);
};

const run = async (wanted: FaultSize, workshop: Workshop) => {
  const size = overloadSize(wanted);
  const tools = { send: startLoadProcess(workshop), flood: startFlooding(workshop), size };
  const storages = await storagesOf(wanted, workshop);
  const lines: FaultLine[] = wanted === 'full' ? [...(await withLimits(workshop, tools))] : [];
  const remarks: string[] = [];
  for (const storage of storages) {
    const found = await onDatabase(workshop, storage, tools);
    lines.push(...found.lines);
    remarks.push(...found.remarks);
  }
  return { lines, remarks };
};

/** Slow sockets, and far more than can be carried. */
export const overload: FaultProgramme = {
  name: 'overload',
  title: 'Slow sockets, and ten times the load that can be carried',
  run,
};
