import { startBareKoa } from '../baseline/bare-koa.js';
import { startLoadProcess } from '../load/load-process.js';
import { alternate } from '../measure/alternate.js';
import { type Line, lineOf } from '../measure/line.js';
import { forgetPeak, memoryOf } from '../process/memory.js';
import type { Postgres } from '../process/postgres.js';
import { inWorkshop, type Workshop } from '../process/workshop.js';
import { firstPerson } from '../subject/person.js';
import { createKey, createProject, createTeam } from '../subject/project.js';
import { deploymentRequest } from '../subject/requests.js';
import { startShipworthy } from '../subject/shipworthy.js';
import type { RunSize } from './row.js';

const COMMITS = 'a5'.repeat(12);
const APP = 'checkout';
const HOUR_MS = 3_600_000;
const MOST_ROUNDS = 3;

/** What memory is held against. */
export const BARE_KOA = 'bare Koa that answers 201 to everything';

/** What is asked of memory, and why it may be missed. */
export const SLIM: Pick<Line, 'aims' | 'whyMissed'> = {
  aims: [{ of: 'measured', most: 150 }],
  whyMissed:
    'the memory is mostly garbage that the collector sees no reason to collect on a machine with memory to spare. `NODE_OPTIONS="--max-old-space-size=512 --max-semi-space-size=8"` held it at 135 MB on PostgreSQL and 152 MB on SQLite, for about a fifth more processor time per report: set it where memory is scarce.',
};

/** How long the load lasts: two turns of other rows. */
const loadSeconds = ({ seconds }: RunSize): number => seconds * 2;

const peakOf = async (
  workshop: Workshop,
  { port, pid }: { readonly port: number; readonly pid: number },
  key: string,
  size: RunSize,
): Promise<number> => {
  const send = startLoadProcess(workshop);
  const request = deploymentRequest(APP, key, COMMITS);
  const { connections } = size;
  await send({ kind: 'closed loop', port, request, status: 201, connections, seconds: loadSeconds(size) });
  return memoryOf(pid)?.peak ?? Number.NaN;
};

/** The most memory a fresh server takes under the load of the row of writes, in MB. */
const peakUnderLoad = (databaseUrl: string, size: RunSize): Promise<number> =>
  inWorkshop(async (workshop) => {
    const server = await startShipworthy(workshop, databaseUrl);
    const person = await firstPerson(server);
    await createProject(person, await createTeam(person), APP, Date.now() - HOUR_MS);
    const key = await createKey(person);
    forgetPeak(server.pid);
    return peakOf(workshop, server, key, size);
  });

const roundsOf = (size: RunSize): number => Math.min(size.rounds, MOST_ROUNDS);

const loadInTurns = (workshop: Workshop, postgres: Postgres, size: RunSize) => {
  let databases = 0;
  return alternate<'bare' | 'sqlite' | 'postgres'>(roundsOf(size), {
    bare: () => inWorkshop(async (inner) => peakOf(inner, await startBareKoa(inner), 'none', size)),
    sqlite: () => peakUnderLoad(`sqlite:${workshop.path('loaded.sqlite')}`, size),
    postgres: async () => {
      databases += 1;
      return peakUnderLoad(await postgres.createDatabase(`loaded_${databases}`), size);
    },
  });
};

/** How much memory the server takes under load, on both databases; no line where the system does not tell. */
export const loadedMemory = async (
  workshop: Workshop,
  postgres: Postgres,
  size: RunSize,
): Promise<{ readonly lines: readonly Line[]; readonly remark: string }> => {
  const rounds = process.platform === 'linux' ? await loadInTurns(workshop, postgres, size) : [];
  const line = (name: 'sqlite' | 'postgres', title: string): Line =>
    lineOf(rounds, name, 'bare', {
      what: `${title}: resident memory under the load of the row of writes, at most`,
      against: `${BARE_KOA}, under the same load`,
      unit: 'MB',
      ...SLIM,
    });
  return {
    lines: rounds.length === 0 ? [] : [line('sqlite', 'SQLite'), line('postgres', 'PostgreSQL')],
    remark: `Under load: ${size.connections} connections report deployments for ${loadSeconds(size)} s, the server being used for nothing before but its setup; ${roundsOf(size)} rounds.`,
  };
};
