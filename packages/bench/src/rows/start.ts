import { setTimeout as pause } from 'node:timers/promises';
import { startBareKoa } from '../baseline/bare-koa.js';
import { startLoadProcess } from '../load/load-process.js';
import { alternate, type Round } from '../measure/alternate.js';
import { type Aim, type Line, lineOf, type RowResult } from '../measure/line.js';
import { forgetPeak, memoryOf } from '../process/memory.js';
import { type Postgres, startPostgres } from '../process/postgres.js';
import { inWorkshop, type Workshop } from '../process/workshop.js';
import { firstPerson } from '../subject/person.js';
import { createKey, createProject, createTeam } from '../subject/project.js';
import { deploymentRequest } from '../subject/requests.js';
import { startShipworthy, timeStart } from '../subject/shipworthy.js';
import type { Row, RunSize } from './row.js';

const IDLE_MS = 1_000;
const COMMITS = 'a5'.repeat(12);
const APP = 'checkout';
const KOA = 'bare Koa that answers 201 to everything';
const QUICK: readonly Aim[] = [{ of: 'measured', most: 1.5 }];
const SLIM: readonly Aim[] = [{ of: 'measured', most: 150 }];

/** Seconds until the first answer, MB while nothing happens afterwards. */
interface Start {
  readonly seconds: number;
  readonly idle: number;
}

const idleMemory = async (pid: number, idleMs: number): Promise<number> => {
  await pause(idleMs);
  return memoryOf(pid)?.now ?? Number.NaN;
};

const startOnce = (databaseUrl: string, idleMs: number): Promise<Start> =>
  inWorkshop(async (workshop) => {
    const { milliseconds, pid } = await timeStart(workshop, databaseUrl);
    return { seconds: milliseconds / 1_000, idle: await idleMemory(pid, idleMs) };
  });

const startBare = (idleMs: number): Promise<Start> =>
  inWorkshop(async (workshop) => {
    const { milliseconds, pid } = await startBareKoa(workshop);
    return { seconds: milliseconds / 1_000, idle: await idleMemory(pid, idleMs) };
  });

/** First and second start on new databases, and the bare server, in turns. */
const startInTurns = (workshop: Workshop, postgres: Postgres, { rounds, seconds }: RunSize) => {
  const idleMs = Math.min(IDLE_MS, seconds * 1_000);
  let file = '';
  let url = '';
  let databases = 0;
  return alternate<'bare' | 'sqlite' | 'sqliteAgain' | 'postgres' | 'postgresAgain', Start>(rounds, {
    bare: () => startBare(idleMs),
    sqlite: () => {
      file = `sqlite:${workshop.path('shipworthy.sqlite')}`;
      return startOnce(file, idleMs);
    },
    sqliteAgain: () => startOnce(file, idleMs),
    postgres: async () => {
      databases += 1;
      url = await postgres.createDatabase(`start_${databases}`);
      return startOnce(url, idleMs);
    },
    postgresAgain: () => startOnce(url, idleMs),
  });
};

/** The most memory a fresh server takes under the load of the row of writes, in MB. */
const peakUnderLoad = (databaseUrl: string, size: RunSize): Promise<number> =>
  inWorkshop(async (workshop) => {
    const server = await startShipworthy(workshop, databaseUrl);
    const person = await firstPerson(server);
    await createProject(person, await createTeam(person), APP, Date.now() - IDLE_MS);
    const key = await createKey(person);
    forgetPeak(server.pid);
    return peakOf(workshop, server, key, size);
  });

const peakOf = async (
  workshop: Workshop,
  { port, pid }: { readonly port: number; readonly pid: number },
  key: string,
  { connections, seconds }: RunSize,
): Promise<number> => {
  const send = startLoadProcess(workshop);
  const request = deploymentRequest(APP, key, COMMITS);
  await send({ kind: 'closed loop', port, request, status: 201, connections, seconds: seconds * 2 });
  return memoryOf(pid)?.peak ?? Number.NaN;
};

const loadInTurns = (workshop: Workshop, postgres: Postgres, size: RunSize) => {
  let databases = 0;
  return alternate<'bare' | 'sqlite' | 'postgres'>(Math.min(size.rounds, 3), {
    bare: () => inWorkshop(async (inner) => peakOf(inner, await startBareKoa(inner), 'none', size)),
    sqlite: () => peakUnderLoad(`sqlite:${workshop.path('loaded.sqlite')}`, size),
    postgres: async () => {
      databases += 1;
      return peakUnderLoad(await postgres.createDatabase(`loaded_${databases}`), size);
    },
  });
};

const startLines = (
  rounds: readonly Round<'bare' | 'sqlite' | 'sqliteAgain' | 'postgres' | 'postgresAgain', Start>[],
): readonly Line[] => {
  const line = (of: keyof Start, name: keyof (typeof rounds)[number], what: string, aims: readonly Aim[]): Line =>
    lineOf(
      rounds.map((round) => ({ ours: round[name][of], bare: round.bare[of] })),
      'ours',
      'bare',
      {
        what,
        against: KOA,
        unit: of === 'seconds' ? 's' : 'MB',
        aims,
        whyMissed: of === 'seconds' ? TIME_MISSED : MEMORY_MISSED,
      },
    );
  const times = [
    line('seconds', 'sqlite', 'SQLite: from an empty folder to the first answer', QUICK),
    line('seconds', 'sqliteAgain', 'SQLite: a later start', QUICK),
    line('seconds', 'postgres', 'PostgreSQL: from an empty database to the first answer', QUICK),
    line('seconds', 'postgresAgain', 'PostgreSQL: a later start', QUICK),
  ];
  if (process.platform !== 'linux') return times;
  return [
    ...times,
    line('idle', 'sqliteAgain', 'SQLite: resident memory, idle', SLIM),
    line('idle', 'postgresAgain', 'PostgreSQL: resident memory, idle', SLIM),
  ];
};

const TIME_MISSED =
  'the start takes about a second of processor time, most of it for loading and compiling its modules; a machine whose cores are busy with other things gives it that more slowly, and the bare Koa just so (the ratio). One bundle of the server would save some hundred looks for files.';
const MEMORY_MISSED =
  'the memory is mostly garbage that the collector sees no reason to collect on a machine with memory to spare. Where memory is scarce, `NODE_OPTIONS="--max-old-space-size=96 --max-semi-space-size=4"` makes it collect sooner.';

const run = async (size: RunSize, workshop: Workshop): Promise<RowResult> => {
  const postgres = await startPostgres(workshop, 'durable');
  const starts = await startInTurns(workshop, postgres, size);
  const loads = process.platform === 'linux' ? await loadInTurns(workshop, postgres, size) : [];
  const peak = (name: 'sqlite' | 'postgres', title: string): readonly Line[] =>
    loads.length === 0
      ? []
      : [
          lineOf(loads, name, 'bare', {
            what: `${title}: resident memory under the load of the row of writes, at most`,
            against: `${KOA}, under the same load`,
            unit: 'MB',
            aims: SLIM,
            whyMissed: MEMORY_MISSED,
          }),
        ];
  return {
    lines: [...startLines(starts), ...peak('sqlite', 'SQLite'), ...peak('postgres', 'PostgreSQL')],
    verifiedRecords: 0,
    remarks: [
      'From the start of the process to the first 200 of `/readyz`: settings read, keys made, every table made, server listening. Asked every 5 ms.',
      `Idle: ${IDLE_MS / 1_000} s after the first answer. Under load: ${size.connections} connections report deployments for ${size.seconds * 2} s, the server being used for nothing before but its setup; ${Math.min(size.rounds, 3)} rounds.`,
    ],
  };
};

/** How soon the server answers, and what it takes of memory. */
export const start: Row = { name: 'start', title: 'Start and memory', run };
