import { FORMATS, type Schema, type SchemaType } from '@shipworthy/client/contract';

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

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  text: 'one line of text without control characters',
  uuid: 'a UUID',
  timestamp: 'a moment such as 2026-11-21T09:30:00Z (RFC 3339)',
  'http-url': 'an http or https address',
  email: 'an e-mail address',
};

const typesOf = ({ type }: Schema): readonly SchemaType[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : [...type];

const CHECKS: ReadonlyMap<string, (value: string) => boolean> = new Map(Object.entries(FORMATS));

const fits = (format: string, value: string): boolean => CHECKS.get(format)?.(value) ?? true;

const patterns = new Map<string, RegExp>();

const matches = (pattern: string, value: string): boolean => {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, known);
  return known.test(value);
};

/** Its characters; counted one by one only where halves of pairs could make a difference to the limits. */
const lengthOf = (value: string, least: number, most: number): number =>
  value.length >= 2 * least && value.length <= most ? value.length : [...value].length;

const textFault = (schema: Schema, value: string): string | undefined => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format = 'text' } = schema;
  const misfit =
    schema.format !== undefined && !fits(format, value) ? `must be ${FORMAT_NAMES[format] ?? format}` : undefined;
  // What it has to be tells more than how long that is.
  if (misfit !== undefined && format !== 'text') return misfit;
  const length = lengthOf(value, minLength, maxLength);
  if (length < minLength) return minLength === 1 ? 'must not be empty' : `must have ${minLength} or more characters`;
  if (length > maxLength) return `must have ${maxLength} or fewer characters`;
  if (pattern !== undefined && !matches(pattern, value))
    return schema.description === undefined ? `must match ${pattern}` : `must be: ${schema.description}`;
  return misfit;
};

const numberFault = (schema: Schema, value: number): string | undefined => {
  const { minimum, maximum, exclusiveMinimum } = schema;
  if (minimum !== undefined && value < minimum) return `must be ${minimum} or more`;
  if (maximum !== undefined && value > maximum) return `must be ${maximum} or less`;
  return exclusiveMinimum !== undefined && value <= exclusiveMinimum
    ? `must be more than ${exclusiveMinimum}`
    : undefined;
};

const listFaults = (schema: Schema, value: readonly unknown[], pointer: string): readonly SchemaFault[] => {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items, uniqueItems } = schema;
  if (value.length < minItems) return [{ pointer, message: `must have ${minItems} or more entries` }];
  if (value.length > maxItems) return [{ pointer, message: `must have ${maxItems} or fewer entries` }];
  const repeated = uniqueItems === true && new Set(value.map((one) => JSON.stringify(one))).size < value.length;
  return [
    ...(repeated ? [{ pointer, message: 'must not have an entry twice' }] : []),
    ...(items === undefined ? [] : value.flatMap((one, index) => schemaFaults(items, one, `${pointer}/${index}`))),
  ];
};

const objectFaults = (
  { properties = {}, required = [], additionalProperties }: Schema,
  value: Readonly<Record<string, unknown>>,
  pointer: string,
): readonly SchemaFault[] => {
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  const known = (name: string) => Object.hasOwn(properties, name);
  const unknown = additionalProperties === false ? Object.keys(value).filter((name) => !known(name)) : [];
  return [
    ...missing.map((name) => ({ pointer: `${pointer}/${name}`, message: 'is missing' })),
    ...unknown.map((name) => ({
      pointer: `${pointer}/${name}`,
      message: `is not known (known: ${Object.keys(properties).join(', ')})`,
    })),
    ...Object.entries(properties).flatMap(([name, schema]) =>
      Object.hasOwn(value, name) ? schemaFaults(schema, value[name], `${pointer}/${name}`) : [],
    ),
  ];
};

const alternativeFaults = (alternatives: readonly Schema[], value: unknown, pointer: string) => {
  const found = alternatives.map((schema) => schemaFaults(schema, value, pointer));
  if (found.some((faults) => faults.length === 0)) return [];
  // The alternative of the value's own type tells most about what was meant.
  const meant = alternatives.findIndex((schema) => typesOf(schema).some((type) => type !== 'null' && IS[type](value)));
  return found[meant] ?? [{ pointer, message: 'is of no kind that is taken here' }];
};

/**
 * Every fault of a value by a schema of the contract, none where it is accepted: the same values are accepted as the server
 * accepts. Unknown members are faults, so that a misspelt one is not lost in silence.
 */
export const schemaFaults = (schema: Schema, value: unknown, pointer = ''): readonly SchemaFault[] => {
  const fault = (message: string): readonly SchemaFault[] => [{ pointer, message }];
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => IS[type](value)))
    return fault(`must be ${types.map((type) => NAMES[type]).join(' or ')}`);
  if (schema.const !== undefined && value !== schema.const) return fault(`must be ${JSON.stringify(schema.const)}`);
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return fault(`must be one of ${schema.enum.join(', ')}`);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) return alternativeFaults(alternatives, value, pointer);
  const message =
    typeof value === 'string'
      ? textFault(schema, value)
      : typeof value === 'number'
        ? numberFault(schema, value)
        : undefined;
  if (message !== undefined) return fault(message);
  if (Array.isArray(value)) return listFaults(schema, value, pointer);
  return isObject(value) ? objectFaults(schema, value, pointer) : [];
};

/** A fault as a line: where, then what. */
export const faultLine = ({ pointer, message }: SchemaFault): string => `${pointer || '/'}: ${message}`;
