import { openDatabase, STEP_COUNT, stepsTaken } from '@shipworthy/adapters/test-migrations';
import { exitOf } from '../../process/child.js';
import type { Workshop } from '../../process/workshop.js';
import { standingServer } from '../../subject/shipworthy.js';
import { type FaultLine, holds } from '../fault-programme.js';
import { STARTERS } from './killed-steps.js';

/** Three processes take all steps of an empty database at once. On SQLite those who come too late may be sent away: one process has a file. */
export const startThreeAtOnce = async (workshop: Workshop, title: string, url: string): Promise<FaultLine> => {
  const server = await standingServer(workshop, url);
  const codes = await Promise.all(Array.from({ length: STARTERS }, () => exitOf(server.begin('migrate').process)));
  const database = await openDatabase({ url });
  const taken = await stepsTaken(database).finally(() => database.close());
  await server.start();
  await server.end('SIGTERM');
  const done = codes.filter((code) => code === 0).length;
  const met = taken === STEP_COUNT && (title === 'SQLite' ? done > 0 : done === STARTERS);
  const what = `${title}: ${STARTERS} processes take all steps at once, then a server starts`;
  return holds(
    what,
    `${done} of ${STARTERS} ended well, ${taken} of ${STEP_COUNT} steps`,
    'every step once; ready',
    met,
  );
};
