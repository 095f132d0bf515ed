import { startBaseline } from '../baseline/baseline-process.js';
import type { SendLoad } from '../load/load-process.js';
import { alternate } from '../measure/alternate.js';
import { type Line, lineOf } from '../measure/line.js';
import type { Workshop } from '../process/workshop.js';
import { readinessPath, readinessRequest } from '../subject/requests.js';
import type { ReadingScene } from './reading-scene.js';
import type { RunSize } from './row.js';

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding']);

/** The headers of the server's own 304, so that the baseline sends as many bytes. */
const headersOf304 = async ({ server, large, key, report }: ReadingScene): Promise<Record<string, string>> => {
  const response = await fetch(`http://127.0.0.1:${server.port}${readinessPath(large)}`, {
    headers: { authorization: `Bearer ${key}`, 'if-none-match': report.etag },
  });
  if (response.status !== 304) throw new Error(`An unchanged report was answered ${response.status} instead of 304.`);
  return Object.fromEntries([...response.headers].filter(([name]) => !HOP_BY_HOP.has(name)));
};

/** How many unchanged reports the server answers with 304, against a bare Koa that sends the same 304 to everybody. */
export const compareNotModified = async (
  workshop: Workshop,
  send: SendLoad,
  scene: ReadingScene,
  size: RunSize,
): Promise<Line> => {
  const barePort = await startBaseline(workshop, 'not-modified', JSON.stringify(await headersOf304(scene)));
  const request = readinessRequest(scene.large, scene.key, scene.report.etag);
  const turn = async (port: number, seconds: number): Promise<number> => {
    const { connections } = size;
    const result = await send({ kind: 'closed loop', port, request, status: 304, connections, seconds });
    return result.answered / result.seconds;
  };
  await turn(barePort, size.warmUpSeconds);
  await turn(scene.server.port, size.warmUpSeconds);
  const rounds = await alternate(size.rounds, {
    bare: () => turn(barePort, size.seconds),
    ours: () => turn(scene.server.port, size.seconds),
  });
  return lineOf(rounds, 'ours', 'bare', {
    what: 'GET readiness, unchanged: 304, as many as it can',
    against: 'bare Koa, the same 304 to every request',
    unit: 'per second',
    aims: [{ of: 'ratio', least: 0.6 }],
    whyMissed:
      'an answer takes the thread less than twice what it takes a bare Koa that looks at nothing: the difference is the check of the key, the place in sight, one look at the revision in the database shared by all who ask at the same time, and the headers of limits and request ids. Keeping revisions in memory would reach it, at the price of answers that are old by as much as the news takes between processes.',
  });
};
