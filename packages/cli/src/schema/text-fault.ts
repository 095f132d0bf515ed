import { FORMATS, type Schema } from '@shipworthy/client/contract';

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

/** Its characters; counted one by one only where halves of pairs could make a difference to the limits. */
const lengthOf = (value: string, least: number, most: number): number =>
  value.length >= 2 * least && value.length <= most ? value.length : [...value].length;

/** What is wrong with a text by a schema of the contract; undefined where it is accepted. */
export const textFault = (schema: Schema, value: string): string | undefined => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format = 'characters' } = schema;
  const misfit =
    schema.format !== undefined && !fits(format, value) ? `must be ${FORMAT_NAMES[format] ?? format}` : undefined;
  // What it has to be tells more than how long that is.
  if (misfit !== undefined && format !== 'text' && format !== 'characters') return misfit;
  const length = lengthOf(value, minLength, maxLength);
  if (length < minLength) return minLength === 1 ? 'must not be empty' : `must have ${minLength} or more characters`;
  if (length > maxLength) return `must have ${maxLength} or fewer characters`;
  if (pattern !== undefined && !matches(pattern, value))
    return schema.description === undefined ? `must match ${pattern}` : `must be: ${schema.description}`;
  return misfit;
};
