import type { Schema } from '@shipworthy/client/contract';
import { faultLine, schemaFaults } from '../schema/schema-faults.js';
import type { Columns } from './columns.js';
import type { RawRow } from './row.js';

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
export interface Conversion {
  readonly schema: Schema;
  readonly columns: Columns;
  readonly defaults: ImportRecord;
  readonly texts: boolean;
}

/** What a row's members are as a record, by field; and the columns that no field takes. */
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
