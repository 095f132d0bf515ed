import { columnsOf, requireColumns } from './columns.js';
import { csvRows, delimiterOf } from './csv-rows.js';
import type { Destination } from './destination.js';
import { type Input, readAhead } from './input.js';
import { ndjsonRows } from './ndjson-rows.js';
import { type Row, toRecord } from './to-record.js';

/** How a file is read. */
export interface Reading {
  /** Told by the name and the beginning unless given. */
  readonly format?: 'csv' | 'ndjson' | undefined;
  /** Told by the header unless given. */
  readonly delimiter?: string | undefined;
  /** `field=column` each. */
  readonly map: readonly string[];
  readonly ignoreOthers: boolean;
}

const formatOf = ({ name }: Input, beginning: string): 'csv' | 'ndjson' => {
  if (/\.(csv|tsv)$/i.test(name)) return 'csv';
  if (/\.(ndjson|jsonl|json)$/i.test(name)) return 'ndjson';
  return /^\s*[{[]/.test(beginning) ? 'ndjson' : 'csv';
};

/** The rows of a file as the records they are, or why they are none. Failure (exit 2) where the file itself is at fault. */
export async function* readRows(
  input: Input,
  { format, delimiter, map, ignoreOthers }: Reading,
  { schema, defaults }: Pick<Destination, 'schema' | 'defaults'>,
): AsyncGenerator<Row, void, undefined> {
  const columns = columnsOf(schema, map, ignoreOthers);
  const { beginning, all } = await readAhead(input.open());
  const isCsv = (format ?? formatOf(input, beginning)) === 'csv';
  const rows = isCsv
    ? csvRows(input.name, all, delimiter ?? delimiterOf(beginning), (heads) =>
        requireColumns(input.name, columns, schema, heads, defaults),
      )
    : ndjsonRows(input.name, all);
  for await (const row of rows) yield toRecord(row, { schema, columns, defaults, texts: isCsv });
}
