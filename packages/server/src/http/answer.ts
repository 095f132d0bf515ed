import { type Operation, statusOf } from '@shipworthy/client/contract';
import { attachment } from './content-disposition.js';
import type { DeviceCookie } from './device-cookie.js';
import { entityTag, matchesNone } from './etag.js';
import { type Exchange, queryOf } from './exchange.js';
import { locationOf } from './location.js';
import { type Problem, problemBody, problemHeaders } from './problem.js';
import type { Reply } from './reply.js';
import { type Answer, JSON_TYPE, PAGE_POLICY, PROBLEM_TYPE } from './send.js';
import type { SessionCookie } from './session-cookie.js';

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
