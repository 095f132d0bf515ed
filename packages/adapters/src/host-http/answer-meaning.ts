import { DomainError, type Instant, notFound } from '@shipworthy/domain';
import type { HostBudget } from '@shipworthy/domain/ports';

/** An answer, read whole. */
export interface HostAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface AnswerContext {
  /** The host's name for people. */
  readonly title: string;
  readonly limits: LimitPrefix;
  readonly now: Instant;
}

/** Most values in the JSON of an answer; no page of a list has as many. Parsing millions would block this process. */
const MOST_VALUES = 250_000;
const [QUOTE, COMMA, OPEN_BRACKET, OPEN_BRACE] = [34, 44, 91, 123];

/** Returns the index of the quote that closes a string; the text's length if no quote closes it. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
};

/** Whether a JSON text holds more than MOST_VALUES values, counted by commas and opening brackets. */
const holdsTooMuch = (text: string): boolean => {
  let values = 0;
  for (let at = 0; at < text.length && values <= MOST_VALUES; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA || code === OPEN_BRACKET || code === OPEN_BRACE) values += 1;
  }
  return values > MOST_VALUES;
};

/**
 * Parses the JSON of an answer. @throws DomainError `host-unavailable`: cause `not_json` when the content type is not
 * JSON (such as a page with status 200), `cut` when the JSON is incomplete or holds more than MOST_VALUES values.
 */
export const jsonOf = (answer: HostAnswer, title: string): unknown => {
  if (!isJson(answer)) {
    throw hostUnavailable('not_json', `${title} answered ${answer.status} with a page instead of data.`);
  }
  if (holdsTooMuch(answer.text)) throw hostUnavailable('cut', `The answer of ${title} is too large to be read.`);
  try {
    return JSON.parse(answer.text);
  } catch {
    throw hostUnavailable('cut', `The answer of ${title} broke off.`);
  }
};

/**
 * Returns the error for an answer with 4xx or 5xx to a request with a grant. Only a 401 in JSON gives `host-rejected`:
 * a page with 401 comes from a proxy or the like. 429, or 403 with a time to retry, gives cause `rate_limited`.
 */
export const refusalOf = (answer: HostAnswer, { title, limits, now }: AnswerContext, what: string): DomainError => {
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

/** The start of the names of a host's limit headers; `-limit`, `-remaining` or `-reset` follows. */
type LimitPrefix = 'x-ratelimit' | 'ratelimit';

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined;

/** Returns the calls that the host still allows; `-reset`: seconds since 1970. null: not all headers are usable. */
export const budgetOf = (headers: Headers, prefix: LimitPrefix): HostBudget | null => {
  const limit = wholeNumber(headers.get(`${prefix}-limit`));
  const remaining = wholeNumber(headers.get(`${prefix}-remaining`));
  const reset = wholeNumber(headers.get(`${prefix}-reset`));
  if (limit === undefined || remaining === undefined || reset === undefined) return null;
  return { limit, remaining, resetAt: reset * 1000 };
};

/** `Retry-After` (RFC 9110, 10.2.3): seconds from now, or a date. */
const retryAfter = (headers: Headers, now: Instant): Instant | undefined => {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = wholeNumber(text);
  if (seconds !== undefined) return now + seconds * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
};

/** When the host may be asked again; undefined: it did not say. */
export const retryAtOf = (headers: Headers, prefix: LimitPrefix, now: Instant): Instant | undefined => {
  const after = retryAfter(headers, now);
  if (after !== undefined) return after;
  const budget = budgetOf(headers, prefix);
  return budget !== null && budget.remaining === 0 ? budget.resetAt : undefined;
};

/** Why a repository host could not be read: the values of `details.cause` of `host-unavailable`. */
export const UNAVAILABLE_CAUSES = [
  /** No whole answer before the deadline. */
  'timeout',
  /** No connection, or one that ended before an answer began. */
  'unreachable',
  /** An answer that blames the host: 5xx, or a status that its interface does not give here. */
  'server_error',
  /** The host asks to wait. */
  'rate_limited',
  /** Something else than JSON: a page for people, such as a sign-in or a maintenance notice. */
  'not_json',
  /** A redirect that is not followed, because the grant must not go there. */
  'redirected',
  /** Refused for a reason other than the grant: not enough rights, or this service is blocked. */
  'forbidden',
  /** An answer that broke off, or that is larger than any answer of the interface. */
  'cut',
] as const;
export type UnavailableCause = (typeof UNAVAILABLE_CAUSES)[number];

/** `host-unavailable` with a sentence that says what happened; `retryAt`: when the host said it may be asked again. */
export const hostUnavailable = (cause: UnavailableCause, message: string, retryAt?: Instant): DomainError =>
  new DomainError('host-unavailable', message, retryAt === undefined ? { cause } : { cause, retryAt });

/** `host-rejected`: the host itself refused the grant or the code; only approving again helps. */
export const hostRejected = (title: string): DomainError =>
  new DomainError('host-rejected', `${title} refused the approval; approve again.`);

/** Whether repeating the request at once may help. */
export const isTransientHostFailure = (error: unknown): boolean =>
  error instanceof DomainError && ['unreachable', 'cut'].includes(String(error.details.cause));

const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;

const isJson = (answer: HostAnswer): boolean => JSON_TYPE.test(answer.headers.get('content-type') ?? '');
