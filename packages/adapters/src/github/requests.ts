import { type Clock, DomainError, type HostAccess, type HostBudget } from '@shipworthy/domain';
import { Octokit } from 'octokit';
import { type HostAnswer, jsonOf } from '../host-http/answer-meaning.js';
import { budgetOf } from '../host-http/rate-limit.js';
import type { GrantSeals } from '../host-http/sealed-grant.js';
import { type HostRequest, type TimedFetch, timedFetch } from '../host-http/timed-fetch.js';
import { failureOf } from './failure.js';
import { surprising } from './fields.js';
import { TITLE } from './options.js';
import { settledBy } from './settled-by.js';

/** Bytes: a page of 100 rows has far less. */
const LARGEST_ANSWER = 20 * 1024 * 1024;
const API_VERSION = '2022-11-28';
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export type RouteParameters = Readonly<Record<string, string | number | boolean>>;

export interface GetOptions {
  /** What an earlier answer gave out; null: none. */
  readonly validator?: string | null;
  /** What a 404 says is not there; null: nothing that could be missing is asked for. */
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
  /** A GET of the REST interface with that person's grant. */
  get(access: HostAccess, route: `GET /${string}`, parameters: RouteParameters, options: GetOptions): Promise<Got>;
  /** What `X-OAuth-Scopes` says of that person's grant, comma-separated; null: GitHub does not send it. */
  scopesOf(access: HostAccess): Promise<{ readonly scopes: string | null }>;
  /** An octokit for one call with that person's grant, with the place where its last answer will lie. */
  session(access: HostAccess, missing: string | null): GithubSession;
  readonly clock: Clock;
}

export interface GithubSession {
  readonly octokit: Octokit;
  readonly last: { answer: HostAnswer | undefined };
}

/** The failure that the own fetch threw, which octokit wraps into an error of its own; else what octokit stumbled over is the answer's fault. */
export const unwrapped = (error: unknown): Error => {
  if (error instanceof DomainError) return error;
  return error instanceof Error && error.cause instanceof DomainError ? error.cause : surprising('form');
};

const methodOf = (method: string | undefined): HostRequest['method'] =>
  method === 'POST' || method === 'DELETE' ? method : 'GET';

/** An octokit that neither repeats nor throttles: both would outlast any deadline. All it sends goes through `ask`. */
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

/** octokit's fetch over ours: what is no success is thrown here, with what it means. */
export const bridge =
  (ask: TimedFetch, deadline: number, meaning: (answer: HostAnswer) => DomainError, last: GithubSession['last']) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const headers = init.headers as Record<string, string>;
    const body = typeof init.body === 'string' ? { body: init.body } : {};
    const answer = await ask({ method: methodOf(init.method), url: new URL(url), headers, deadline, ...body });
    last.answer = answer;
    if (answer.status >= 400) throw meaning(answer);
    const { status, headers: given, text } = answer;
    if (status === 204 || status === 304) return new Response(null, { status, headers: given });
    jsonOf(answer, TITLE);
    return new Response(text, { status, headers: given });
  };

/** The requests of one configured host. */
export const githubRequests = (apiUrl: URL, seals: GrantSeals, clock: Clock): GithubRequests => {
  const ask = timedFetch({ title: TITLE, clock, limit: LARGEST_ANSWER });
  const session = (access: HostAccess, missing: string | null): GithubSession => {
    const last: GithubSession['last'] = { answer: undefined };
    const token = seals.openTokens(access.ownerId, access.grant).access;
    const meaning = (answer: HostAnswer) => failureOf(answer, missing, clock());
    return { octokit: octokitWith(apiUrl, `Bearer ${token}`, bridge(ask, access.deadline, meaning, last)), last };
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
