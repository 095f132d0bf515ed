import { setTimeout as pause } from 'node:timers/promises';
import { endBy } from '../../process/child.js';
import type { Postgres } from '../../process/postgres.js';
import type { Workshop } from '../../process/workshop.js';
import { standingServer } from '../../subject/shipworthy.js';
import { type FaultLine, holds, tookAtMost } from '../fault-programme.js';
import { PATIENCE_MS, RECOVERY_AIM_MS } from './go-through.js';
import { watchHealth } from './health-watch.js';

const ASK_EVERY_MS = 25;

const happensInTime = async (isSo: () => Promise<boolean>): Promise<boolean> => {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; ) {
    if (await isSo()) return true;
    await pause(ASK_EVERY_MS);
  }
  return false;
};

const status = async (port: number, path: string): Promise<number> =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    (response) => response.status,
    () => 0,
  );

/** An instance that starts while its database, which is empty, is away. */
export const startLate = async (workshop: Workshop, postgres: Postgres): Promise<readonly FaultLine[]> => {
  const server = await standingServer(workshop, await postgres.createDatabase('late'));
  await postgres.stop();
  const child = server.begin('start');
  const isUp = await happensInTime(async () => (await status(server.port, '/livez')) === 200);
  const meanwhile = [await status(server.port, '/readyz'), await status(server.port, '/api/about')];
  await postgres.start();
  const startedAt = performance.now();
  const health = watchHealth(server.port);
  const isReady = await happensInTime(async () => health.isReady);
  const took = performance.now() - startedAt;
  const afterwards = await status(server.port, '/api/about');
  await health.stop();
  await endBy(child.process, 'SIGTERM');
  return [
    holds(
      'started while PostgreSQL is away: readyz and a request, then a request once it is ready',
      [...meanwhile, afterwards].join(', '),
      '503, 503, 200',
      isUp && isReady && [...meanwhile, afterwards].join() === '503,503,200',
    ),
    tookAtMost('started while PostgreSQL is away: schema made and ready after it is back', took, RECOVERY_AIM_MS),
  ];
};
