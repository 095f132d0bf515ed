import { setTimeout as pause } from 'node:timers/promises';
import { KOA } from '../baseline/baseline-process.js';
import { alternate, comparedLine, type Line, type Round, type RowResult } from '../figures.js';
import { startLoadProcess } from '../load/load-process.js';
import { forgetPeak, freePort, memoryOf, startChild } from '../process/child.js';
import { type Postgres, startPostgres } from '../process/postgres.js';
import { inWorkshop, type Workshop } from '../process/workshop.js';
import { createKey, deploymentRequest, setUpProject, setUpTeam } from '../subject/project.js';
import { firstPerson, startShipworthy, timeStart } from '../subject/shipworthy.js';
import type { BenchRow, RunSize } from './row.js';

const ASK_OFTEN_MS = 5;
const START_MS = 90_000;

interface BareKoa {
  readonly port: number;
  readonly pid: number;
  /** From the start of the process to its first answer. */
  readonly milliseconds: number;
}

const answers = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/`)).status === 201;
  } catch {
    return false;
  }
};

/** Starts a Koa with nothing on it as a process of its own and waits for its first answer. */
const startBareKoa = async (workshop: Workshop): Promise<BareKoa> => {
  const port = await freePort();
  const begin = performance.now();
  const child = startChild(workshop, { program: KOA, args: ['created', String(port)] });
  while (!(await answers(port))) {
    if (performance.now() - begin > START_MS) throw new Error(`The bare Koa did not answer. ${child.lastWords()}`);
    await pause(ASK_OFTEN_MS);
  }
  return { port, pid: child.process.pid ?? 0, milliseconds: performance.now() - begin };
};

const COMMITS = 'a5'.repeat(12);
const APP = 'checkout';
const HOUR_MS = 3_600_000;
const MOST_ROUNDS = 3;

/** The baseline of memory. */
const BARE_KOA = 'bare Koa that answers 201 to everything';

/** The aim for memory, and why it may be missed. */
const SLIM: Pick<Line, 'aims' | 'whyMissed'> = {
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
    await setUpProject(person, await setUpTeam(person), APP, Date.now() - HOUR_MS);
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
const loadedMemory = async (
  workshop: Workshop,
  postgres: Postgres,
  size: RunSize,
): Promise<{ readonly lines: readonly Line[]; readonly remark: string }> => {
  const rounds = process.platform === 'linux' ? await loadInTurns(workshop, postgres, size) : [];
  const line = (name: 'sqlite' | 'postgres', title: string): Line =>
    comparedLine(rounds, name, 'bare', {
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
    comparedLine(
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
export const startAndMemory: BenchRow = { name: 'start', title: 'Start and memory', run };
