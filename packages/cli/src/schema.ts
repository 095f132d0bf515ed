import { FORMATS, type Schema, type SchemaType } from '@shipworthy/client/contract';
import { unreadableFailure } from './failure.js';

// A server's answer is checked loosely: only the members that are used, and of enumerations only that values are texts.
// A pipeline may pin an old version of this command, and later servers answer with more members and values.

export const TEXT = { type: 'string' } as const satisfies Schema;
/** An id or name that is sent back to the server. */
export const NAME = { type: 'string', minLength: 1 } as const satisfies Schema;
export const NUMBER = { type: 'number' } as const satisfies Schema;
export const FLAG = { type: 'boolean' } as const satisfies Schema;
export const nullable = (schema: Schema): Schema => ({ oneOf: [schema, { type: 'null' }] });
export const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** An object of which these members are used; those that `optional` names may be missing. Others are not looked at. */
export const objectWith = (properties: Readonly<Record<string, Schema>>, ...optional: readonly string[]): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

/** The envelope of one resource or list. */
export const dataEnvelope = (data: Schema): Schema => objectWith({ data });

/** Failure (exit 5) naming each used member of an answer that is missing or of another type. `route` as in `GET /api/teams`. */
export const requireUsed = (route: string, schema: Schema, body: unknown, pointer = ''): void => {
  const faults = schemaFaults(schema, body, pointer);
  if (faults.length > 0) throw unreadableFailure(route, faults.map(faultLine));
};

/** The most pages that are read of one list: 200,000 rows. */
const MOST_PAGES = 1_000;

/** A page of rows as a client answers it. */
interface AnsweredPage<Row> {
  readonly body: { readonly data: readonly Row[]; readonly next_cursor: string | null };
}

/** The rows of a paged list, each checked before it is handed on. Failure (exit 5) for a list without an end. */
export async function* usedRows<Row>(
  route: string,
  schema: Schema,
  pageAt: (cursor: string | undefined) => Promise<AnsweredPage<Row>>,
): AsyncGenerator<Row, void, undefined> {
  let cursor: string | undefined;
  let index = 0;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { data, next_cursor } = (await pageAt(cursor)).body;
    for (const row of data) {
      requireUsed(route, schema, row, `/data/${index}`);
      index += 1;
      yield row;
    }
    if (next_cursor === null) return;
    cursor = next_cursor;
  }
  throw unreadableFailure(route, ['/next_cursor: leads on without an end']);
}

/** What is wrong with a value, and where in it (JSON Pointer). */
export interface SchemaFault {
  readonly pointer: string;
  readonly message: string;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const IS: Readonly<Record<SchemaType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};

const NAMES: Readonly<Record<SchemaType, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
};

/** The parts of a schema that every value needs, prepared once. */
interface Ready {
  readonly types: readonly SchemaType[];
  readonly properties: readonly (readonly [string, Schema])[];
}

const known = new WeakMap<Schema, Ready>();

const readyOf = (schema: Schema): Ready => {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const ready = { types, properties: Object.entries(schema.properties ?? {}) };
  known.set(schema, ready);
  return ready;
};

const numberFault = (schema: Schema, value: number): string | undefined => {
  const { minimum, maximum, exclusiveMinimum } = schema;
  if (minimum !== undefined && value < minimum) return `must be ${minimum} or more`;
  if (maximum !== undefined && value > maximum) return `must be ${maximum} or less`;
  return exclusiveMinimum !== undefined && value <= exclusiveMinimum
    ? `must be more than ${exclusiveMinimum}`
    : undefined;
};

/** Takes note of a fault where one is found. */
type Note = (pointer: string, message: string) => void;

const checkList = (schema: Schema, value: readonly unknown[], pointer: string, note: Note): void => {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items, uniqueItems } = schema;
  if (value.length < minItems) note(pointer, `must have ${minItems} or more entries`);
  else if (value.length > maxItems) note(pointer, `must have ${maxItems} or fewer entries`);
  else {
    if (uniqueItems === true && new Set(value.map((one) => JSON.stringify(one))).size < value.length)
      note(pointer, 'must not have an entry twice');
    if (items !== undefined) for (const [index, one] of value.entries()) check(items, one, `${pointer}/${index}`, note);
  }
};

const checkObject = (schema: Schema, value: Readonly<Record<string, unknown>>, pointer: string, note: Note): void => {
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const name of required) if (!Object.hasOwn(value, name)) note(`${pointer}/${name}`, 'is missing');
  if (additionalProperties === false)
    for (const name of Object.keys(value))
      if (!Object.hasOwn(properties, name))
        note(`${pointer}/${name}`, `is not known (known: ${Object.keys(properties).join(', ')})`);
  for (const [name, property] of readyOf(schema).properties)
    if (Object.hasOwn(value, name)) check(property, value[name], `${pointer}/${name}`, note);
};

const checkAlternatives = (alternatives: readonly Schema[], value: unknown, pointer: string, note: Note): void => {
  const found = alternatives.map((schema) => schemaFaults(schema, value, pointer));
  if (found.some((faults) => faults.length === 0)) return;
  // The alternative of the value's own type tells most about what was meant.
  const meant = alternatives.findIndex((schema) =>
    readyOf(schema).types.some((type) => type !== 'null' && IS[type](value)),
  );
  for (const fault of found[meant] ?? [{ pointer, message: 'is of no kind that is taken here' }])
    note(fault.pointer, fault.message);
};

/** What is wrong with a value itself, without its members. */
const ownFault = (schema: Schema, value: unknown): string | undefined => {
  const { types } = readyOf(schema);
  if (types.length > 0 && !types.some((type) => IS[type](value)))
    return `must be ${types.map((type) => NAMES[type]).join(' or ')}`;
  if (schema.const !== undefined && value !== schema.const) return `must be ${JSON.stringify(schema.const)}`;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `must be one of ${schema.enum.join(', ')}`;
  if (schema.oneOf !== undefined || schema.anyOf !== undefined) return undefined;
  if (typeof value === 'string') return textFault(schema, value);
  return typeof value === 'number' ? numberFault(schema, value) : undefined;
};

const check = (schema: Schema, value: unknown, pointer: string, note: Note): void => {
  const own = ownFault(schema, value);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (own !== undefined) note(pointer, own);
  else if (alternatives !== undefined) checkAlternatives(alternatives, value, pointer, note);
  else if (Array.isArray(value)) checkList(schema, value, pointer, note);
  else if (isObject(value)) checkObject(schema, value, pointer, note);
};

/**
 * Every fault of a value by a schema of the contract, none where it is accepted: the same values are accepted as the server
 * accepts. Unknown members are faults, so that a misspelt one is not lost in silence.
 */
export const schemaFaults = (schema: Schema, value: unknown, pointer = ''): readonly SchemaFault[] => {
  const faults: SchemaFault[] = [];
  check(schema, value, pointer, (at, message) => faults.push({ pointer: at, message }));
  return faults;
};

/** A fault as a line: where, then what. */
export const faultLine = ({ pointer, message }: SchemaFault): string => `${pointer || '/'}: ${message}`;

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  characters: 'one line of text without control characters',
  text: 'one line of readable text without control or reordering characters',
  uuid: 'a UUID',
  timestamp: 'a moment such as 2026-11-21T09:30:00Z (RFC 3339)',
  'http-url': 'an http or https address without user and password',
  email: 'an e-mail address',
};

const CHECKS: ReadonlyMap<string, (value: string) => boolean> = new Map(Object.entries(FORMATS));

const fits = (format: string, value: string): boolean => CHECKS.get(format)?.(value) ?? true;

const patterns = new Map<string, RegExp>();

const matches = (pattern: string, value: string): boolean => {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, known);
  return known.test(value);
};

/** The number of characters; counted one by one only where surrogate pairs could matter to the limits. */
const lengthOf = (value: string, least: number, most: number): number =>
  value.length >= 2 * least && value.length <= most ? value.length : [...value].length;

/** What is wrong with a text by a schema of the contract; undefined where it is accepted. */
const textFault = (schema: Schema, value: string): string | undefined => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format = 'characters' } = schema;
  const misfit =
    schema.format !== undefined && !fits(format, value) ? `must be ${FORMAT_NAMES[format] ?? format}` : undefined;
  // The expected format says more than the expected length.
  if (misfit !== undefined && format !== 'text' && format !== 'characters') return misfit;
  const length = lengthOf(value, minLength, maxLength);
  if (length < minLength) return minLength === 1 ? 'must not be empty' : `must have ${minLength} or more characters`;
  if (length > maxLength) return `must have ${maxLength} or fewer characters`;
  if (pattern !== undefined && !matches(pattern, value))
    return schema.description === undefined ? `must match ${pattern}` : `must be: ${schema.description}`;
  return misfit;
};
