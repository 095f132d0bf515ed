import { setTimeout as pause } from 'node:timers/promises';
import { startBareKoa } from '../baseline/bare-koa.js';
import { alternate, type Round } from '../measure/alternate.js';
import { type Line, lineOf, type RowResult } from '../measure/line.js';
import { memoryOf } from '../process/memory.js';
import { type Postgres, startPostgres } from '../process/postgres.js';
import { inWorkshop, type Workshop } from '../process/workshop.js';
import { timeStart } from '../subject/shipworthy.js';
import { BARE_KOA, loadedMemory, SLIM } from './loaded-memory.js';
import type { Row, RunSize } from './row.js';

const IDLE_MS = 1_000;
const QUICK: Pick<Line, 'aims' | 'whyMissed'> = {
  aims: [{ of: 'measured', most: 1.5 }],
  whyMissed:
    'the start takes about a second of processor time, most of it for loading and compiling its modules; a machine whose cores are busy with other things gives it that more slowly, and the bare Koa just so (the ratio). One bundle of the server would save some hundred looks for files.',
};

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

const startLines = (
  rounds: readonly Round<'bare' | 'sqlite' | 'sqliteAgain' | 'postgres' | 'postgresAgain', Start>[],
): readonly Line[] => {
  const line = (of: keyof Start, name: keyof (typeof rounds)[number], what: string): Line =>
    lineOf(
      rounds.map((round) => ({ ours: round[name][of], bare: round.bare[of] })),
      'ours',
      'bare',
      { what, against: BARE_KOA, ...(of === 'seconds' ? { unit: 's', ...QUICK } : { unit: 'MB', ...SLIM }) },
    );
  const times = [
    line('seconds', 'sqlite', 'SQLite: from an empty folder to the first answer'),
    line('seconds', 'sqliteAgain', 'SQLite: a later start'),
    line('seconds', 'postgres', 'PostgreSQL: from an empty database to the first answer'),
    line('seconds', 'postgresAgain', 'PostgreSQL: a later start'),
  ];
  if (process.platform !== 'linux') return times;
  return [
    ...times,
    line('idle', 'sqliteAgain', 'SQLite: resident memory, idle'),
    line('idle', 'postgresAgain', 'PostgreSQL: resident memory, idle'),
  ];
};

const run = async (size: RunSize, workshop: Workshop): Promise<RowResult> => {
  const postgres = await startPostgres(workshop, 'durable');
  const starts = await startInTurns(workshop, postgres, size);
  const loaded = await loadedMemory(workshop, postgres, size);
  return {
    lines: [...startLines(starts), ...loaded.lines],
    verifiedRecords: 0,
    remarks: [
      'From the start of the process to the first 200 of `/readyz`: settings read, keys made, every table made, server listening. Asked every 5 ms.',
      `Idle: ${IDLE_MS / 1_000} s after the first answer. ${loaded.remark}`,
    ],
  };
};

/** How soon the server answers, and what it takes of memory. */
export const start: Row = { name: 'start', title: 'Start and memory', run };
