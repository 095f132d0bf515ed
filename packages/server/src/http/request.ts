import type { IncomingHttpHeaders } from 'node:http';
import { type Operation, parsedUrl } from '@shipworthy/client/contract';
import { type Instant, networkOf, type Principal } from '@shipworthy/domain';
import type { Middleware, ParameterizedContext } from 'koa';
import type { BodyFormat } from './body.js';
import type { Problem } from './problem.js';
import type { CountedRequest } from './rate-limit.js';
import type { Reply } from './route.js';
import type { FoundPlace } from './visibility.js';

/** The principal that was let in, what the path names, and when. */
export interface Entry {
  readonly principal: Principal | null;
  readonly place: FoundPlace;
  readonly at: Instant;
}

/** A body as it was sent; null: there is none. */
export type SentBody = { readonly raw: Buffer; readonly format: BodyFormat } | null;

/** What an operation takes, read and checked. */
export interface ReadInput {
  readonly query: unknown;
  readonly body: unknown;
  readonly raw: Buffer;
  readonly ifMatch: number | null;
  /** Whether the body has to be compared with the record that is stored, which is to be done before it is checked. */
  readonly isSentBack: boolean;
}

/** What a route came to, with the path of what was created. */
export interface Finished {
  readonly reply: Reply;
  readonly location: string | null;
}

/** What the steps of a request hand on to each other, as `ctx.state`. */
export interface RequestState {
  readonly requestId: string;
  readonly traceParent: string | null;
  /** Path as the service knows it: without the base path, without the query. */
  readonly path: string;
  /** The prefix of the path at the public address; empty at the root. */
  readonly basePath: string;
  readonly address: string;
  /** When it started, on the process's monotonic clock, in milliseconds. */
  readonly startedAt: number;
  /** The moment it came. */
  readonly at: Instant;
  operationId: string;
  operation: Operation | null;
  /** What the path names, by the names of its parameters. */
  values: Readonly<Record<string, string>>;
  /** What it shows to prove who makes it. Never logged. */
  credential: CallerCredential;
  principal: Principal | null;
  counted: CountedRequest | null;
  entry: Entry;
  sentBody: SentBody;
  /** Bytes of its body that are kept. */
  held: number;
  input: ReadInput;
  /** When the route must have answered, on the monotonic clock; null while it does not run. */
  deadline: number | null;
  /** Answers in the stead of a route that is late. */
  answerLate: (problem: Problem) => void;
  /** Whether that was done: what the route comes to is dropped. */
  isLate: boolean;
  /** Fires when the caller of an expensive read is gone. */
  gone: AbortSignal | null;
  finished: Finished | null;
  cacheControl: string;
  contentPolicy: string;
  /** When its answer, a stream, began, on the monotonic clock; null: it is none. */
  openedAt: number | null;
  /** Bytes of that stream. */
  streamed: number;
}

/** One request and its answer. */
export type RequestContext = ParameterizedContext<RequestState>;

/** A step of the way of a request: Koa middleware. */
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
export const traceOf = (headers: IncomingHttpHeaders): string | null => {
  const given = headers.traceparent;
  return typeof given === 'string' && TRACE.test(given) ? given : null;
};

/** What a request shows to prove who makes it. */
export type CallerCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'api_key' | 'session'; readonly secret: string }
  /** Shown, but nothing that could ever be valid. */
  | { readonly kind: 'unreadable'; readonly detail: string };

const NONE: CallerCredential = { kind: 'none' };
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

/** What an answer says of keeping it unless a step says otherwise. */
export const NOT_STORED = 'no-store';
/** What every answer of the interface says of what it may load; a page of ours brings its own policy. */
const CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

const NO_VALUES: Readonly<Record<string, string>> = Object.freeze({});
const NOBODY_YET: Entry = { principal: null, place: {}, at: Number.NEGATIVE_INFINITY };
const nothing = (): void => undefined;
const NOTHING_READ: ReadInput = {
  query: undefined,
  body: undefined,
  raw: Buffer.alloc(0),
  ifMatch: null,
  isSentBack: false,
};

/** What is known of a request when it comes. */
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
  entry: NOBODY_YET,
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
