/** What an array of PostgreSQL holds. */
export type Cell = string | number | null;

const TO_ESCAPE = /["\\]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON writes in another way than arrays.
const ESCAPED_BY_JSON_ALONE = /[\0-\x1f\p{Surrogate}]/u;

const quoted = (text: string): string => {
  if (!TO_ESCAPE.test(text)) return `"${text}"`;
  // Much faster, and the same where nothing but quotes and backslashes is escaped.
  if (!ESCAPED_BY_JSON_ALONE.test(text)) return JSON.stringify(text);
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
};

const element = (cell: Cell | undefined): string => {
  if (typeof cell === 'string') return quoted(cell);
  return cell === null || cell === undefined ? 'NULL' : String(cell);
};

/** One column of rows as the text of an array: the driver itself would look at every element several times. */
export const columnText = (rows: readonly (readonly Cell[])[], column: number): string =>
  `{${rows.map((row) => element(row[column])).join(',')}}`;

/** Texts as the text of an array. */
export const arrayText = (texts: readonly string[]): string => `{${texts.map(quoted).join(',')}}`;
