import { DomainError, type Instant } from '@shipworthy/domain';
import { type HostAnswer, refusalOf } from '../host-http/answer-meaning.js';
import { retryAtOf } from '../host-http/rate-limit.js';
import { hostUnavailable } from '../host-http/unavailable.js';
import { NAME, TITLE } from './options.js';

const LIMITS = 'x-ratelimit';
/** What GitHub asks for when a secondary limit is hit and no header says how long to wait. */
const SECONDARY_WAIT_MS = 60_000;
const LIMIT_WORDS = /rate limit|abuse detection/i;
/** GitHub counts by the minute and the hour: whoever says to wait longer than a day is mistaken, or lies. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;
const SAID_LENGTH = 300;
/** Whatever looks like one of GitHub's tokens: nothing a host says may carry one into a log. */
const TOKENS = /\b(gh[a-z]_\w+|github_pat_\w+)/g;

/** What the host's JSON says to people, in one line and without tokens; '' when it says nothing. */
const saidIn = (text: string): string => {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? spoken(message) : '';
  } catch {
    return '';
  }
};

/** A host's words, fit for a message of ours. */
export const spoken = (message: string): string =>
  message
    .replace(TOKENS, '[token]')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, SAID_LENGTH);

/** `host-unavailable` by a limit; when no header says until when, for as long as GitHub's documentation asks. */
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
export const failureOf = (answer: HostAnswer, missing: string | null, now: Instant): DomainError => {
  const { status, headers, text } = answer;
  const failure = refusalOf(answer, { title: TITLE, limits: LIMITS, now }, missing ?? 'page');
  const cause = failure.details.cause;
  // A secondary limit may come as a plain 403 that only its sentence gives away.
  if (cause === 'rate_limited' || (cause === 'forbidden' && LIMIT_WORDS.test(saidIn(text)))) {
    return rateLimited(headers, now);
  }
  if (cause === 'forbidden') return forbidden(saidIn(text));
  // GitHub says in its refusals what it refuses; JSON without it is of something in between, such as a proxy.
  if (failure.code === 'host-rejected' && saidIn(text) === '') {
    return hostUnavailable('not_json', `${TITLE} answered 401 without its own words.`);
  }
  if (failure.code !== 'not-found') return cause === 'server_error' ? serverError(failure, now) : failure;
  // 410 and the like of an interface that is there are no news about the repository.
  if (status === 404 && missing === null) {
    return hostUnavailable('server_error', `${TITLE} has no interface at this address; check its configured address.`);
  }
  return failure;
};

/** The stored approval was refused by the host itself. */
export const rejected = (sentence: string): DomainError => new DomainError('host-rejected', sentence, { host: NAME });
