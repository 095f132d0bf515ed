/** What a cell may hold; null is an empty one. */
export type Cell = string | number | null;

/** What a spreadsheet takes for the beginning of a formula: some pass over blanks before it, or read full-width signs. */
const FORMULA = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/;
/** The same after what another spreadsheet takes for the end of a cell, whether it stands in quotes or not. */
const FORMULA_LATER = /([,;|\t\r\n]["\s]*)(?=[=+\-@＝＋－＠])/g;

const cellText = (cell: Cell): string => {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const harmless = `${FORMULA.test(cell) ? "'" : ''}${cell}`.replace(FORMULA_LATER, "$1'");
  return `"${harmless.replaceAll('"', '""')}"`;
};

/**
 * Rows under a header of plain words as CSV by RFC 4180: lines end in CR LF, every text is quoted. What a spreadsheet would
 * run as a formula gets an apostrophe before it, also after a separator that another spreadsheet reads; numbers stay numbers.
 */
export const csvText = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [header, ...rows.map((row) => row.map(cellText))].map((cells) => `${cells.join(',')}\r\n`).join('');
