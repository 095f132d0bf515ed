import { hash } from 'node:crypto';
import type { User as WireUser } from '@shipworthy/client/contract';
import {
  type ExternalId,
  type Instant,
  type Interval,
  invalid,
  type ListOrder,
  type SearchText,
  searchTextOf,
  type User,
} from '@shipworthy/domain';

let lastMoment = Number.NaN;
let lastText = '';

/** A moment on the wire: RFC 3339 in UTC with milliseconds. */
export const wireMoment = (at: Instant): string => {
  // Most moments follow others of the same millisecond.
  if (at !== lastMoment) {
    lastText = new Date(at).toISOString();
    lastMoment = at;
  }
  return lastText;
};

/** A moment on the wire, as `wireMoment` writes it; null stays null. */
export const wireMomentOrNull = (at: Instant | null): string | null => (at === null ? null : wireMoment(at));

/** The moment a valid timestamp names; what is finer than a millisecond is cut off. */
export const sentMoment = (timestamp: string): Instant => Date.parse(timestamp);

/** The moment a valid timestamp names; null for a timestamp that is missing or null. */
export const sentMomentOrNull = (timestamp: string | null | undefined): Instant | null =>
  timestamp === undefined || timestamp === null ? null : sentMoment(timestamp);

/** The interval a list is asked for, `to` itself excluded; undefined when neither end is given. */
export const intervalOf = (from: string | undefined, to: string | undefined): Interval | undefined =>
  from === undefined && to === undefined ? undefined : { from: sentMomentOrNull(from) ?? 0, to: sentMomentOrNull(to) };

/** The words that a list is searched for; undefined: it is not. */
export const sentWords = (q: string | undefined): SearchText | undefined =>
  q === undefined ? undefined : searchTextOf(q);

/** The order in which a list by time is asked for; newest first unless `asc` is given. */
export const orderOf = (order: 'asc' | 'desc' | undefined): ListOrder =>
  order === 'asc' ? 'oldest-first' : 'newest-first';

/** Checks that query members come with the member they need. @throws DomainError `invalid` that names each */
export const requireTogether = (
  query: Readonly<Record<string, unknown>>,
  pairs: readonly (readonly [string, string])[],
): void => {
  const faults = pairs
    .filter(([member, other]) => query[member] !== undefined && query[other] === undefined)
    .map(([member, other]) => ({ pointer: member, code: 'alone', message: `${member} says nothing without ${other}` }));
  if (faults.length > 0) throw invalid(faults);
};

const quotedNames = new Map<string, string>();

/** A member's name as JSON, kept for the next time. Reports have few names: the contract lists them. */
const quoted = (name: string): string => {
  const known = quotedNames.get(name) ?? JSON.stringify(name);
  quotedNames.set(name, known);
  return known;
};

let lastNames: readonly string[] = [];
let lastSorted: readonly string[] = [];

/**
 * A record's member names, sorted, without `external_id`. The last list is kept: records of a batch mostly share it.
 */
const sortedNames = (record: Readonly<Record<string, unknown>>): readonly string[] => {
  const names = Object.keys(record);
  const isLike = names.length === lastNames.length && names.every((name, at) => name === lastNames[at]);
  if (!isLike) [lastNames, lastSorted] = [names, names.filter((name) => name !== 'external_id').sort()];
  return lastSorted;
};

/**
 * A request's record as one text: JSON of `[name, value]` sorted by name, so that the order in the request does not matter.
 * Records of reports are flat. Fingerprints are stored: the text of a record must stay the same for ever.
 */
const canonical = (record: Readonly<Record<string, unknown>>): string => {
  let text = '';
  for (const name of sortedNames(record)) text += `${text && ','}[${quoted(name)},${JSON.stringify(record[name])}]`;
  return `[${text}]`;
};

/** The external id of a reported record with the SHA-256 of all else that was sent; null without one. */
export const externalIdOf = (record: { readonly external_id?: string }): ExternalId | null =>
  record.external_id === undefined
    ? null
    : { id: record.external_id, fingerprint: hash('sha256', canonical(record), 'hex') };

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const wireValue = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => wireValue(item));
  if (typeof value === 'number' && name.endsWith('At')) return wireMoment(value);
  return value === null || typeof value !== 'object' ? value : wireDetail(value);
};

/** A free record of the domain in wire form: names in snake_case, moments (whose names end in At) as RFC 3339. */
export const wireDetail = (detail: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(detail).map(([name, value]) => [snakeCase(name), wireValue(value, name)]));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
};

/**
 * Writes a JSON value as its one text by RFC 8785. Member names must not be whole numbers: JavaScript puts those first.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));

/** A person with an account. */
export const wireUser = ({ id, email, emailVerified, name, administrator, createdAt }: User): WireUser => ({
  id,
  email,
  email_verified: emailVerified,
  name,
  administrator,
  created_at: wireMoment(createdAt),
});
