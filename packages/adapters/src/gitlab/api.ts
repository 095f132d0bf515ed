import type { DomainError, Instant } from '@shipworthy/domain';
import type { Clock, HostAccess, HostBudget, HostReading, HostReadRequest } from '@shipworthy/domain/ports';
import { budgetOf, type HostAnswer, hostUnavailable, jsonOf, refusalOf } from '../host-http/answer-meaning.js';
import type { GrantSeals } from '../host-http/host-secrets.js';
import type { TimedFetch } from '../host-http/timed-fetch.js';

/** What is read from GitLab's REST interface. */
export interface GitlabRequest {
  /** Parts of the path below `/api/v4`, not yet URL-encoded. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | readonly number[]>>;
  /** The thing that a 404 of GitLab says is missing; null: a 404 only says that this is not GitLab's API. */
  readonly what: string | null;
  /** An ETag: with it GitLab may answer that nothing changed. */
  readonly validator?: string | null;
}

type Reply =
  | { readonly unchanged: true; readonly budget: HostBudget | null }
  | {
      readonly unchanged: false;
      readonly body: unknown;
      /** The ETag; null: GitLab gave none. */
      readonly validator: string | null;
      /** Number of the next page; null: this was the last one. */
      readonly nextPage: number | null;
      readonly budget: HostBudget | null;
    };

/** A reply with a body: never "unchanged". */
export type FullReply = Extract<Reply, { unchanged: false }>;

export interface GitlabApi {
  /** Reads with the grant; throws as the port `RepositoryHost` says. */
  get(access: HostAccess, reading: GitlabRequest): Promise<Reply>;
  /** Reads without a validator, so that the answer is never "unchanged". */
  getFull(access: HostAccess, reading: Omit<GitlabRequest, 'validator'>): Promise<FullReply>;
  /** Sends a GraphQL query and returns the whole answer: `data` and `errors`. */
  query(access: HostAccess, query: string, variables: Readonly<Record<string, string>>): Promise<unknown>;
}

interface ApiSettings {
  readonly url: URL;
  readonly ask: TimedFetch;
  readonly seals: GrantSeals;
  readonly clock: Clock;
}

/**
 * GitLab's REST interface, version 4. From GitLab's documentation: OAuth tokens go as `Authorization: Bearer`, offset
 * pagination names the next page in `X-Next-Page`, limits are told in `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds
 * since 1970) and, with 429, `Retry-After`. Answers carry weak ETags; a 304 costs a request all the same.
 */
export const gitlabApi = ({ url, ask, seals, clock }: ApiSettings): GitlabApi => {
  const headersOf = ({ ownerId, grant }: HostAccess): Record<string, string> => ({
    accept: 'application/json',
    authorization: `Bearer ${seals.openTokens(ownerId, grant).access}`,
  });
  const refusal = (answer: HostAnswer, what: string | null): DomainError => {
    const failure = refusalOf(answer, { title: TITLE, limits: 'ratelimit', now: clock() }, what ?? 'page');
    // A 401 in other JSON than GitLab's comes from something in between, such as a proxy.
    if (failure.code === 'host-rejected' && !refusesGrant(jsonOf(answer, TITLE)))
      return hostUnavailable('not_json', `${TITLE} answered 401 without its own words.`);
    if (what !== null || failure.code !== 'not-found') return failure;
    return hostUnavailable('server_error', `${TITLE} has no interface at this address; check its configured address.`);
  };

  const get = async (access: HostAccess, reading: GitlabRequest): Promise<Reply> => {
    const validator = reading.validator ?? null;
    const answer = await ask({
      method: 'GET',
      url: linkOf(url, reading),
      headers: { ...headersOf(access), ...(validator === null ? {} : { 'if-none-match': validator }) },
      deadline: access.deadline,
    });
    const budget = budgetOf(answer.headers, 'ratelimit');
    if (answer.status === 304 && validator !== null) return { unchanged: true, budget };
    if (answer.status !== 200) throw refusal(answer, reading.what);
    return {
      unchanged: false,
      body: jsonOf(answer, TITLE),
      validator: answer.headers.get('etag'),
      nextPage: nextPageOf(answer.headers),
      budget,
    };
  };

  return {
    get,
    getFull: async (access, reading) => {
      const reply = await get(access, { ...reading, validator: null });
      if (reply.unchanged) throw new Error('unchanged, though nothing to compare with was sent');
      return reply;
    },
    query: async (access, query, variables) => {
      const answer = await ask({
        method: 'POST',
        url: gitlabAddress(url, '/api/graphql'),
        headers: { ...headersOf(access), 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
        deadline: access.deadline,
      });
      if (answer.status !== 200) throw refusal(answer, 'repository');
      return jsonOf(answer, TITLE);
    },
  };
};

/** An address below the place where GitLab is installed, which may itself be below a path. */
export const gitlabAddress = (url: URL, path: string): URL =>
  new URL(`${url.origin}${url.pathname.replace(/\/+$/, '')}${path}`);

const linkOf = (url: URL, { path, query = {} }: GitlabRequest): URL => {
  const link = gitlabAddress(url, `/api/v4/${path.map(encodeURIComponent).join('/')}`);
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'object') for (const item of value) link.searchParams.append(`${name}[]`, String(item));
    else link.searchParams.set(name, String(value));
  }
  return link;
};

/** How GitLab refuses a token: `message` of its REST interface, `error` of RFC 6750 (3.1), `errors` of its GraphQL interface. */
const refusesGrant = (body: unknown): boolean => {
  if (!isFields(body)) return false;
  const { message, error, errors } = body;
  if (typeof message === 'string' && /^401\b/.test(message)) return true;
  if (error === 'invalid_token') return true;
  const [first]: readonly unknown[] = Array.isArray(errors) ? errors : [];
  return isFields(first) && typeof first.message === 'string' && /^invalid token/i.test(first.message);
};

const nextPageOf = (headers: Headers): number | null => {
  const next = headers.get('x-next-page')?.trim() ?? '';
  return /^[1-9]\d*$/.test(next) ? Number(next) : null;
};

/** A list of GitLab's that can be ordered and filtered by `updated_at`. */
interface ChangedList<Row> {
  readonly reading: GitlabRequest;
  rowsOf(page: readonly Fields[]): Promise<readonly Row[]>;
}

/**
 * Reads what changed, least recently changed first. Page numbers alone would lose rows: one that changes during the reading
 * moves to the end and pulls the others forward. So each page begins at the moment that the page before reached
 * (`updated_after` includes its moment, and GitLab allows it only together with that order); rows that were returned
 * before are left out. A first request, for the newest row with its ETag, finds out whether anything changed at all.
 */
export const changedRows = async <Row>(
  api: GitlabApi,
  access: HostAccess,
  list: ChangedList<Row>,
  request: HostReadRequest,
): Promise<HostReading<Row>> => {
  const begin: Place = { after: request.since ?? 0, page: 1, seen: [] };
  const place = request.page === null ? begin : (JSON.parse(request.page) as Place);
  let validator: string | null = null;
  if (request.page === null) {
    const newest = await api.get(access, { ...ordered(list.reading, 'desc', 0, 1, 1), validator: request.validator });
    if (newest.unchanged) return newest;
    validator = newest.validator;
    const [row] = rowsIn(newest.body);
    if (row === undefined || moment(row, 'updated_at') < begin.after) {
      return { unchanged: false, rows: [], next: null, validator, budget: newest.budget };
    }
  }
  const reply: FullReply = await api.getFull(access, ordered(list.reading, 'asc', place.after, PER_PAGE, place.page));
  const rows = rowsIn(reply.body);
  const fresh = rows.filter(
    (row) => moment(row, 'updated_at') !== place.after || !place.seen.includes(wholeNumber(row, 'id')),
  );
  return {
    unchanged: false,
    rows: await list.rowsOf(fresh),
    next: reply.nextPage === null ? null : JSON.stringify(placeAfter(place, rows)),
    validator,
    budget: reply.budget,
  };
};

export const TITLE = 'GitLab';

/** An object of GitLab's API whose fields were not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** The failure for JSON that is not of GitLab's API. */
export const unexpectedJson = (): DomainError =>
  hostUnavailable('not_json', `${TITLE} answered something else than its interface gives.`);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => {
  if (!isFields(value)) throw unexpectedJson();
  return value;
};

/** Returns the object in a field; undefined: null or left out. */
export const within = (fields: Fields, name: string): Fields | undefined => {
  const value = fields[name];
  return value === null || value === undefined ? undefined : fieldsOf(value);
};

/** Most rows of an answer; no request asks for more than 100. */
const MOST_ROWS = 1000;

export const rowsIn = (value: unknown): readonly Fields[] => {
  if (!Array.isArray(value) || value.length > MOST_ROWS) throw unexpectedJson();
  return value.map(fieldsOf);
};

/** Returns the text in a field; null: null, empty or left out. */
export const textOrNull = (fields: Fields, name: string): string | null => {
  const value = fields[name] ?? null;
  if (value !== null && typeof value !== 'string') throw unexpectedJson();
  return value === '' ? null : value;
};

export const text = (fields: Fields, name: string): string => {
  const value = textOrNull(fields, name);
  if (value === null) throw unexpectedJson();
  return value;
};

export const wholeNumber = (fields: Fields, name: string): number => {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unexpectedJson();
  return value;
};

/** Returns the moment in a field, cut to whole milliseconds; null: null, empty or left out. */
export const momentOrNull = (fields: Fields, name: string): Instant | null => {
  const value = textOrNull(fields, name);
  if (value === null) return null;
  const moment = Date.parse(value);
  if (Number.isNaN(moment)) throw unexpectedJson();
  return moment;
};

export const moment = (fields: Fields, name: string): Instant => {
  const value = momentOrNull(fields, name);
  if (value === null) throw unexpectedJson();
  return value;
};

/** Where the next page of a reading begins. */
interface Place {
  /** The first moment to read from, on GitLab's clock. */
  readonly after: Instant;
  /** The page among rows that changed at or after that moment. */
  readonly page: number;
  /** Ids of rows that changed at exactly that moment and were returned before. */
  readonly seen: readonly number[];
}

const PER_PAGE = 100;
const rfc3339 = (at: Instant): string => new Date(at).toISOString();

const ordered = (
  reading: GitlabRequest,
  sort: 'asc' | 'desc',
  after: Instant,
  perPage: number,
  page: number,
): GitlabRequest => ({
  ...reading,
  query: {
    ...reading.query,
    order_by: 'updated_at',
    sort,
    updated_after: rfc3339(after),
    per_page: perPage,
    page,
  },
});

const placeAfter = (place: Place, rows: readonly Fields[]): Place => {
  const last = rows.at(-1);
  const reached = last === undefined ? place.after : moment(last, 'updated_at');
  const seen = rows.filter((row) => moment(row, 'updated_at') === reached).map((row) => wholeNumber(row, 'id'));
  // When all 100 rows have one moment, the next request asks for the next page of the same moment.
  if (reached <= place.after) return { after: place.after, page: place.page + 1, seen: [...place.seen, ...seen] };
  return { after: reached, page: 1, seen };
};
