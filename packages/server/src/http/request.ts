import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Operation, parsedUrl } from '@shipworthy/client/contract';
import { networkOf, type Principal } from '@shipworthy/domain';
import type { Counted } from './rate-limit.js';

/** One request and its answer, with what the machinery learns about it on the way. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly traceParent: string | null;
  /** Path as the service knows it: without the base path, without the query. */
  readonly path: string;
  /** What stands in front of the path at the public address; empty at the root. */
  readonly basePath: string;
  readonly address: string;
  /** Of the process's monotonic clock, in milliseconds. */
  readonly startedAt: number;
  operationId: string;
  operation: Operation | null;
  /** What it shows to prove who makes it. Never logged. */
  credential: Credential;
  principal: Principal | null;
  counted: Counted | null;
  /** When the handler must have answered, on the monotonic clock; null while it does not run. */
  deadline: number | null;
  answered: boolean;
  /** When its answer, a stream, began, on the monotonic clock; null: it is none. */
  openedAt: number | null;
  /** Bytes of the answer's body. */
  sent: number;
  /** Bytes of its own body that are kept. */
  held: number;
}

/** Who has part of what is shared out: the person, through all their keys and sessions together, or the network of a stranger. */
export const sharerOf = ({ principal, address }: Exchange): string => principal?.userId ?? networkOf(address);

/** The path of a request target as sent. */
export const pathOf = (target: string): string => {
  // A proxy may send the whole address.
  const whole = target.startsWith('/') ? undefined : parsedUrl(target);
  if (whole !== undefined) return whole.pathname;
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
};

/** The query of a request target as sent, without its question mark. */
export const queryOf = (target: string): string => {
  const query = target.indexOf('?');
  if (query < 0) return '';
  const fragment = target.indexOf('#', query);
  return target.slice(query + 1, fragment < 0 ? target.length : fragment);
};

const WELL_FORMED = /^[\w.:/+=@-]{1,128}$/;
const TRACE = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** The caller's `X-Request-Id` if it is well-formed (1-128 plain ASCII characters), else a new id. */
export const requestIdOf = (headers: IncomingHttpHeaders, newId: () => string): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) && !given.includes('swk_') ? given : newId();
};

/** The caller's `traceparent` (W3C Trace Context), if well-formed. */
export const traceOf = (headers: IncomingHttpHeaders): string | null => {
  const given = headers.traceparent;
  return typeof given === 'string' && TRACE.test(given) ? given : null;
};

/** What a request shows to prove who makes it. */
export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'api_key' | 'session'; readonly secret: string }
  /** Shown, but nothing that could ever be valid. */
  | { readonly kind: 'unreadable'; readonly detail: string };

const NONE: Credential = { kind: 'none' };
const LONGEST = 512;

/** Whether a request can show this token: headers carry visible ASCII, and a blank ends it. */
export const isBearerToken = (token: string): boolean => token.length <= LONGEST && /^[\x21-\x7e]+$/.test(token);

/** The value of the cookie of exactly that name; undefined when there is none. */
export const cookieValue = (cookies: string, name: string): string | undefined => {
  for (const pair of cookies.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
};

/** Reads the credential of a request: `Authorization: Bearer` if there is such a header, else the session cookie. */
export const credentialOf = (headers: IncomingHttpHeaders, cookieName: string): Credential => {
  const { authorization, cookie } = headers;
  if (authorization !== undefined) {
    const [, key] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
    if (key !== undefined && key.length <= LONGEST) return { kind: 'api_key', secret: key };
    return { kind: 'unreadable', detail: 'Send the API key as "Authorization: Bearer" and the key.' };
  }
  const secret = cookie === undefined ? undefined : cookieValue(cookie, cookieName);
  return secret === undefined || secret === '' || secret.length > LONGEST ? NONE : { kind: 'session', secret };
};
