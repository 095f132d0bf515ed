import { columnsOf, requireColumns } from './columns.js';
import { csvRows, delimiterOf } from './csv-rows.js';
import type { Destination } from './destination.js';
import { type Input, readAhead } from './input.js';
import { countNdjson, ndjsonRows } from './ndjson-rows.js';
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

type Target = Pick<Destination, 'schema' | 'defaults' | 'time'>;

const opened = async (
  input: Input,
  { format, delimiter, map, ignoreOthers }: Reading,
  { schema, defaults, time }: Target,
) => {
  const columns = columnsOf(schema, map, ignoreOthers);
  const { beginning, all } = await readAhead(input.open());
  const isCsv = (format ?? formatOf(input, beginning)) === 'csv';
  const csv = () =>
    csvRows(input.name, all, delimiter ?? delimiterOf(beginning), (heads) =>
      requireColumns(input.name, columns, schema, heads, defaults, time),
    );
  return { columns, all, isCsv, csv };
};

/** The rows of a file as the records they are, or why they are none, a handful at a time. Failure (exit 2) where the file itself is at fault. */
export async function* readRows(
  input: Input,
  reading: Reading,
  target: Target,
): AsyncGenerator<readonly Row[], void, undefined> {
  const { columns, all, isCsv, csv } = await opened(input, reading, target);
  const { schema, defaults } = target;
  const conversion = { schema, columns, defaults, texts: isCsv };
  for await (const rows of isCsv ? csv() : ndjsonRows(input.name, all))
    yield rows.map((row) => toRecord(row, conversion));
}

/** How many rows a file has, good and bad. Failure (exit 2) where the file itself is at fault. */
export const countRows = async (input: Input, reading: Reading, target: Target): Promise<number> => {
  const { all, isCsv, csv } = await opened(input, reading, target);
  if (!isCsv) return countNdjson(input.name, all);
  let rows = 0;
  for await (const { length } of csv()) rows += length;
  return rows;
};
