/** What a cell may hold; null is an empty one. */
export type Cell = string | number | null;

/** What a spreadsheet takes for the beginning of a formula: some pass over blanks before it, or read full-width signs. */
const FORMULA = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/;

const cellText = (cell: Cell): string => {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const harmless = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/**
 * Rows under a header as CSV by RFC 4180: lines end in CR LF, cells with commas, quotes or line breaks are quoted.
 * Texts that a spreadsheet would run as a formula get an apostrophe before them; numbers stay numbers.
 */
export const csvText = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [header, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
