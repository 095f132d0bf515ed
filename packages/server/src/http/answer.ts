import { createHash } from 'node:crypto';
import { type Operation, statusOf } from '@shipworthy/client/contract';
import { type Clock, expiresSoon } from '@shipworthy/domain';
import { wireMoment } from '../wire.js';
import type { DeviceCookie, SessionCookie } from './authentication.js';
import { type Problem, problemBody, problemHeaders } from './problem.js';
import type { RateLimit } from './rate-limit.js';
import { type Exchange, queryOf } from './request.js';
import type { Reply } from './route.js';

/** Characters that mean something to some file system or shell, and what is not seen, such as controls of direction. */
const UNSAFE = /[\\/:*?"<>|%`$';&#~\p{C}\p{Zl}\p{Zp}]/gu;
const LONGEST = 100;

/**
 * A name from outside as part of a file's name: no folder, no device, nothing hidden, 100 characters at most; what is left
 * out is a `_`. Never empty.
 */
export const safeFileName = (name: string): string => {
  const safe = [...name.replace(UNSAFE, '_')].slice(0, LONGEST).join('');
  const trimmed = safe.replace(/^[.\s-]+|[.\s]+$/g, '');
  return trimmed === '' ? '_' : trimmed;
};

/** Beyond what `encodeURIComponent` does: no `attr-char` of RFC 8187. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * `Content-Disposition` of a file to be kept under a safe name, after RFC 6266: `filename*` beside `filename` where the name
 * is not ASCII.
 */
export const attachment = (fileName: string): string => {
  const ascii = fileName.replace(/[^\x20-\x7e]/gu, '_');
  const plain = `attachment; filename="${ascii.replace(/["\\]/g, '_')}"`;
  return ascii === fileName ? plain : `${plain}; filename*=UTF-8''${encoded(fileName)}`;
};

/** A strong entity tag, without quotes, of a body. */
export const entityTag = (body: string): string => createHash('sha1').update(body).digest('base64url');

const TAGS = /(?:W\/)?"([^"]*)"/g;

/** Whether `If-None-Match` names the tag: one, a list, or `*`. Weak comparison, as RFC 9110 asks for here. */
export const matchesNone = (header: string, tag: string): boolean => {
  if (header.length === tag.length + 2 && header.charCodeAt(0) === 34 && header.startsWith(tag, 1)) return true;
  if (header.trim() === '*') return true;
  for (const [, listed] of header.matchAll(TAGS)) if (listed === tag) return true;
  return false;
};

/** Where what was created is found, below the base path: the operation's `location` with the request's own parameters and the new id; null without one. */
export const locationOf = (operation: Operation, path: Readonly<Record<string, string>>, id: string): string | null =>
  operation.location?.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(name === 'id' ? id : (path[name] ?? '')),
  ) ?? null;

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

const NOT_STORED = 'no-store';
/** May be kept by anybody who asks each time whether it is still right. */
const PUBLIC_REVALIDATED = 'no-cache';
/** May be kept by its owner's browser, which asks each time whether it is still right. */
const REVALIDATED = 'private, no-cache';

/** The body as text: as the route serialised it, or serialised here. */
export const textOf = (reply: Reply): string | null => {
  if (reply.text !== undefined) return reply.text;
  return reply.body === undefined ? null : JSON.stringify(reply.body);
};

const idOf = (body: unknown): string | null => {
  if (typeof body !== 'object' || body === null || !('data' in body)) return null;
  const { data } = body;
  return typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'string' ? data.id : null;
};

/** Where what was created is found: as the route says, else by the operation's `location` and the id in the body. */
export const locationIn = (
  operation: Operation,
  reply: Reply,
  path: Readonly<Record<string, string>>,
): string | null => {
  if (reply.location !== undefined || operation.location === undefined) return reply.location ?? null;
  const id = idOf(reply.body);
  return id === null ? null : locationOf(operation, path, id);
};

/** The public address of the request's own path and query, with one parameter put in. */
const withParameter = ({ basePath, path, request }: Exchange, name: string, value: string): string => {
  const kept = queryOf(request.url ?? '')
    .split('&')
    .filter((pair) => pair !== '' && pair.split('=', 1)[0] !== name);
  return `${basePath}${path}?${[...kept, `${name}=${encodeURIComponent(value)}`].join('&')}`;
};

/** Turns replies into answers: entity tags and 304, `Location`, `Link`, the cookies of session and device. */
export const createAnswer = (
  operation: Operation,
  { sessionCookie, deviceCookie }: { readonly sessionCookie: SessionCookie; readonly deviceCookie: DeviceCookie },
) => {
  const contentType = operation.success.contentType ?? JSON_TYPE;
  const page = contentType.startsWith('text/html') ? { contentPolicy: PAGE_POLICY } : {};
  const revalidated = operation.auth.kind === 'open' ? PUBLIC_REVALIDATED : REVALIDATED;
  return (exchange: Exchange, reply: Reply, location: string | null): Answer => {
    const { headers: asked } = exchange.request;
    const headers: (string | string[])[] = [];
    if (operation.etag) {
      const text = textOf(reply) ?? '';
      const tag = reply.etag ?? entityTag(text);
      const known = asked['if-none-match'];
      headers.push('ETag', `"${tag}"`);
      if (known !== undefined && matchesNone(known, tag))
        return { status: 304, contentType: null, body: null, cacheControl: revalidated, headers };
      return { status: reply.status, contentType, body: reply.bytes ?? text, cacheControl: revalidated, headers };
    }
    if (reply.fileName !== undefined) headers.push('Content-Disposition', attachment(reply.fileName));
    if (reply.etag !== undefined) headers.push('ETag', `"${reply.etag}"`);
    if (location !== null) headers.push('Location', exchange.basePath + location);
    if (typeof reply.next === 'string')
      headers.push('Link', `<${withParameter(exchange, 'cursor', reply.next)}>; rel="next"`);
    // As one header: where a surrounding program has set headers, a second one of the same name would replace the first.
    const cookies = [
      ...(reply.session === undefined ? [] : [sessionCookie.header(reply.session)]),
      ...(reply.device === undefined ? [] : [deviceCookie.header(exchange, reply.device.account)]),
    ];
    if (cookies.length > 0) headers.push('Set-Cookie', cookies);
    if (reply.replayed) headers.push('Idempotent-Replayed', 'true');
    const body = reply.bytes ?? textOf(reply);
    return { status: reply.status, contentType, body, cacheControl: NOT_STORED, headers, ...page };
  };
};

/** The answer to a refused or failed request. */
export const problemAnswer = (problem: Problem, exchange: Exchange): Answer => ({
  status: exchange.operation === null ? problem.status : statusOf(exchange.operation, problem.type),
  contentType: PROBLEM_TYPE,
  body: problemBody(problem, exchange, exchange.operation),
  cacheControl: NOT_STORED,
  headers: problemHeaders(problem),
});

/** The answer to OPTIONS: the methods there are. No other site is allowed anything. */
export const optionsAnswer = (allow: string): Answer => ({
  status: 204,
  contentType: null,
  body: null,
  cacheControl: NOT_STORED,
  headers: ['Allow', allow],
});
