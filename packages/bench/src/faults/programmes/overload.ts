import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type SendLoad, startLoadProcess } from '../../load/load-process.js';
import { countWords } from '../../page/wording.js';
import type { Workshop } from '../../process/workshop.js';
import { countedDeployments } from '../../read-back/stored-deployments.js';
import { deploymentRequest } from '../../subject/requests.js';
import { type FaultLine, type FaultProgramme, type FaultSize, holds } from '../fault-programme.js';
import { type Besieged, besiege } from '../overload/besieged.js';
import { capacityOf } from '../overload/capacity.js';
import type { FloodOrder, FloodResult } from '../overload/flood-order.js';
import { startFlooding } from '../overload/flood-process.js';
import { floodLines, memoryLines, recoveryLine, seenLines } from '../overload/lines.js';
import { type OverloadSize, overloadSize } from '../overload/overload-size.js';
import { batchRequest, slowBeginnings } from '../overload/requests.js';
import { holdSlowSockets } from '../overload/slow-process.js';
import { type NamedStorage, storagesOf } from '../storages.js';

/** How many times what can be carried is asked. */
const TIMES = 10;
const PATIENCE_MS = 20_000;

interface Tools {
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
  { flood, size }: Tools,
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

const onDatabase = async (workshop: Workshop, storage: NamedStorage, tools: Tools) => {
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

/** With the limit on requests that is there unless somebody takes it away. */
const withLimits = async (workshop: Workshop, tools: Tools): Promise<readonly FaultLine[]> => {
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
