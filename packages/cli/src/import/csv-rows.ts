import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { type Failure, usageFailure } from '../failure.js';
import { LONGEST_ROW, type RawRow } from './row.js';

const DELIMITERS = [',', ';', '\t', '|'];

/** The delimiter that stands most often in the first line, outside of quotes; a comma where none does. */
export const delimiterOf = (text: string): string => {
  const [line = ''] = text.trimStart().split('\n', 1);
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length - 1);
  const most = Math.max(...counts);
  return most === 0 ? ',' : (DELIMITERS[counts.indexOf(most)] ?? ',');
};

const brokenAt = (name: string, line: number, error: unknown): Failure | undefined => {
  if (!(error instanceof CsvError)) return undefined;
  const unclosed = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE';
  const what = unclosed ? 'a quote is not closed, or the row is too long' : 'a quote stands where none may';
  return usageFailure(`${name}:${line}: ${what}.`, 'A quote inside of a quoted cell is written twice.');
};

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const headsOf = (name: string, cells: readonly string[]): readonly string[] => {
  const heads = cells.map((cell) => cell.trim());
  const twice = heads.filter((head, at) => head !== '' && heads.indexOf(head) < at);
  if (twice.length > 0) throw usageFailure(`${name}: the header names ${twice.join(', ')} twice.`);
  return heads;
};

const rowOf = (heads: readonly string[], cells: readonly string[], line: number): RawRow => {
  const surplus = cells.length > heads.length && cells.slice(heads.length).some((cell) => cell !== '');
  if (cells.length < heads.length || surplus)
    return { line, members: null, reason: `has ${cells.length} cells where the header has ${heads.length}` };
  // An empty cell says nothing.
  const given = heads.flatMap((head, at) => (head === '' || cells[at] === '' ? [] : [[head, cells[at]]]));
  return { line, members: Object.fromEntries(given), reason: null };
};

/** The rows of CSV text under its header, a handful at a time as they are taken. `onHeads` hears of the columns first. Failure (exit 2) where quotes are broken. */
export async function* csvRows(
  name: string,
  text: AsyncIterable<string>,
  delimiter: string,
  onHeads: (heads: readonly string[]) => void,
): AsyncGenerator<readonly RawRow[], void, undefined> {
  let lastLine = 0;
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
    record_delimiter: '\n',
    // Rows that are read and not taken yet are lost with the one that breaks: only here each is heard of.
    on_record: (row, context) => {
      lastLine = context.lines;
      return row;
    },
  });
  const source = Readable.from(text);
  // A fault of the text itself must reach the rows that are waited for.
  source.on('error', (error) => parser.destroy(error));
  let heads: readonly string[] | undefined;
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<Parsed>) {
      const line = info.lines - record.reduce((count, cell) => count + cell.split('\n').length - 1, 0);
      if (heads === undefined) {
        heads = headsOf(name, record);
        onHeads(heads);
      } else yield [rowOf(heads, record, line)];
    }
  } catch (error) {
    throw brokenAt(name, lastLine + 1, error) ?? error;
  } finally {
    source.destroy();
  }
}
