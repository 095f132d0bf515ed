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
  readonly body: string | null;
  readonly cacheControl: string;
  /** Further headers, as a flat list of names and values. */
  readonly headers: readonly string[];
  readonly contentPolicy?: string;
}

/** Writes answers, each exchange's once: whatever comes after the first is dropped. */
export const createSend = (rateLimit: RateLimit, draining: () => boolean) => {
  return (exchange: Exchange, answer: Answer): void => {
    if (exchange.answered) return;
    exchange.answered = true;
    exchange.deadline = null;
    const { response, counted } = exchange;
    const headers = [
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
    if (answer.headers.length > 0) headers.push(...answer.headers);
    if (counted !== null) headers.push(...rateLimit.headers(counted));
    if (exchange.traceParent !== null) headers.push('Traceparent', exchange.traceParent);
    if (draining()) headers.push('Connection', 'close');
    if (answer.body !== null) {
      exchange.sent = Buffer.byteLength(answer.body);
      headers.push('Content-Type', answer.contentType ?? JSON_TYPE, 'Content-Length', String(exchange.sent));
    }
    if (response.headersSent) return;
    response.writeHead(answer.status, headers);
    response.end(answer.body ?? undefined);
  };
};
export type Send = ReturnType<typeof createSend>;
