import { parseArgs } from 'node:util';
import { loadOfMachine } from './page/machine.js';
import type { FinishedRow } from './page/performance-page.js';
import { openWorkshop } from './process/workshop.js';
import { bundles } from './rows/bundles.js';
import { postgresWrites, processes, slowerDiskWrites, sqliteWrites } from './rows/durable-writes.js';
import { engine } from './rows/engine.js';
import { hostImport } from './rows/host-import.js';
import { pastImport } from './rows/past-import.js';
import { portfolio } from './rows/portfolio.js';
import { readinessReads } from './rows/readiness-reads.js';
import { peerReport, reportCost } from './rows/report-cost.js';
import { type BenchRow, FULL, type RunSize, USUAL } from './rows/row.js';
import { scorecardPaint } from './rows/scorecard-paint.js';
import { startAndMemory } from './rows/start.js';

interface Outcome {
  readonly finished: readonly FinishedRow[];
  readonly failures: readonly { readonly name: string; readonly error: Error }[];
}

/** Runs the rows one after the other, each in a workshop of its own; one that fails does not keep the others from running. */
export const runRows = async (
  rows: readonly BenchRow[],
  size: RunSize,
  commandOf: (row: BenchRow) => string,
  tell: { begun(row: BenchRow): void; finished(row: FinishedRow): void },
): Promise<Outcome> => {
  const finished: FinishedRow[] = [];
  const failures: { name: string; error: Error }[] = [];
  for (const row of rows) {
    tell.begun(row);
    const load = loadOfMachine();
    const workshop = openWorkshop();
    try {
      const result = await row.run(size, workshop);
      const done = { name: row.name, title: row.title, result, command: commandOf(row), load };
      finished.push(done);
      tell.finished(done);
    } catch (error) {
      failures.push({ name: row.name, error: error instanceof Error ? error : new Error(String(error)) });
    } finally {
      await workshop.close();
    }
  }
  return { finished, failures };
};

/** All rows, in the order of the table. */
export const ALL_ROWS: readonly BenchRow[] = [
  engine,
  postgresWrites,
  sqliteWrites,
  slowerDiskWrites,
  reportCost,
  peerReport,
  processes,
  readinessReads,
  portfolio,
  pastImport,
  hostImport,
  scorecardPaint,
  startAndMemory,
  bundles,
];

export interface WantedRows {
  readonly rows: readonly BenchRow[];
  readonly size: RunSize;
  /** Options that were given and change what is measured, as they were typed. */
  readonly options: readonly string[];
  /** Whether the page of figures is written. */
  readonly write: boolean;
}

export const BENCH_USAGE = `Usage: npm run bench -- [row ...] [--full] [--deployments N] [--issues N] [--projects N] [--past N]
                           [--rounds N] [--seconds N] [--write]
Rows: ${ALL_ROWS.map((row) => row.name).join(', ')} (all of them unless named)
  --full           ten million deployments in the reading row, else one million
  --deployments N  that many
  --issues N       in the repository of the import row (10,000), and a fifth as many deployments
  --projects N     in the row of the portfolio (1,000)
  --past N         past deployments in the row that imports a file of them (1,000,000)
  --rounds N       how often the contestants take turns (5)
  --seconds N      how long a turn lasts (3)
  --connections N  kept-alive connections under full load (128)
  --write          writes docs/performance.md; with names of rows their sections alone`;

const positive = (name: string, text: string | undefined, otherwise: number): number => {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} wants a number above 0, not ${text}.`);
  return value;
};

const optionWords = (values: Readonly<Record<string, string | boolean | undefined>>): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    if (name === 'write' || value === undefined || value === false) return [];
    return [value === true ? `--${name}` : `--${name} ${value}`];
  });

/** @throws Error on an unknown row or option, or a number that is not above 0 */
export const readArguments = (words: readonly string[]): WantedRows => {
  const { values, positionals } = parseArgs({
    args: words.filter((word) => word !== '--'),
    allowPositionals: true,
    options: {
      full: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      deployments: { type: 'string' },
      issues: { type: 'string' },
      projects: { type: 'string' },
      past: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
    },
  });
  const unknown = positionals.filter((name) => !ALL_ROWS.some((row) => row.name === name));
  if (unknown.length > 0) throw new Error(`No such row: ${unknown.join(', ')}.`);
  const usual = values.full ? FULL : USUAL;
  return {
    rows: ALL_ROWS.filter((row) => positionals.length === 0 || positionals.includes(row.name)),
    write: values.write,
    options: optionWords(values),
    size: {
      ...usual,
      deployments: Math.round(positive('deployments', values.deployments, usual.deployments)),
      issues: Math.round(positive('issues', values.issues, usual.issues)),
      projects: Math.round(positive('projects', values.projects, usual.projects)),
      past: Math.round(positive('past', values.past, usual.past)),
      rounds: Math.round(positive('rounds', values.rounds, usual.rounds)),
      seconds: positive('seconds', values.seconds, usual.seconds),
      connections: Math.round(positive('connections', values.connections, usual.connections)),
    },
  };
};
