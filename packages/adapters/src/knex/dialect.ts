import type { Instant } from '@shipworthy/domain';
import { DomainError } from '@shipworthy/domain';
import { arrayText, columnText } from './array-text.js';
import { momentTexts } from './moment-text.js';
import { asJson } from './well-formed.js';

/** What a statement can be given. Lists are texts: of an array on PostgreSQL, of JSON on SQLite. */
export type Value = string | number | null;

/** What a column holds, apart from how a database calls it. */
export type ColumnKind = 'id' | 'text' | 'moment' | 'integer' | 'count' | 'number' | 'json';

/** Rows handed to a statement as a table: its text never depends on how many there are. */
export interface Rowset {
  /** Stands behind `from`; has the name and the columns it was made with. */
  readonly table: string;
  bindings(rows: readonly (readonly Value[])[]): readonly Value[];
}

/** Everything in which the two databases differ, apart from their connections. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** Names of column types. */
  readonly types: Readonly<Record<ColumnKind, string>>;
  /** Ends a table's definition. */
  readonly tableEnd: string;
  /** A column that numbers its rows. */
  readonly numbered: string;
  /** Columns an index carries along without being sorted by them; stands behind its sort columns. */
  carrying(...columns: readonly string[]): string;
  /** A moment as a binding; DomainError `invalid` outside the years 1 to 9999. Moments are read back as numbers. */
  moment(at: Instant): string | number;
  /** A moment of the column as whole milliseconds since 1970, for arithmetic. */
  milliseconds(column: string): string;
  /** The moment that is so many milliseconds after 1970, comparable with a column. */
  asMoment(milliseconds: string): string;
  rowset(name: string, columns: Readonly<Record<string, ColumnKind>>): Rowset;
  /** Whether the column's value is in the list given as one binding. */
  among(column: string, kind: 'id' | 'text'): string;
  list(values: readonly string[]): Value;
  /** Whether the value is an element of a JSON array of texts. */
  inJsonArray(value: string, array: string): string;
  /** Aggregates of JSON values; both take an `order by` inside. */
  readonly jsonArrayOf: string;
  readonly jsonArray: string;
  readonly greatest: string;
  readonly least: string;
  /** How the changed row is called in `returning`: SQLite knows only the table's own name there. */
  readonly returned: 'd' | 'deployments';
  /** Holds the selected rows until the transaction ends. */
  readonly forUpdate: string;
  readonly forKeyShare: string;
  readonly skipLocked: string;
}

/** The moments a database can hold. */
export const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00.000Z');
export const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

const checked = (at: Instant): Instant => {
  if (Number.isInteger(at) && at >= FIRST_MOMENT && at <= LAST_MOMENT) return at;
  throw new DomainError('invalid', 'A moment must lie in the years 1 to 9999.');
};

const momentText = momentTexts();

export const postgres: Dialect = {
  name: 'postgres',
  types: {
    id: 'uuid',
    text: 'text collate "C"',
    moment: 'timestamptz',
    integer: 'integer',
    count: 'bigint',
    number: 'double precision',
    json: 'json',
  },
  tableEnd: '',
  numbered: 'bigint generated always as identity primary key',
  carrying: (...columns) => `) include (${columns.join(', ')})`,
  moment: (at) => momentText(checked(at)),
  // In doubles, which hold milliseconds exactly; extract() answers decimals, which take twice as long.
  milliseconds: (column) => `(date_part('epoch', ${column}) * 1000)::bigint`,
  asMoment: (milliseconds) => `to_timestamp((${milliseconds}) / 1000.0)`,
  rowset: (name, columns) => {
    const kinds = Object.values(columns);
    const types = kinds.map((kind) => `?::${postgres.types[kind].replace(/ collate.*/, '')}[]`);
    const table = `unnest(${types.join(', ')}) as ${name}(${Object.keys(columns).join(', ')})`;
    return { table, bindings: (rows) => kinds.map((_, column) => columnText(rows, column)) };
  },
  among: (column, kind) => `${column} = any(?::${kind === 'id' ? 'uuid' : 'text'}[])`,
  list: arrayText,
  inJsonArray: (value, array) => `${value} in (select json_array_elements_text(${array}))`,
  jsonArrayOf: 'json_agg',
  jsonArray: 'json_build_array',
  greatest: 'greatest',
  least: 'least',
  returned: 'd',
  forUpdate: 'for update',
  forKeyShare: 'for key share',
  skipLocked: 'for update skip locked',
};

export const sqlite: Dialect = {
  name: 'sqlite',
  types: {
    id: 'text',
    text: 'text',
    moment: 'integer',
    integer: 'integer',
    count: 'integer',
    number: 'real',
    json: 'text',
  },
  tableEnd: 'strict',
  numbered: 'integer primary key',
  carrying: (...columns) => `, ${columns.join(', ')})`,
  moment: checked,
  milliseconds: (column) => column,
  asMoment: (milliseconds) => milliseconds,
  rowset: (name, columns) => {
    const fields = Object.keys(columns).map((column, place) => `value ->> ${place} as ${column}`);
    const table = `(select ${fields.join(', ')} from json_each(?)) as ${name}`;
    return { table, bindings: (rows) => [asJson(rows)] };
  },
  among: (column) => `${column} in (select value from json_each(?))`,
  list: asJson,
  inJsonArray: (value, array) => `${value} in (select value from json_each(${array}))`,
  jsonArrayOf: 'json_group_array',
  jsonArray: 'json_array',
  greatest: 'max',
  least: 'min',
  returned: 'deployments',
  forUpdate: '',
  forKeyShare: '',
  skipLocked: '',
};
