import { isMet, type Line } from '../measure/line.js';
import { markdownColumns, textColumns } from './columns.js';
import { lineWords } from './wording.js';

/** The columns of the table, on the screen and on the page. */
export const HEADINGS = ['what', 'against (same run)', 'measured', 'baseline', 'ratio', 'aim', ''] as const;

/** The cells of one line under `HEADINGS`. */
export const cells = (line: Line): readonly string[] => {
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
