import { DomainError, type Instant } from '@shipworthy/domain';
import type { Clock, HostAccess, HostBudget } from '@shipworthy/domain/ports';
import { Octokit } from 'octokit';
import { runTime } from '../clock/run-time.js';
import {
  budgetOf,
  type HostAnswer,
  hostUnavailable,
  jsonOf,
  refusalOf,
  retryAtOf,
} from '../host-http/answer-meaning.js';
import type { GrantSeals } from '../host-http/host-secrets.js';
import { type HostRequest, type TimedFetch, timedFetch } from '../host-http/timed-fetch.js';
import { HOST_NAME, TITLE, unexpectedValue } from './fields.js';

export type RouteParameters = Readonly<Record<string, string | number | boolean>>;

interface GetOptions {
  /** The validator of an earlier answer; null: none. */
  readonly validator?: string | null;
  /** The thing that a 404 says is missing; null: the request names nothing that could be missing. */
  readonly missing: string | null;
  /** Statuses that say that there is nothing to read here. */
  readonly nothingAt?: readonly number[];
}

/** `nothing`: the host has nothing of the kind; `more`: there is a next page. */
export type Got =
  | { readonly kind: 'unchanged'; readonly budget: HostBudget | null }
  | { readonly kind: 'nothing'; readonly budget: HostBudget | null }
  | {
      readonly kind: 'data';
      readonly data: unknown;
      readonly validator: string | null;
      readonly more: boolean;
      readonly budget: HostBudget | null;
    };

/** How the adapter's parts ask GitHub. */
export interface GithubRequests {
  /** Sends a GET to the REST interface with the grant of `access`. */
  get(access: HostAccess, route: `GET /${string}`, parameters: RouteParameters, options: GetOptions): Promise<Got>;
  /** Returns `X-OAuth-Scopes` for the grant of `access`, comma-separated; null: GitHub does not send it. */
  scopesOf(access: HostAccess): Promise<{ readonly scopes: string | null }>;
  /** Returns an octokit for one call with the grant of `access`; `last` then holds its latest answer. */
  session(access: HostAccess, missing: string | null): GithubSession;
  readonly clock: Clock;
}

export interface GithubSession {
  readonly octokit: Octokit;
  readonly last: { answer: HostAnswer | undefined };
}

/** The requests of one configured host. */
export const githubRequests = (apiUrl: URL, seals: GrantSeals, clock: Clock): GithubRequests => {
  const ask = timedFetch({ title: TITLE, clock, limit: LARGEST_ANSWER });
  const session = (access: HostAccess, missing: string | null): GithubSession => {
    const last: GithubSession['last'] = { answer: undefined };
    const token = seals.openTokens(access.ownerId, access.grant).access;
    const failureOf = (answer: HostAnswer) => githubFailure(answer, missing, clock());
    return {
      octokit: octokitWith(apiUrl, `Bearer ${token}`, octokitFetch(ask, access.deadline, failureOf, last)),
      last,
    };
  };
  return {
    clock,
    session,
    scopesOf: (access) =>
      settledBy(access.deadline, clock, async () => {
        const { octokit, last } = session(access, null);
        try {
          await octokit.request('GET /user');
          return { scopes: last.answer?.headers.get('x-oauth-scopes') ?? null };
        } catch (error) {
          throw unwrapped(error);
        }
      }),
    get: (access, route, parameters, { validator = null, missing, nothingAt = [] }) =>
      settledBy(access.deadline, clock, async () => {
        const { octokit, last } = session(access, missing);
        const headers = validator === null ? {} : { 'if-none-match': validator };
        const budget = () => (last.answer === undefined ? null : budgetOf(last.answer.headers, 'x-ratelimit'));
        try {
          const response = await octokit.request(route, { ...parameters, headers });
          const { etag = null, link = '' } = response.headers;
          const more = /;\s*rel="?next\b/.test(link);
          return { kind: 'data', data: response.data as unknown, validator: etag, more, budget: budget() };
        } catch (error) {
          const status = last.answer?.status ?? 0;
          if (status === 304 && validator !== null) return { kind: 'unchanged', budget: budget() };
          if (nothingAt.includes(status)) return { kind: 'nothing', budget: budget() };
          throw unwrapped(error);
        }
      }),
  };
};

/** Returns an octokit that sends by `fetch` and neither repeats nor throttles: both could outlast any deadline. */
export const octokitWith = (
  apiUrl: URL,
  authorization: string,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Octokit => {
  const octokit = new Octokit({
    baseUrl: apiUrl.href.replace(/\/+$/, ''),
    userAgent: 'shipworthy',
    log: SILENT,
    request: { fetch, retries: 0, log: SILENT },
    retry: { enabled: false },
    throttle: { enabled: false },
  });
  octokit.hook.before('request', (options) => {
    options.headers = { ...options.headers, authorization, 'x-github-api-version': API_VERSION };
  });
  return octokit;
};

/** Makes a fetch for octokit out of `ask`. It keeps each answer in `last`, and for 4xx and 5xx throws its `failureOf`. */
export const octokitFetch =
  (ask: TimedFetch, deadline: number, failureOf: (answer: HostAnswer) => DomainError, last: GithubSession['last']) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const headers = init.headers as Record<string, string>;
    const body = typeof init.body === 'string' ? { body: init.body } : {};
    const answer = await ask({ method: methodOf(init.method), url: new URL(url), headers, deadline, ...body });
    last.answer = answer;
    if (answer.status >= 400) throw failureOf(answer);
    const { status, headers: given, text } = answer;
    if (status === 204 || status === 304) return new Response(null, { status, headers: given });
    jsonOf(answer, TITLE);
    return new Response(text, { status, headers: given });
  };

/** Returns the failure that our fetch threw and octokit wrapped. Any other error means an answer that octokit could not read. */
export const unwrapped = (error: unknown): Error => {
  if (error instanceof DomainError) return error;
  return error instanceof Error && error.cause instanceof DomainError ? error.cause : unexpectedValue('form');
};

const methodOf = (method: string | undefined): HostRequest['method'] =>
  method === 'POST' || method === 'DELETE' ? method : 'GET';

const LIMITS = 'x-ratelimit';
/** What GitHub asks for when a secondary limit is hit and no header says how long to wait. */
const SECONDARY_WAIT_MS = 60_000;
const LIMIT_WORDS = /rate limit|abuse detection/i;
/** GitHub counts by the minute and the hour: a wait of more than a day is an error and cut to a day. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;
const SAID_LENGTH = 300;
/** Matches GitHub's tokens, so that a text from the host never carries one into a log. */
const TOKENS = /\b(gh[a-z]_\w+|github_pat_\w+)/g;

/** The message in the host's JSON, in one line and without tokens; '' when there is none. */
const saidIn = (text: string): string => {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? hostWords(message) : '';
  } catch {
    return '';
  }
};

/** A host's text, made safe for our messages. */
export const hostWords = (message: string): string =>
  message
    .replace(TOKENS, '[token]')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, SAID_LENGTH);

/** Returns `host-unavailable` for a reached limit. Without a header that says until when, SECONDARY_WAIT_MS applies. */
export const rateLimited = (headers: Headers, now: Instant): DomainError => {
  const retryAt = Math.min(retryAtOf(headers, LIMITS, now) ?? now + SECONDARY_WAIT_MS, now + LONGEST_WAIT_MS);
  return hostUnavailable('rate_limited', `${TITLE} asks to wait before the next request.`, retryAt);
};

/** `host-unavailable` because these rights do not suffice; the host's own words name what is missing. */
export const forbidden = (said: string): DomainError =>
  hostUnavailable('forbidden', `${TITLE} does not allow this to be read${said === '' ? '' : `: ${said}`}`);

const serverError = ({ message, details: { retryAt } }: DomainError, now: Instant): DomainError =>
  hostUnavailable(
    'server_error',
    message,
    typeof retryAt === 'number' ? Math.min(retryAt, now + LONGEST_WAIT_MS) : undefined,
  );

/**
 * What an answer with 4xx or 5xx means.
 * @param missing what a 404 says is not there; null: a 404 only says that this is not GitHub's interface
 */
export const githubFailure = (answer: HostAnswer, missing: string | null, now: Instant): DomainError => {
  const { status, headers, text } = answer;
  const failure = refusalOf(answer, { title: TITLE, limits: LIMITS, now }, missing ?? 'page');
  const cause = failure.details.cause;
  // A secondary limit may come as a plain 403 that only its message tells from other refusals.
  if (cause === 'rate_limited' || (cause === 'forbidden' && LIMIT_WORDS.test(saidIn(text)))) {
    return rateLimited(headers, now);
  }
  if (cause === 'forbidden') return forbidden(saidIn(text));
  // GitHub's refusals have a message; JSON without one comes from something in between, such as a proxy.
  if (failure.code === 'host-rejected' && saidIn(text) === '') {
    return hostUnavailable('not_json', `${TITLE} answered 401 without its own words.`);
  }
  if (failure.code !== 'not-found') return cause === 'server_error' ? serverError(failure, now) : failure;
  // A 404 to a request that names nothing that could be missing means that there is no interface at this address.
  if (status === 404 && missing === null) {
    return hostUnavailable('server_error', `${TITLE} has no interface at this address; check its configured address.`);
  }
  return failure;
};

/** Returns `host-rejected`: the host itself refused the stored approval. */
export const rejected = (sentence: string): DomainError =>
  new DomainError('host-rejected', sentence, { host: HOST_NAME });

/**
 * Returns the result of the work. @throws DomainError `host-unavailable` (cause `timeout`) once the deadline has
 * passed. The request itself ends by its own signal; this also ends work that does not listen to a signal. The time
 * left is counted in run time: a host is not late because this process was held up.
 */
export const settledBy = async <Result>(
  deadline: Instant,
  clock: Clock,
  work: () => Promise<Result>,
  time = runTime,
): Promise<Result> => {
  const tooLate = () => hostUnavailable('timeout', `${TITLE} did not answer in time.`);
  const left = deadline - clock();
  if (left <= 0) throw tooLate();
  return time.within(left, work(), () => {
    throw tooLate();
  });
};

/** Bytes: a page of 100 rows has far less. */
const LARGEST_ANSWER = 20 * 1024 * 1024;
const API_VERSION = '2022-11-28';
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const shareLeft = ({ limit, remaining }: HostBudget): number => (limit === 0 ? 0 : remaining / limit);

/** Returns the budget with the smallest share left, since GitHub counts REST and GraphQL apart; null: none is known. */
export const tightestBudget = (...budgets: readonly (HostBudget | null)[]): HostBudget | null =>
  budgets.reduce((least, budget) => {
    if (budget === null || least === null) return budget ?? least;
    return shareLeft(budget) < shareLeft(least) ? budget : least;
  }, null);
