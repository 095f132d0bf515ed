import { type DomainError, type Instant, notFound } from '@shipworthy/domain';
import { type LimitPrefix, retryAtOf } from './rate-limit.js';
import { hostRejected, hostUnavailable } from './unavailable.js';

/** An answer, read whole. */
export interface HostAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;

const isJson = (answer: HostAnswer): boolean => JSON_TYPE.test(answer.headers.get('content-type') ?? '');

export interface Meaning {
  /** Of the host, for people. */
  readonly title: string;
  readonly limits: LimitPrefix;
  readonly now: Instant;
}

/**
 * The JSON of an answer. @throws DomainError `host-unavailable` with cause `not_json` when its type says something else
 * (a page with status 200 is no success), `cut` when it does not end.
 */
export const jsonOf = (answer: HostAnswer, title: string): unknown => {
  if (!isJson(answer)) {
    throw hostUnavailable('not_json', `${title} answered ${answer.status} with a page instead of data.`);
  }
  try {
    return JSON.parse(answer.text);
  } catch {
    throw hostUnavailable('cut', `The answer of ${title} broke off.`);
  }
};

/**
 * What an answer with 4xx or 5xx means, for requests made with a grant. `host-rejected` is only a 401 in the host's own JSON:
 * a page with 401 comes from something in between. 429, or 403 with a word on limits, asks to wait.
 */
export const refusalOf = (answer: HostAnswer, { title, limits, now }: Meaning, what: string): DomainError => {
  const { status, headers } = answer;
  const retryAt = retryAtOf(headers, limits, now);
  if (status === 429 || (status === 403 && retryAt !== undefined)) {
    return hostUnavailable('rate_limited', `${title} asks to wait before the next request.`, retryAt);
  }
  if (status >= 500) return hostUnavailable('server_error', `${title} answered ${status}.`, retryAt);
  try {
    jsonOf(answer, title);
  } catch (error) {
    return error as DomainError;
  }
  if (status === 401) return hostRejected(title);
  if (status === 403) return hostUnavailable('forbidden', `${title} does not allow this to be read.`, retryAt);
  if (status === 404 || status === 410) return notFound(what);
  return hostUnavailable('server_error', `${title} answered ${status}, which was not expected.`, retryAt);
};
