import type { RowResult } from '../figures.js';
import { markdownTable, whyMissed } from './table.js';

const MARK = /^<!-- row: (\S+) -->\n/m;

/** A page of figures taken apart. */
interface PageParts {
  /** The text before the first section. */
  readonly head: string;
  /** The sections by the name of their row. */
  readonly sections: ReadonlyMap<string, string>;
}

/** Marks a section as that of a row; the mark is not seen on the rendered page. */
export const withMark = (name: string, section: string): string => `<!-- row: ${name} -->\n${section}`;

/** Takes a page apart at its marks. A page without any has neither head nor sections: nothing of it could be kept. */
export const partsOf = (page: string): PageParts => {
  const [head = '', ...rest] = page.split(MARK);
  const sections = new Map<string, string>();
  for (let at = 0; at + 1 < rest.length; at += 2) sections.set(rest[at] ?? '', (rest[at + 1] ?? '').trim());
  return { head: sections.size === 0 ? '' : head.trim(), sections };
};

/** A row that ran. */
export interface FinishedRow {
  readonly name: string;
  readonly title: string;
  readonly result: RowResult;
  /** The command that measures the row again. */
  readonly command: string;
  /** The load of the machine when the row began; null where the system does not tell. */
  readonly load: number | null;
}

/** What the page is made of. */
interface PageContents {
  /** Names of all rows there are, in the order of the page. */
  readonly order: readonly string[];
  /** The rows that ran. */
  readonly finished: readonly FinishedRow[];
  /** The machine they were measured on. */
  readonly machine: readonly string[];
  /** The present page: rows that did not run are copied from it. */
  readonly former: string;
}

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

const headOf = (machine: readonly string[]): string =>
  [
    '# Performance',
    'Every figure has a baseline beside it, measured in the same run, on the same machine, by the command below its table. `npm run bench -- --write` measures all of them and writes this page; with the names of rows it measures those and replaces their sections. Where an aim was missed, the section says why, and what would reach it.',
    bullets(machine),
    "The ratio is the median of the rounds' own ratios: in each round the contestants take turns. Server, baseline, database and load share the cores.",
  ].join('\n\n');

const measuredBy = ({ result, command, load }: FinishedRow): string => {
  const rounds = Math.max(...result.lines.map((line) => line.rounds));
  const medians = rounds > 1 ? `Medians of ${rounds} rounds of` : 'Figures of';
  return `${medians} \`${command}\`${load === null ? '' : `, begun at a load average of ${load.toFixed(1)}`}.`;
};

const sectionOf = (finished: FinishedRow, elsewhere: readonly string[]): string =>
  [
    `## ${finished.title}`,
    markdownTable(finished.result.lines),
    bullets([measuredBy(finished), ...elsewhere, ...finished.result.remarks]),
    ...whyMissed(finished.result.lines),
  ].join('\n\n');

/**
 * The page of figures for the documentation, in Markdown: rows that ran anew, the others unchanged. The machine at the head is
 * that of the last run of all rows; a section measured on another one says so itself.
 */
export const performancePage = ({ order, finished, machine, former }: PageContents): string => {
  const { head: formerHead, sections } = partsOf(former);
  const ran = new Map(finished.map((row) => [row.name, row]));
  const head = formerHead === '' || order.every((name) => ran.has(name)) ? headOf(machine) : formerHead;
  const elsewhere = machine.filter((line) => !head.includes(line)).map((line) => `Measured with ${line}.`);
  const texts = order.flatMap((name) => {
    const row = ran.get(name);
    const text = row === undefined ? sections.get(name) : sectionOf(row, elsewhere);
    return text === undefined ? [] : [withMark(name, text)];
  });
  return `${[head, ...texts].join('\n\n')}\n`;
};
