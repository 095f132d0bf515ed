import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { postgresStorage, type Storage, sqliteStorage } from '../read-back.js';

/** How much a run does: `full` is what the page tells, `short` a few rounds in a few seconds. */
export type FaultSize = 'full' | 'short';

/** One thing that was looked at while something was broken. */
export interface FaultLine {
  readonly what: string;
  /** The measured result, in words. */
  readonly measured: string;
  /** The aim, in words. */
  readonly aim: string;
  readonly met: boolean;
  /** Whether the aim is a time, which a busy machine may miss. Every other line must hold on every machine. */
  readonly timed: boolean;
  /** Why it is missed, if it is, and what would reach it. */
  readonly whyMissed?: string;
}

/** What a programme yields: its lines, and remarks for the page. */
export interface FaultResult {
  readonly lines: readonly FaultLine[];
  readonly remarks: readonly string[];
}

/** Causes a fault several times and measures how the service behaves. */
export interface FaultProgramme {
  /** The name on the command line. */
  readonly name: string;
  readonly title: string;
  /** Rejects when the programme cannot run. Lost, doubled or wrong records give a line that is not met. */
  run(size: FaultSize, workshop: Workshop): Promise<FaultResult>;
}

/** A line about what must always hold. */
export const holds = (what: string, measured: string, aim: string, met: boolean): FaultLine => ({
  what,
  measured,
  aim,
  met,
  timed: false,
});

/** A line that an unlucky moment may miss although nothing is wrong; `whyMissed` says why. */
export const mayMiss = (what: string, measured: string, aim: string, met: boolean, whyMissed: string): FaultLine => ({
  ...holds(what, measured, aim, met),
  timed: true,
  whyMissed,
});

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(2)} s`;

/** A line about how long something took at most; the unit of both is milliseconds. */
export const tookAtMost = (what: string, longest: number, aim: number): FaultLine => ({
  what,
  measured: seconds(longest),
  aim: `<= ${seconds(aim).replace('.00', '')}`,
  met: longest <= aim,
  timed: true,
});

/** The lines that missed their aim, in words. */
export const missedWords = (lines: readonly FaultLine[]): readonly string[] =>
  lines.filter(({ met }) => !met).map(({ what, measured }) => `${what}: ${measured}`);

/** Whether a line says that something is lost, doubled or wrong. */
export const isBroken = (line: FaultLine): boolean => !line.met && !line.timed;

/** One of the databases a programme is run on. */
export interface NamedStorage extends Storage {
  readonly title: 'SQLite' | 'PostgreSQL';
}

/** New databases of both kinds; in a short run SQLite alone. */
export const storagesOf = async (size: FaultSize, workshop: Workshop): Promise<readonly NamedStorage[]> => {
  const sqlite: NamedStorage = { title: 'SQLite', ...sqliteStorage(workshop.path('shipworthy.sqlite')) };
  if (size === 'short') return [sqlite];
  const databaseUrl = await (await startPostgres(workshop, 'durable')).createDatabase('shipworthy');
  return [sqlite, { title: 'PostgreSQL', ...postgresStorage(databaseUrl) }];
};
