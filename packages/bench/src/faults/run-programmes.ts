import { parseArgs } from 'node:util';
import { machine } from '../page/machine.js';
import { markdownColumns, reasonsOf, textColumns } from '../page/table.js';
import { openWorkshop } from '../process/workshop.js';
import { citusCluster, distribution } from './citus.js';
import { failover } from './failover.js';
import { type FaultLine, type FaultProgramme, type FaultResult, type FaultSize, isBroken } from './fault-programme.js';
import { host } from './host.js';
import { kill, killBehindPooler } from './kill.js';
import { migrations } from './migrations.js';
import { network } from './network.js';
import { overload } from './overload.js';
import { pointInTime } from './point-in-time.js';
import { postgresOutages } from './postgres.js';

/** A programme that was carried out. */
interface FinishedProgramme {
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
  /** The programmes to run; empty: they are only listed. */
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
  if (values.short && values.write) throw new Error('The page shows full runs only: --write goes without --short.');
  return {
    programmes: ALL_PROGRAMMES.filter(({ name }) => positionals.includes('all') || positionals.includes(name)),
    size: values.short ? 'short' : 'full',
    write: values.write,
  };
};

const HEADINGS = ['what', 'measured', 'aim', ''] as const;

const cells = ({ what, measured, aim, met }: FaultLine): readonly string[] => [
  what,
  measured,
  aim,
  met ? 'met' : 'missed',
];

/** The lines as columns of text. */
export const faultText = (lines: readonly FaultLine[]): string => textColumns([HEADINGS, ...lines.map(cells)], []);

/** The lines as a Markdown table. */
const faultMarkdown = (lines: readonly FaultLine[]): string => markdownColumns(HEADINGS, lines.map(cells), []);

const INTRODUCTION = `# Reliability

What becomes of the service when something around it breaks. Each programme breaks one thing again and again, under load,
and then looks: past the service into its database, and at every answer its callers got. \`npm run faults\` lists the
programmes. A run ends with code 1 when anything is lost, doubled or wrong; times may be missed on a busy machine.`;

const mark = (name: string): string => `<!-- programme: ${name} -->`;

const section = ({ programme, result, took }: FinishedProgramme, busy: string | null): string => {
  const about = [`\`npm run faults -- ${programme.name} --write\` (${Math.ceil(took / 60_000)} min)`, ...machine()];
  const remarks = result.remarks.map((remark) => `- ${remark}`).join('\n');
  const heading = `${mark(programme.name)}\n## ${programme.title}`;
  const taken = [...about, ...(busy === null ? [] : [busy])].map((line) => line.replace(/\.$/, '')).join('; ');
  const missed = reasonsOf(result.lines.filter(({ met }) => !met));
  return [heading, faultMarkdown(result.lines), ...missed, remarks, `Measured with ${taken}.`]
    .filter(Boolean)
    .join('\n\n');
};

/** The section of a programme on an earlier page, or undefined. */
const earlierSection = (page: string, name: string): string | undefined => {
  const from = page.indexOf(mark(name));
  if (from < 0) return undefined;
  const to = page.indexOf('<!-- programme: ', from + 1);
  return page.slice(from, to < 0 ? undefined : to).trimEnd();
};

/**
 * The page about reliability, in Markdown. A programme that was not run this time keeps its section of the earlier
 * page, since a run of all programmes takes long.
 * @param order the names of all programmes
 */
export const reliabilityPage = (
  order: readonly string[],
  finished: readonly FinishedProgramme[],
  earlier: string,
  busy: string | null,
): string => {
  const sections = order.map((name) => {
    const now = finished.find(({ programme }) => programme.name === name);
    return now === undefined ? earlierSection(earlier, name) : section(now, busy);
  });
  return `${[INTRODUCTION, ...sections.filter((text) => text !== undefined)].join('\n\n')}\n`;
};
