import { DomainError, type Instant, notFound } from '@shipworthy/domain';
import { webAddress } from '@shipworthy/domain/ports';
import { hostUnavailable } from '../host-http/answer-meaning.js';

/** What the server needs in order to talk to GitHub, or to a GitHub Enterprise Server. */
export interface GithubOptions {
  /** The client id of the OAuth app registered at the host. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** `https://api.github.com`, or `https://host/api/v3` of an Enterprise Server. */
  readonly apiUrl: URL;
  /** `https://github.com`, or `https://host`. */
  readonly webUrl: URL;
  /** The server's secret key, 32 bytes at least: grants are sealed and webhooks signed under keys derived from it. */
  readonly secretKey: Uint8Array;
  /** The service's clock, in milliseconds since 1970; the machine's unless given. */
  readonly clock?: () => Instant;
}

/** The host's name in paths and in external ids. */
export const HOST_NAME = 'github';
/** The host's name for people. */
export const TITLE = 'GitHub';

/** An object in an answer. */
export type Fields = Readonly<Record<string, unknown>>;

/** The error for a value of another kind than the API promises. */
export const unexpectedValue = (what: string): Error =>
  hostUnavailable('not_json', `${TITLE} answered with something else than its interface promises (${what}).`);

/**
 * The readers below take a part out of an answer and throw DomainError `host-unavailable` (cause `not_json`) when it is not
 * of the kind that GitHub's interface promises, so that no half-read row is ever stored.
 */
export const fieldsOf = (value: unknown, what: string): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unexpectedValue(what);
  return value as Fields;
};

/** Most rows of an answer; no request asks for more than 100. */
const MOST_ROWS = 1000;

/** The list of objects, without the nulls that GraphQL puts where something cannot be shown. */
export const listField = (value: unknown, what: string): readonly Fields[] => {
  if (!Array.isArray(value) || value.length > MOST_ROWS) throw unexpectedValue(what);
  return value.filter((item) => item !== null).map((item: unknown) => fieldsOf(item, what));
};

export const textField = (fields: Fields, key: string): string => {
  const value = fields[key];
  if (typeof value !== 'string') throw unexpectedValue(key);
  return value;
};

/** Returns the text in a field; null: null or left out. */
export const textOrNull = (fields: Fields, key: string): string | null =>
  fields[key] === null || fields[key] === undefined ? null : textField(fields, key);

export const numberOf = (fields: Fields, key: string): number => {
  const value = fields[key];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unexpectedValue(key);
  return value;
};

export const flagOf = (fields: Fields, key: string): boolean => {
  const value = fields[key];
  if (typeof value !== 'boolean') throw unexpectedValue(key);
  return value;
};

export const momentField = (fields: Fields, key: string): Instant => {
  const at = Date.parse(textField(fields, key));
  if (Number.isNaN(at)) throw unexpectedValue(key);
  return at;
};

/** Returns the moment in a field; null: null or left out. */
export const momentOrNull = (fields: Fields, key: string): Instant | null =>
  fields[key] === null || fields[key] === undefined ? null : momentField(fields, key);

/** Returns a web address in a field; null for any other text, since the field may hold what outsiders wrote. */
export const webAddressOrNull = (fields: Fields, key: string): string | null => webAddress(textOrNull(fields, key));

/** An address of the host's own pages. */
export const webAddressField = (fields: Fields, key: string): string => {
  const address = webAddress(textField(fields, key));
  if (address === null) throw unexpectedValue(key);
  return address;
};

const notOurs = (): DomainError =>
  new DomainError('invalid', 'This page was not given out here.', {
    faults: [{ pointer: '/page', code: 'page', message: 'was not given out here' }],
  });

/** Returns where the next page starts, as text that callers keep and do not look into. */
export const pageText = (place: Fields): string => JSON.stringify(place);

/** Reads what `pageText` wrote. @throws DomainError `invalid` for a text that was not made here */
export const placeFrom = (page: string): Fields => {
  try {
    return fieldsOf(JSON.parse(page), 'page');
  } catch {
    throw notOurs();
  }
};

/** A whole number of a place, `least` or more. @throws DomainError `invalid` */
export const placeNumber = (place: Fields, key: string, least: number): number => {
  const value = place[key];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least) throw notOurs();
  return value;
};

/** Returns the cursor after which a GraphQL list goes on; null: it starts. @throws DomainError `invalid` */
export const placeAfter = (page: string | null): string | null => {
  if (page === null) return null;
  const { after } = placeFrom(page);
  if (typeof after !== 'string') throw notOurs();
  return after;
};

const OWNER = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const REPOSITORY = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;

/**
 * Owner and name of a path such as `acme/shop`. Paths come from people: what is not of this form cannot exist at GitHub, so
 * no request is made for it. @throws DomainError `not-found`
 */
export const ownerAndName = (path: string): { readonly owner: string; readonly repo: string } => {
  const [owner = '', repo = '', ...rest] = path.split('/');
  if (rest.length > 0 || !OWNER.test(owner) || !REPOSITORY.test(repo)) throw notFound('repository');
  return { owner, repo };
};

/** Returns an id as number. @throws DomainError `not-found` for any other text, since GitHub has no such repository */
export const numberInId = (id: string): number => {
  if (!/^[1-9]\d{0,15}$/.test(id)) throw notFound('repository');
  return Number(id);
};

/**
 * Returns the nodes of an answer to `nodes(ids)`, in the order of the ids; null for a node that does not exist.
 * @throws DomainError for an answer of another length, which would make all nodes seem removed
 */
export const placesOf = (data: Fields, count: number): readonly unknown[] => {
  const nodes: unknown = data.nodes;
  if (!Array.isArray(nodes) || nodes.length !== count) throw unexpectedValue('nodes');
  return nodes;
};

/**
 * The nodes of one kind that still belong to the repository. Each is keyed by the id that was asked for: the host may answer
 * with another spelling of it.
 */
export const nodesOfRepository = (
  data: Fields,
  ids: readonly string[],
  kind: 'Issue' | 'Deployment',
  repositoryId: string,
): readonly Fields[] => {
  const places = placesOf(data, ids.length);
  return ids.flatMap((id, place) => {
    const node = places[place] ?? null;
    const fields = node === null ? {} : fieldsOf(node, 'node');
    if (fields.__typename !== kind) return [];
    const home = numberOf(fieldsOf(fields.repository, 'repository'), 'databaseId');
    return String(home) === repositoryId ? [{ ...fields, id }] : [];
  });
};
