import { parseArgs } from 'node:util';
import { openWorkshop } from '../process/workshop.js';
import { citusCluster, distribution } from './citus.js';
import { failover } from './failover.js';
import { type FaultProgramme, type FaultResult, type FaultSize, isBroken } from './fault-programme.js';
import { host } from './host.js';
import { kill, killBehindPooler } from './kill.js';
import { migrations } from './migrations.js';
import { network } from './network.js';
import { overload } from './overload.js';
import { pointInTime } from './point-in-time.js';
import { postgresOutages } from './postgres.js';

/** A programme that was carried out. */
export interface FinishedProgramme {
  readonly programme: FaultProgramme;
  readonly result: FaultResult;
  /** How long it took, in milliseconds. */
  readonly took: number;
}

interface FaultsOutcome {
  readonly finished: readonly FinishedProgramme[];
  readonly failures: readonly { readonly name: string; readonly error: Error }[];
  /** Whether everything was carried out and nothing was lost, doubled or wrong. */
  readonly isWhole: boolean;
}

/** Runs the programmes one after the other, each in a workshop of its own; one that fails does not keep the others from running. */
export const runProgrammes = async (
  programmes: readonly FaultProgramme[],
  size: FaultSize,
  tell: { begun(programme: FaultProgramme): void; finished(done: FinishedProgramme): void },
): Promise<FaultsOutcome> => {
  const finished: FinishedProgramme[] = [];
  const failures: { name: string; error: Error }[] = [];
  for (const programme of programmes) {
    tell.begun(programme);
    const workshop = openWorkshop();
    const begin = performance.now();
    try {
      const result = await programme.run(size, workshop);
      const done = { programme, result, took: performance.now() - begin };
      finished.push(done);
      tell.finished(done);
    } catch (error) {
      failures.push({ name: programme.name, error: error instanceof Error ? error : new Error(String(error)) });
    } finally {
      await workshop.close();
    }
  }
  const isWhole = failures.length === 0 && !finished.some(({ result }) => result.lines.some(isBroken));
  return { finished, failures, isWhole };
};

/** All programmes, in the order of the page. */
export const ALL_PROGRAMMES: readonly FaultProgramme[] = [
  kill,
  killBehindPooler,
  postgresOutages,
  failover,
  citusCluster,
  distribution,
  pointInTime,
  network,
  host,
  migrations,
  overload,
];

export interface WantedFaults {
  /** The programmes to run; none: lists them. */
  readonly programmes: readonly FaultProgramme[];
  readonly size: FaultSize;
  /** Whether the page of figures is written. */
  readonly write: boolean;
}

const width = Math.max(...ALL_PROGRAMMES.map(({ name }) => name.length));

export const FAULTS_USAGE = `Usage: npm run faults -- <programme ...|all> [--short] [--write]
${ALL_PROGRAMMES.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`).join('\n')}
  --short  a few rounds of each, in a few seconds
  --write  writes what was found into docs/reliability.md`;

/** @throws Error on an unknown programme or option */
export const readFaultArguments = (words: readonly string[]): WantedFaults => {
  const { values, positionals } = parseArgs({
    args: words.filter((word) => word !== '--'),
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  });
  const isKnown = (name: string): boolean => name === 'all' || ALL_PROGRAMMES.some((one) => one.name === name);
  const unknown = positionals.filter((name) => !isKnown(name));
  if (unknown.length > 0) throw new Error(`No such programme: ${unknown.join(', ')}.`);
  if (values.short && values.write) throw new Error('The page tells of full runs only: --write goes without --short.');
  return {
    programmes: ALL_PROGRAMMES.filter(({ name }) => positionals.includes('all') || positionals.includes(name)),
    size: values.short ? 'short' : 'full',
    write: values.write,
  };
};
