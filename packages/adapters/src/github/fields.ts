import type { Instant } from '@shipworthy/domain';
import { parsedUrl } from '../host-http/parsed-url.js';
import { hostUnavailable } from '../host-http/unavailable.js';
import { TITLE } from './options.js';

/** An object in an answer. */
export type Fields = Readonly<Record<string, unknown>>;

/** What is not of the kind that was promised. */
export const surprising = (what: string): Error =>
  hostUnavailable('not_json', `${TITLE} answered with something else than its interface promises (${what}).`);

/**
 * The readers below take a part out of an answer and throw DomainError `host-unavailable` (cause `not_json`) when it is not
 * of the kind that GitHub's interface promises, so that no half-read row is ever stored.
 */
export const fieldsOf = (value: unknown, what: string): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw surprising(what);
  return value as Fields;
};

/** The list of objects, without the nulls that GraphQL puts where something cannot be shown. */
export const listOf = (value: unknown, what: string): readonly Fields[] => {
  if (!Array.isArray(value)) throw surprising(what);
  return value.filter((item) => item !== null).map((item: unknown) => fieldsOf(item, what));
};

export const textOf = (fields: Fields, key: string): string => {
  const value = fields[key];
  if (typeof value !== 'string') throw surprising(key);
  return value;
};

/** null for null and for what is missing. */
export const textOrNull = (fields: Fields, key: string): string | null =>
  fields[key] === null || fields[key] === undefined ? null : textOf(fields, key);

export const numberOf = (fields: Fields, key: string): number => {
  const value = fields[key];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw surprising(key);
  return value;
};

export const flagOf = (fields: Fields, key: string): boolean => {
  const value = fields[key];
  if (typeof value !== 'boolean') throw surprising(key);
  return value;
};

export const momentOf = (fields: Fields, key: string): Instant => {
  const at = Date.parse(textOf(fields, key));
  if (Number.isNaN(at)) throw surprising(key);
  return at;
};

/** null for null and for what is missing. */
export const momentOrNull = (fields: Fields, key: string): Instant | null =>
  fields[key] === null || fields[key] === undefined ? null : momentOf(fields, key);

/** An address for people; null for anything that is not http or https, since others may have written it. */
export const webAddressOrNull = (fields: Fields, key: string): string | null => {
  const text = textOrNull(fields, key);
  return text !== null && /^https?:$/.test(parsedUrl(text)?.protocol ?? '') ? text : null;
};
