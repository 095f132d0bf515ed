import { createHash } from 'node:crypto';
import type { Schema } from '@shipworthy/client/contract';
import { usageFailure } from '../failure.js';
import { faultLine, schemaFaults } from '../schema.js';
import type { RawRow } from './rows.js';

/** A record as it is sent. */
export type ImportRecord = Readonly<Record<string, unknown>>;

/** A row of a file: the record it is, or why it is none. */
export type Row = { readonly line: number } & (
  | { readonly record: ImportRecord; readonly reasons: null }
  | { readonly record: ImportRecord | null; readonly reasons: readonly string[] }
);

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

const wantsNumber = ({ type }: Schema): boolean => type === 'number' || type === 'integer';

/** How rows become records: which field takes which column, what a row need not say, and whether texts may be numbers. */
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
  // Most files say what the fields are called, and JSON tells numbers from texts.
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

/** The record of a row, checked by the contract: what is accepted here the server understands. */
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

/** Columns with a field's name, besides the given ones: `field=column`. Failure (exit 2) for an unknown field. */
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
  const own = known.filter((field) => !taken.has(field)).map((field): readonly [string, string] => [field, field]);
  return { fields: new Map([...own, ...pairs]), ignoreOthers };
};

/** Failure (exit 2) naming every column that no field takes, and every one that is asked for and missing. */
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

/** Counts how often each of many keys came, in 12 bytes of a table for each place; keys are whole numbers from 1 below 2^53. */
export class Occurrences {
  #keys = new Float64Array(1024);
  #counts = new Uint32Array(1024);
  #used = 0;

  /** How often the key came, this time included. */
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
 * Gives records without an `external_id` one that follows from their content, and for equal ones from which of them it is: the
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
