import type { IncomingHttpHeaders } from 'node:http';
import { type Operation, parsedUrl } from '@shipworthy/client/contract';
import { type Instant, networkOf, type Principal } from '@shipworthy/domain';
import type { Middleware, ParameterizedContext } from 'koa';
import type { BodyFormat } from './body.js';
import type { Problem } from './problem.js';
import type { CountedRequest } from './rate-limit.js';
import type { Reply } from './route.js';
import type { ResolvedPath } from './visibility.js';

/** The principal that was let in, the records the path names, and the moment when both were checked. */
export interface Admission {
  readonly principal: Principal | null;
  readonly place: ResolvedPath;
  readonly at: Instant;
}

/** A body as it was sent; null: there is none. */
export type SentBody = { readonly raw: Buffer; readonly format: BodyFormat } | null;

/** The input of an operation, read and checked. */
export interface ReadInput {
  readonly query: unknown;
  readonly body: unknown;
  readonly raw: Buffer;
  readonly ifMatch: number | null;
  /** Whether the body must be compared with the stored record before its faults are checked. */
  readonly needsComparison: boolean;
}

/** The reply of a route, and the path of a created record. */
export interface Finished {
  readonly reply: Reply;
  readonly location: string | null;
}

/** The state that the steps of a request pass on, as `ctx.state`. */
export interface RequestState {
  readonly requestId: string;
  readonly traceParent: string | null;
  /** Path as the service knows it: without the base path, without the query. */
  readonly path: string;
  /** The prefix of the path at the public address; empty at the root. */
  readonly basePath: string;
  readonly address: string;
  /** When the request arrived, on the process's monotonic clock, in milliseconds. */
  readonly startedAt: number;
  /** The moment the request arrived. */
  readonly at: Instant;
  operationId: string;
  operation: Operation | null;
  /** The values of the path's parameters, by name. */
  values: Readonly<Record<string, string>>;
  /** The credential of the request. Never logged. */
  credential: CallerCredential;
  principal: Principal | null;
  counted: CountedRequest | null;
  admission: Admission;
  sentBody: SentBody;
  /** Bytes of the request's body that are kept. */
  held: number;
  input: ReadInput;
  /** When the route must have answered, on the monotonic clock; null while it does not run. */
  deadline: number | null;
  /** Answers instead of a route that is late. */
  answerLate: (problem: Problem) => void;
  /** Whether the late answer was sent: the route's own reply is dropped then. */
  isLate: boolean;
  /** Fires when the caller of an expensive read is gone. */
  gone: AbortSignal | null;
  finished: Finished | null;
  cacheControl: string;
  contentPolicy: string;
  /** When the stream that answers the request began, on the monotonic clock; null: no stream. */
  openedAt: number | null;
  /** Bytes of that stream. */
  streamed: number;
}

/** One request and its answer. */
export type RequestContext = ParameterizedContext<RequestState>;

/** One step in handling a request: Koa middleware. */
export type RequestStep = Middleware<RequestState>;

/**
 * The key under which shared limits are counted: the person, over all their keys and sessions, or the network of a caller
 * without credential.
 */
export const sharerOf = ({ principal, address }: Pick<RequestState, 'principal' | 'address'>): string =>
  principal?.userId ?? networkOf(address);

/** The path of a request target as sent. */
export const pathOfTarget = (target: string): string => {
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
export const traceParentOf = (headers: IncomingHttpHeaders): string | null => {
  const given = headers.traceparent;
  return typeof given === 'string' && TRACE.test(given) ? given : null;
};

/** The credential of a request. */
export type CallerCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'api_key' | 'session'; readonly secret: string }
  /** Shown, but in a form that can never be valid. */
  | { readonly kind: 'unreadable'; readonly detail: string };

const NONE: CallerCredential = { kind: 'none' };
const LONGEST = 512;

/** Whether a request can show this token: headers carry visible ASCII, and a blank ends it. */
export const isBearerToken = (token: string): boolean => token.length <= LONGEST && /^[\x21-\x7e]+$/.test(token);

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

/**
 * Removes spaces and tabs around the text, as RFC 6265 says. `trim` removes more, such as U+00A0: to a browser a name that begins with
 * it is another name, without the rules of `__Host-`, so that a neighbouring domain can set such a cookie.
 */
const withoutBlanks = (text: string): string => {
  let [from, to] = [0, text.length];
  while (isBlank(text[from])) from += 1;
  while (isBlank(text[to - 1])) to -= 1;
  return text.slice(from, to);
};

/** The value of the cookie of exactly that name; undefined when there is none. */
export const cookieValue = (cookies: string, name: string): string | undefined => {
  for (const pair of cookies.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && withoutBlanks(pair.slice(0, equals)) === name) return withoutBlanks(pair.slice(equals + 1));
  }
  return undefined;
};

/** Reads the credential of a request: `Authorization: Bearer` if there is such a header, else the session cookie. */
export const credentialOf = (headers: IncomingHttpHeaders, cookieName: string): CallerCredential => {
  const { authorization, cookie } = headers;
  if (authorization !== undefined) {
    const [, key] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
    if (key !== undefined && key.length <= LONGEST) return { kind: 'api_key', secret: key };
    return { kind: 'unreadable', detail: 'Send the API key as "Authorization: Bearer" and the key.' };
  }
  const secret = cookie === undefined ? undefined : cookieValue(cookie, cookieName);
  return secret === undefined || secret === '' || secret.length > LONGEST ? NONE : { kind: 'session', secret };
};

/** The `Cache-Control` of an answer unless a step sets another. */
export const NOT_STORED = 'no-store';
/** The content policy of every answer of the API; our own pages set another one. */
const CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

const NO_VALUES: Readonly<Record<string, string>> = Object.freeze({});
const NOT_ADMITTED_YET: Admission = { principal: null, place: {}, at: Number.NEGATIVE_INFINITY };
const nothing = (): void => undefined;
const NOTHING_READ: ReadInput = {
  query: undefined,
  body: undefined,
  raw: Buffer.alloc(0),
  ifMatch: null,
  needsComparison: false,
};

/** The state of a request when it arrives. */
export const stateAtFirst = (
  known: Pick<RequestState, 'requestId' | 'traceParent' | 'path' | 'basePath' | 'address' | 'startedAt' | 'at'>,
): RequestState => ({
  requestId: known.requestId,
  traceParent: known.traceParent,
  path: known.path,
  basePath: known.basePath,
  address: known.address,
  startedAt: known.startedAt,
  at: known.at,
  operationId: '-',
  operation: null,
  values: NO_VALUES,
  credential: NONE,
  principal: null,
  counted: null,
  admission: NOT_ADMITTED_YET,
  sentBody: null,
  held: 0,
  input: NOTHING_READ,
  deadline: null,
  answerLate: nothing,
  isLate: false,
  gone: null,
  finished: null,
  cacheControl: NOT_STORED,
  contentPolicy: CONTENT_POLICY,
  openedAt: null,
  streamed: 0,
});
