import type { PageKey, PageRequest } from '@shipworthy/domain';
import type { Slices } from '@shipworthy/domain/ports';

/** The value of a cell; null is an empty one. */
type Cell = string | number | null;

/** The beginning of a text that a spreadsheet reads as a formula: some skip blanks before it, or accept full-width signs. */
const FORMULA = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/;
/** The beginning of a formula after a character that some spreadsheets read as the end of a cell, in quotes or not. */
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
  csvOf(header, rows.map(csvLine));

/** One row of a CSV table, with its line end. */
const csvLine = (row: readonly Cell[]): string => `${row.map(cellText).join(',')}\r\n`;

/** The CSV table of a header and finished lines. */
const csvOf = (header: readonly string[], lines: readonly string[]): string =>
  `${header.join(',')}\r\n${lines.join('')}`;

/** The columns of a table by their names. */
export type TableColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** Turns the columns of a part of each row into columns of the row. */
export const columnsOfPart = <Row, Part>(part: (row: Row) => Part, columns: TableColumns<Part>): TableColumns<Row> =>
  Object.fromEntries(Object.entries(columns).map(([name, cell]) => [name, (row: Row) => cell(part(row))]));

/** Most rows of one export. */
const MOST_ROWS = 20_000;
/** Rows read from a store at once, unless said otherwise. */
const ROWS_READ = 200;
/** A portion of the table is sent by itself once it has so many characters. */
const PORTION_LENGTH = 64 * 1024;

/** A list that is exported. */
interface ExportedList<Row> {
  /** What its rows are, as the beginning of the file's name. */
  readonly name: string;
  readonly columns: TableColumns<Row>;
  readonly slices: Slices;
  readonly most?: number;
  /** How many rows are read at once. */
  readonly atOnce?: number;
  readonly readPage: (page: PageRequest) => Promise<{ readonly rows: readonly Row[]; readonly next: PageKey | null }>;
}

/** Exports rows that were all read already. */
export const exportWhole = <Row>(rows: readonly Row[], about: Pick<ExportedList<Row>, 'name' | 'columns' | 'slices'>) =>
  exportList({ ...about, readPage: async () => ({ rows, next: null }) });

/**
 * Exports a list as CSV, from its beginning. If it has more rows than are exported, the name of the file says so. The
 * text is encoded in portions that stay apart: joining, encoding or copying 20,000 long rows would hold the thread.
 */
export const exportList = async <Row>({
  name,
  columns,
  slices,
  most = MOST_ROWS,
  atOnce = ROWS_READ,
  readPage,
}: ExportedList<Row>) => {
  const cells = Object.values(columns);
  const portions: Buffer[] = [];
  let text = csvOf(Object.keys(columns), []);
  const add = (row: Row): void => {
    text += csvLine(cells.map((cell) => cell(row)));
    if (text.length < PORTION_LENGTH) return;
    portions.push(Buffer.from(text));
    text = '';
  };
  let count = 0;
  let after: PageKey | null = null;
  do {
    const { rows, next } = await readPage({ limit: Math.min(atOnce, most - count), after });
    await slices.map(rows, add);
    count += rows.length;
    after = next;
  } while (after !== null && count < most);
  if (text !== '') portions.push(Buffer.from(text));
  const fileName = after === null ? `${name}.csv` : `${name}-first-${most}.csv`;
  return { status: 200, portions, fileName } as const;
};
