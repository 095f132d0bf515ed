import { type Aim, isMet, type Line, type Unit } from '../figures.js';

/** Rows of cells as columns of text; the columns in `right` are flush right. */
export const textColumns = (rows: readonly (readonly string[])[], right: readonly number[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (text: string, column: number): string =>
    right.includes(column) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
};

/** Rows of cells under their headings as a Markdown table; the columns in `right` are flush right. */
export const markdownColumns = (
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[],
): string =>
  [headings, headings.map((_, column) => (right.includes(column) ? '---:' : '---')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

/** A count to the whole number, as in 1,234,567. */
export const countWords = (count: number): string => Math.round(count).toLocaleString('en-US');

const inUnit = (value: number, unit: Unit): string => {
  if (unit === 'ms' || unit === 's') return `${value.toFixed(2)} ${unit}`;
  if (unit === 'µs') return `${Math.round(value)} µs`;
  if (unit === 'MB') return `${Math.round(value)} MB`;
  if (unit === 'kB') return `${value.toFixed(1)} kB`;
  if (unit === 'requests' || unit === 'queries') return countWords(value);
  return `${countWords(value)}/s`;
};

const ratioWords = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 2 : 1)}x`;

const aimWords = (aim: Aim, unit: Unit): string => {
  const words = (value: number): string =>
    aim.of === 'ratio' ? `${value}x` : inUnit(value, unit).replace(/\.0+ /, ' ');
  return 'least' in aim ? `>= ${words(aim.least)}` : `<= ${words(aim.most)}`;
};

/** The figures of a line as people read them. */
const lineWords = (line: Line) => ({
  measured: inUnit(line.measured, line.unit),
  baseline: inUnit(line.baseline, line.unit),
  ratio: ratioWords(line.ratio),
  aims: line.aims.length === 0 ? '-' : line.aims.map((aim) => aimWords(aim, line.unit)).join(', '),
});

/** The columns of the table, on the screen and on the page. */
const HEADINGS = ['what', 'against (same run)', 'measured', 'baseline', 'ratio', 'aim', ''] as const;

/** The cells of one line under `HEADINGS`. */
const cells = (line: Line): readonly string[] => {
  const words = lineWords(line);
  const verdict = line.aims.length === 0 ? '' : isMet(line) ? 'met' : 'missed';
  return [line.what, line.against, words.measured, words.baseline, words.ratio, words.aims, verdict];
};

const FLUSH_RIGHT = [2, 3, 4];

/** The lines as columns of text. */
export const textTable = (lines: readonly Line[]): string => textColumns([HEADINGS, ...lines.map(cells)], FLUSH_RIGHT);

/** The lines as a Markdown table. */
export const markdownTable = (lines: readonly Line[]): string =>
  markdownColumns(HEADINGS, lines.map(cells), FLUSH_RIGHT);

/** A missed aim, and why. */
interface Missed {
  readonly what: string;
  readonly whyMissed?: string;
}

/** A paragraph for each reason; lines that were missed for the same reason share it. */
export const reasonsOf = (missed: readonly Missed[]): readonly string[] => {
  const byReason = new Map<string, string[]>();
  for (const { what, whyMissed: reason = 'not known yet.' } of missed)
    byReason.set(reason, [...(byReason.get(reason) ?? []), what]);
  return [...byReason].map(([reason, names]) => `**Missed (${names.join('; ')}):** ${reason}`);
};

/** A paragraph for each aim that was missed: why, and what would reach it. */
export const whyMissed = (lines: readonly Line[]): readonly string[] => reasonsOf(lines.filter((line) => !isMet(line)));
