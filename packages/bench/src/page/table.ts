import { isMet, type Line } from '../measure/line.js';
import { lineWords } from './wording.js';

/** The columns of the table, on the screen and on the page. */
export const HEADINGS = ['what', 'against (same run)', 'measured', 'baseline', 'ratio', 'aim', ''] as const;

/** The cells of one line under `HEADINGS`. */
export const cells = (line: Line): readonly string[] => {
  const words = lineWords(line);
  const verdict = line.aims.length === 0 ? '' : isMet(line) ? 'met' : 'missed';
  return [line.what, line.against, words.measured, words.baseline, words.ratio, words.aims, verdict];
};

/** The lines as columns of text. */
export const textTable = (lines: readonly Line[]): string => {
  const rows = [HEADINGS, ...lines.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (text: string, column: number): string =>
    column >= 2 && column <= 4 ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
};

/** The lines as a Markdown table. */
export const markdownTable = (lines: readonly Line[]): string =>
  [HEADINGS, HEADINGS.map((_, column) => (column >= 2 && column <= 4 ? '---:' : '---')), ...lines.map(cells)]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
