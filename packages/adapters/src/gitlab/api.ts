import type { Clock, DomainError, HostAccess, HostBudget } from '@shipworthy/domain';
import { type HostAnswer, jsonOf, refusalOf } from '../host-http/answer-meaning.js';
import { budgetOf } from '../host-http/rate-limit.js';
import type { GrantSeals } from '../host-http/sealed-grant.js';
import type { TimedFetch } from '../host-http/timed-fetch.js';
import { hostUnavailable } from '../host-http/unavailable.js';
import { isFields, TITLE } from './fields.js';

/** What is read from GitLab's REST interface. */
export interface Reading {
  /** Parts of the path below `/api/v4`, as they are; they are encoded here. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | readonly number[]>>;
  /** What is missing when GitLab answers 404; null: nothing that could be, so that it only says that this is not its interface. */
  readonly what: string | null;
  /** An ETag: with it GitLab may answer that nothing changed. */
  readonly validator?: string | null;
}

export type Reply =
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
export type FullReply = Extract<Reply, { unchanged: false }>;

export interface GitlabApi {
  /** Reads with the grant; throws as the port `RepositoryHost` says. */
  get(access: HostAccess, reading: Reading): Promise<Reply>;
  /** Reads what has no validator. */
  getFull(access: HostAccess, reading: Omit<Reading, 'validator'>): Promise<FullReply>;
  /** Asks a GraphQL query and answers all that came: `data` and `errors`. */
  query(access: HostAccess, query: string, variables: Readonly<Record<string, string>>): Promise<unknown>;
}

export interface ApiSettings {
  readonly url: URL;
  readonly ask: TimedFetch;
  readonly seals: GrantSeals;
  readonly clock: Clock;
}

/** An address below the place where GitLab is installed, which may itself be below a path. */
export const addressOf = (url: URL, path: string): URL =>
  new URL(`${url.origin}${url.pathname.replace(/\/+$/, '')}${path}`);

const linkOf = (url: URL, { path, query = {} }: Reading): URL => {
  const link = addressOf(url, `/api/v4/${path.map(encodeURIComponent).join('/')}`);
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
    // JSON in other words is of something in between, such as a proxy.
    if (failure.code === 'host-rejected' && !refusesGrant(jsonOf(answer, TITLE)))
      return hostUnavailable('not_json', `${TITLE} answered 401 without its own words.`);
    if (what !== null || failure.code !== 'not-found') return failure;
    return hostUnavailable('server_error', `${TITLE} has no interface at this address; check its configured address.`);
  };

  const get = async (access: HostAccess, reading: Reading): Promise<Reply> => {
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
        url: addressOf(url, '/api/graphql'),
        headers: { ...headersOf(access), 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
        deadline: access.deadline,
      });
      if (answer.status !== 200) throw refusal(answer, 'repository');
      return jsonOf(answer, TITLE);
    },
  };
};
