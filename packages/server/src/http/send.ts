import { type Clock, expiresSoon } from '@shipworthy/domain';
import { wireMoment } from '../wire/moment.js';
import type { Exchange } from './exchange.js';
import type { RateLimit } from './rate-limit.js';

/** Headers every answer of the interface carries; a page of ours brings its own policy. */
const CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Our own pages load their own script and style and speak to this service, nothing else. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const JSON_TYPE = 'application/json; charset=utf-8';
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

export interface Answer {
  readonly status: number;
  readonly contentType: string | null;
  /** null: no body. */
  readonly body: string | Buffer | null;
  readonly cacheControl: string;
  /** Further headers, as a flat list of names and values; a name with several values stands once, with a list. */
  readonly headers: readonly (string | string[])[];
  readonly contentPolicy?: string;
}

/** What stands before a body. */
export type AnswerHead = Omit<Answer, 'body'>;

/** For a year browsers come by https only; names below ours may be other people's, so nothing is said of them. */
const SECURE_FOR_A_YEAR = 'max-age=31536000';

/** Says on every answer to an API key in its last 14 days when it ends, so that a pipeline can warn before it fails. */
const expiryHeaders = ({ principal }: Exchange, clock: Clock): readonly string[] =>
  principal?.kind === 'api_key' && expiresSoon(principal.expiresAt, clock())
    ? ['Shipworthy-Key-Expires', wireMoment(principal.expiresAt)]
    : [];

export interface HeadOptions {
  readonly rateLimit: RateLimit;
  readonly clock: Clock;
  /** Whether the service is shutting down. */
  readonly draining: () => boolean;
  /** Whether people reach the service by https. */
  readonly secure: boolean;
}

/** Writes what stands before a body, once for each exchange. */
export const createHead = ({ rateLimit, clock, draining, secure }: HeadOptions) => {
  return (exchange: Exchange, answer: AnswerHead, length?: number): void => {
    exchange.answered = true;
    exchange.deadline = null;
    const { response, counted } = exchange;
    const headers: (string | string[])[] = [
      'X-Request-Id',
      exchange.requestId,
      'X-Content-Type-Options',
      'nosniff',
      'Content-Security-Policy',
      answer.contentPolicy ?? CONTENT_POLICY,
      'Referrer-Policy',
      'no-referrer',
      'Cache-Control',
      answer.cacheControl,
    ];
    if (secure) headers.push('Strict-Transport-Security', SECURE_FOR_A_YEAR);
    if (answer.headers.length > 0) headers.push(...answer.headers);
    if (counted !== null) headers.push(...rateLimit.headers(counted));
    headers.push(...expiryHeaders(exchange, clock));
    if (exchange.traceParent !== null) headers.push('Traceparent', exchange.traceParent);
    if (draining()) headers.push('Connection', 'close');
    if (answer.contentType !== null) headers.push('Content-Type', answer.contentType);
    if (length !== undefined) headers.push('Content-Length', String(length));
    if (!response.headersSent) response.writeHead(answer.status, headers);
  };
};
export type Head = ReturnType<typeof createHead>;

/** Writes answers, each exchange's once: whatever comes after the first is dropped. */
export const createSend = (head: Head) => {
  return (exchange: Exchange, answer: Answer): void => {
    if (exchange.answered) return;
    const { response } = exchange;
    const { body } = answer;
    if (response.headersSent) return;
    if (body === null) head(exchange, { ...answer, contentType: null });
    else {
      exchange.sent = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
      head(exchange, { ...answer, contentType: answer.contentType ?? JSON_TYPE }, exchange.sent);
    }
    response.end(body ?? undefined);
  };
};
export type Send = ReturnType<typeof createSend>;
