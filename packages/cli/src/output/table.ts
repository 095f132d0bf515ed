import { harmless } from './safe-text.js';

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;

/** How many columns of a terminal a text takes. */
export const widthOf = (text: string): number =>
  [...text.normalize('NFC')].reduce((width, sign) => width + (/\p{Mn}/u.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1), 0);

/** Rows under their heads, columns aligned by two spaces; no line ends in blanks. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const lines = [heads, ...rows.map((row) => row.map((cell) => harmless(cell).replaceAll('\n', ' ')))];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))));
  const padded = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell));
  return lines.map((line) => line.map(padded).join('  ').trimEnd()).join('\n');
};
