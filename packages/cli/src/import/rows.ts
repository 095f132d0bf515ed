import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Schema } from '@shipworthy/client/contract';
import { CsvError, parse } from 'csv-parse';
import { Failure, reasonOf, usageFailure } from '../failure.js';
import { faultLine, schemaFaults } from '../schema.js';
import type { World } from '../world.js';

/** A row of a file with the file's own column names. */
export interface RawRow {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** The values by column; null where the row is broken, and `reason` says why. */
  readonly members: Readonly<Record<string, unknown>> | null;
  readonly reason: string | null;
}

/** More characters than any record can need: a longer row has lost its end. */
const LONGEST_ROW = 262_144;

/** Where records come from. */
export interface ImportInput {
  /** The name of the file in messages. */
  readonly name: string;
  /** null for standard input and for a pipe. */
  readonly path: string | null;
  /** The text from the beginning, `\n` ending its lines; standard input can be opened once only. Failure (exit 2) unless it is UTF-8. */
  readonly open: () => AsyncGenerator<string, void, undefined>;
}

const notText = (name: string, line: number): Failure =>
  usageFailure(
    `${name}:${line} is not UTF-8.`,
    'Convert it first, such as by: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEWFILE',
  );

const newlinesIn = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};

/** Failure (exit 2) where reading fails, such as for a file of another user. */
async function* readable<Piece>(name: string, bytes: AsyncIterable<Piece>): AsyncGenerator<Piece, void, undefined> {
  try {
    yield* bytes;
  } catch (error) {
    throw error instanceof Failure ? error : usageFailure(`${name} cannot be read (${reasonOf(error)}).`);
  }
}

async function* decoded(
  name: string,
  bytes: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string, void, undefined> {
  // The decoder removes a byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  let held = '';
  const decode = (piece?: Uint8Array): string => {
    try {
      return held + (piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true }));
    } catch {
      throw notText(name, line);
    }
  };
  for await (const piece of readable(name, bytes)) {
    const text = decode(typeof piece === 'string' ? Buffer.from(piece) : piece);
    // The second half of a line end may come with the next piece.
    held = text.endsWith('\r') ? '\r' : '';
    const whole = text.slice(0, text.length - held.length).replaceAll('\r\n', '\n');
    line += newlinesIn(whole);
    yield whole;
  }
  yield decode();
}

/** A file, or standard input for `-`. Failure (exit 2) for what cannot be read. */
export const openInput = async (world: Pick<World, 'folder' | 'stdin'>, file: string): Promise<ImportInput> => {
  if (file === '-') return { name: 'standard input', path: null, open: () => decoded('standard input', world.stdin) };
  const path = resolve(world.folder, file);
  const found = await stat(path).catch((error: unknown) => {
    throw usageFailure(`${path} cannot be read (${reasonOf(error)}).`);
  });
  if (!found.isFile() && !found.isFIFO()) throw usageFailure(`${path} is no file.`);
  return { name: file, path: found.isFile() ? path : null, open: () => decoded(file, createReadStream(path)) };
};

/** Reads ahead up to the end of the first line; `all` is the whole text, its beginning included. */
export const readAhead = async (
  text: AsyncGenerator<string, void, undefined>,
): Promise<{ readonly beginning: string; readonly all: AsyncGenerator<string, void, undefined> }> => {
  let beginning = '';
  while (!beginning.trimStart().includes('\n') && beginning.length < 65_536) {
    const { done, value } = await text.next();
    if (done) break;
    beginning += value;
  }
  async function* all(): AsyncGenerator<string, void, undefined> {
    yield beginning;
    yield* text;
  }
  return { beginning, all: all() };
};

const DELIMITERS = [',', ';', '\t', '|'];

/** The most frequent delimiter of the first line, outside of quotes; a comma when there is none. */
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
  const what = unclosed ? 'a quote is not closed, or the row is too long' : 'a quote is where none may be';
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
  // An empty cell is taken as not given.
  const given = heads.flatMap((head, at) => (head === '' || cells[at] === '' ? [] : [[head, cells[at]]]));
  return { line, members: Object.fromEntries(given), reason: null };
};

/**
 * Reads the rows of CSV text under its header as they are asked for. Calls `onHeads` with the columns first. Failure
 * (exit 2) where quotes are broken.
 */
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
    // Counted here: when a row is broken, the parser drops the rows before it that were not taken yet.
    on_record: (row, context) => {
      lastLine = context.lines;
      return row;
    },
  });
  const source = Readable.from(text);
  // A fault of the text must reject the reader that waits for rows.
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

const parsed = (text: string, line: number): RawRow => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { line, members: null, reason: 'is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { line, members: null, reason: 'is no JSON object' };
  const members = value as Readonly<Record<string, unknown>>;
  if (!Object.values(members).includes(null)) return { line, members, reason: null };
  // A member that is null is taken as not given.
  const given = Object.entries(members).filter(([, member]) => member !== null);
  return { line, members: Object.fromEntries(given), reason: null };
};

/** A line that is not blank, and its number. */
interface Line {
  readonly line: number;
  readonly text: string;
}

async function* linesOf(name: string, text: AsyncIterable<string>): AsyncGenerator<readonly Line[], void, undefined> {
  let line = 0;
  let held = '';
  const rowsIn = (lines: readonly string[]): readonly Line[] => {
    if (line === 0 && lines[0]?.trimStart().startsWith('['))
      throw usageFailure(`${name} is one JSON list.`, "Make it one object a line: jq -c '.[]' FILE");
    const first = line + 1;
    line += lines.length;
    return lines.flatMap((one, at) => (one.trim() === '' ? [] : [{ line: first + at, text: one }]));
  };
  for await (const piece of text) {
    const lines = (held + piece).split('\n');
    held = lines.pop() ?? '';
    if (held.length > LONGEST_ROW) throw usageFailure(`${name}:${line + lines.length + 1} is too long for one record.`);
    yield rowsIn(lines);
  }
  yield rowsIn(held === '' ? [] : [held]);
}

/**
 * Reads the rows of NDJSON text, one JSON object a line, as they are asked for; leaves out blank lines. Failure (exit
 * 2) where the text is one JSON list.
 */
export async function* ndjsonRows(
  name: string,
  text: AsyncIterable<string>,
): AsyncGenerator<readonly RawRow[], void, undefined> {
  for await (const lines of linesOf(name, text)) yield lines.map(({ line, text: one }) => parsed(one, line));
}

/** How many rows there are, without looking into them. Failure (exit 2) where the text itself is at fault. */
export const countNdjson = async (name: string, text: AsyncIterable<string>): Promise<number> => {
  let rows = 0;
  for await (const lines of linesOf(name, text)) rows += lines.length;
  return rows;
};

/** A record as it is sent. */
export type ImportRecord = Readonly<Record<string, unknown>>;

/** A row of a file: its record, or the reasons why it is refused. */
export type Row = { readonly line: number } & (
  | { readonly record: ImportRecord; readonly reasons: null }
  | { readonly record: ImportRecord | null; readonly reasons: readonly string[] }
);

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

const wantsNumber = ({ type }: Schema): boolean => type === 'number' || type === 'integer';

/** How rows become records: which field takes which column, the default values, and whether texts may mean numbers. */
interface Conversion {
  readonly schema: Schema;
  readonly columns: Columns;
  readonly defaults: ImportRecord;
  readonly texts: boolean;
}

/** The members of a row as fields of a record, and the columns that match no field. */
const fieldsOf = (
  members: ImportRecord,
  { schema, columns, defaults, texts }: Conversion,
): { readonly record: ImportRecord; readonly unknown: readonly string[] } => {
  const names = Object.keys(members);
  // The usual case needs no copy: columns are called like the fields, and JSON tells numbers from texts.
  if (!texts && names.every((name) => columns.fields.get(name) === name)) {
    const isWhole = Object.keys(defaults).length === 0;
    return { record: isWhole ? members : { ...defaults, ...members }, unknown: [] };
  }
  const record: Record<string, unknown> = { ...defaults };
  const unknown: string[] = [];
  for (const column of names) {
    const value = members[column];
    const field = columns.fields.get(column);
    if (field === undefined) {
      if (!columns.ignoreOthers) unknown.push(`no field takes ${column}`);
      continue;
    }
    const numeric = texts && wantsNumber(schema.properties?.[field] ?? {}) && NUMBER.test(String(value));
    record[field] = numeric ? Number(value) : value;
  }
  return { record, unknown };
};

/** The record of a row, checked by the schema of the contract: the server understands what is accepted here. */
export const toRecord = ({ line, members, reason }: RawRow, conversion: Conversion): Row => {
  if (members === null) return { line, record: null, reasons: [reason ?? 'is no record'] };
  const { record, unknown } = fieldsOf(members, conversion);
  const faults = schemaFaults(conversion.schema, record).map(faultLine);
  return unknown.length + faults.length === 0
    ? { line, record, reasons: null }
    : { line, record, reasons: [...unknown, ...faults.map((fault) => fault.replace(/^\//, ''))] };
};

/** Which field takes which column of the file. */
export interface Columns {
  /** Field by column. */
  readonly fields: ReadonlyMap<string, string>;
  /** Whether columns that no field takes are left out; else they are faults. */
  readonly ignoreOthers: boolean;
}

/** The columns of `given` (`field=column`), else those named like a field. Failure (exit 2) for an unknown field. */
export const columnsOf = (schema: Schema, given: readonly string[], ignoreOthers: boolean): Columns => {
  const known = Object.keys(schema.properties ?? {});
  const pairs = given.map((text): readonly [string, string] => {
    const [, field = '', column = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (!known.includes(field))
      throw usageFailure(`--map ${text} names no field.`, `Write FIELD=COLUMN; the fields are ${known.join(', ')}.`);
    return [column.trim(), field];
  });
  const taken = new Set(pairs.map(([, field]) => field));
  if (taken.size < pairs.length) throw usageFailure('--map names a field twice.');
  if (new Set(pairs.map(([column]) => column)).size < pairs.length) throw usageFailure('--map names a column twice.');
  const own = known.filter((field) => !taken.has(field)).map((field): readonly [string, string] => [field, field]);
  return { fields: new Map([...own, ...pairs]), ignoreOthers };
};

/** Failure (exit 2) naming every column that no field takes, and every one that is required and missing. */
export const requireColumns = (
  name: string,
  { fields, ignoreOthers }: Columns,
  schema: Schema,
  heads: readonly string[],
  defaults: Readonly<Record<string, unknown>>,
  time?: { readonly field: string; readonly fix: string },
): void => {
  const others = ignoreOthers ? [] : heads.filter((head) => head !== '' && !fields.has(head));
  const missing = [...fields].flatMap(([column, field]) => {
    if (heads.includes(column)) return [];
    const needed = (schema.required ?? []).includes(field) && defaults[field] === undefined;
    return column !== field || needed ? [column] : [];
  });
  if (others.length + missing.length === 0) return;
  const parts = [
    ...(others.length > 0 ? [`no field takes ${others.join(', ')}`] : []),
    ...(missing.length > 0 ? [`there is no column ${missing.join(', ')}`] : []),
  ];
  throw usageFailure(
    `${name}: ${parts.join('; ')}.`,
    `Name columns by --map FIELD=COLUMN; the fields are ${[...fields.values()].join(', ')}.`,
    ...(others.length > 0 ? ['Leave columns out that no field takes by --ignore-others.'] : []),
    ...(time !== undefined && missing.includes(time.field) ? [time.fix] : []),
  );
};

/** Counts how often each of many keys came, in a hash table of 12 bytes a place. Keys are whole numbers below 2^53. */
export class Occurrences {
  #keys = new Float64Array(1024);
  #counts = new Uint32Array(1024);
  #used = 0;

  /** Counts the key once more; returns how often it came, this time included. */
  count(key: number): number {
    if (this.#used * 2 >= this.#keys.length) this.#grow();
    const at = this.#placeOf(key);
    if (this.#keys[at] === 0) this.#used += 1;
    this.#keys[at] = key;
    const count = (this.#counts[at] ?? 0) + 1;
    this.#counts[at] = count;
    return count;
  }

  #placeOf(key: number): number {
    const places = this.#keys.length;
    let at = key % places;
    while (this.#keys[at] !== 0 && this.#keys[at] !== key) at = (at + 1) % places;
    return at;
  }

  #grow(): void {
    const [keys, counts] = [this.#keys, this.#counts];
    this.#keys = new Float64Array(keys.length * 2);
    this.#counts = new Uint32Array(keys.length * 2);
    keys.forEach((key, from) => {
      if (key === 0) return;
      const at = this.#placeOf(key);
      this.#keys[at] = key;
      this.#counts[at] = counts[from] ?? 0;
    });
  }
}

/**
 * Gives each record without an `external_id` one that follows from its content; equal records are numbered, too. The
 * same rows get the same ids every time they are sent, with any rows around them.
 */
export const createNaming = (): ((record: ImportRecord) => ImportRecord) => {
  const occurrences = new Occurrences();
  return (record) => {
    if (record.external_id !== undefined) return record;
    const content = Object.keys(record)
      .sort()
      .map((name) => [name, record[name]]);
    const hash = createHash('sha256').update(JSON.stringify(content)).digest();
    const count = occurrences.count(hash.readUIntBE(0, 6) * 32 + (hash.readUInt8(6) & 31) + 1);
    const name = `row-${hash.toString('base64url', 0, 24)}`;
    return { ...record, external_id: count === 1 ? name : `${name}-${count}` };
  };
};
