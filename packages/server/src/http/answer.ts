import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Operation, statusOf } from '@shipworthy/client/contract';
import { expiresSoon } from '@shipworthy/domain';
import type { Clock } from '@shipworthy/domain/ports';
import compress from 'koa-compress';
import { wireMoment } from '../wire.js';
import type { DeviceCookie, SessionCookie } from './authentication.js';
import { headersOfProblem, Problem, problemBody } from './problem.js';
import type { RateLimit } from './rate-limit.js';
import { NOT_STORED, queryOf, type RequestContext, type RequestState, type RequestStep } from './request.js';
import type { AnswerRoom } from './room.js';
import type { Reply } from './route.js';

/** Characters with a meaning in some file system or shell, and invisible ones, such as direction controls. */
const UNSAFE = /[\\/:*?"<>|%`$';&#~\p{C}\p{Zl}\p{Zp}]/gu;
const LONGEST = 100;

/**
 * Makes a name from outside safe as part of a file's name: no path, not hidden, 100 characters at most, never empty.
 * Unsafe characters become `_`.
 */
export const safeFileName = (name: string): string => {
  const safe = [...name.replace(UNSAFE, '_')].slice(0, LONGEST).join('');
  const trimmed = safe.replace(/^[.\s-]+|[.\s]+$/g, '');
  return trimmed === '' ? '_' : trimmed;
};

/** Encodes also the characters that `encodeURIComponent` leaves and RFC 8187 does not allow in `attr-char`. */
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

/**
 * Returns the path of a created record, below the base path: the operation's `location` with the request's own
 * parameters and the new id. null: the operation has no `location`.
 */
export const locationOf = (operation: Operation, path: Readonly<Record<string, string>>, id: string): string | null =>
  operation.location?.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(name === 'id' ? id : (path[name] ?? '')),
  ) ?? null;

/** Our own pages load their own script and style and speak to this service, nothing else. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Any cache may keep the answer, but must ask each time whether it is still right. */
const PUBLIC_REVALIDATED = 'no-cache';
/** Only the caller's browser may keep the answer, and must ask each time whether it is still right. */
const REVALIDATED = 'private, no-cache';

/** Browsers use https only for a year; subdomains may belong to other people, so they are not included. */
const SECURE_FOR_A_YEAR = 'max-age=31536000';

interface HeaderOptions {
  readonly rateLimit: RateLimit;
  readonly clock: Clock;
  /** Whether the service is shutting down. */
  readonly draining: () => boolean;
  /** Whether people reach the service by https. */
  readonly secure: boolean;
}

/**
 * Creates the function that sets the headers of every answer. It runs when the answer begins: only then is the state of
 * limits, key and connection known. It uses Node's own method: Koa's `set` makes five lists of each header.
 */
export const createCommonHeaders = ({ rateLimit, clock, draining, secure }: HeaderOptions) => {
  return ({ res, state }: RequestContext): void => {
    if (res.headersSent) return;
    const { counted, principal } = state;
    res.setHeader('X-Request-Id', state.requestId);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Content-Security-Policy', state.contentPolicy);
    res.setHeader('Referrer-Policy', 'no-referrer');
    res.setHeader('Cache-Control', state.cacheControl);
    if (secure) res.setHeader('Strict-Transport-Security', SECURE_FOR_A_YEAR);
    if (counted !== null) {
      res.setHeader('RateLimit-Policy', counted.kind.policy);
      res.setHeader('RateLimit', rateLimit.remaining(counted));
    }
    // Set on every answer to an API key in its last 14 days, so that a pipeline can warn before it fails.
    if (principal?.kind === 'api_key' && expiresSoon(principal.expiresAt, clock()))
      res.setHeader('Shipworthy-Key-Expires', wireMoment(principal.expiresAt));
    if (state.traceParent !== null) res.setHeader('Traceparent', state.traceParent);
    if (draining()) res.setHeader('Connection', 'close');
  };
};
export type SetCommonHeaders = ReturnType<typeof createCommonHeaders>;

/** Answers with a body of this type. Koa sets its length, and leaves the body out for HEAD. */
export const answerWith = (
  ctx: RequestContext,
  status: number,
  contentType: string,
  body: string | Buffer | Readable,
): void => {
  ctx.status = status;
  // Set before the body: Koa would send text that looks like HTML as HTML.
  ctx.res.setHeader('Content-Type', contentType);
  ctx.body = body;
};

/** Refuses all but reading at an address that is a file or a page. */
export const refuseToWrite = ({ method }: RequestContext): void => {
  if (method !== 'GET' && method !== 'HEAD')
    throw new Problem('method-not-allowed', 'Here the method can be GET or HEAD.', { headers: { Allow: 'GET, HEAD' } });
};

const callerHas = ({ req: { headers } }: RequestContext, tag: string): boolean => {
  const tags = headers['if-none-match'];
  return tags !== undefined && matchesNone(tags, tag);
};

/**
 * Answers with 304 if the caller already has the answer with this tag; returns whether it did. Unlike Koa's `fresh` this
 * ignores a `Cache-Control` that asks for a new answer: an answer with the same tag is the same.
 */
export const answerIfUnchanged = (ctx: RequestContext, tag: string): boolean => {
  ctx.etag = tag;
  if (!callerHas(ctx, tag)) return false;
  ctx.status = 304;
  return true;
};

/** Returns the body as text, serialised by the route or here; null: there is none. */
export const replyText = (reply: Reply): string | null => {
  if (reply.text !== undefined) return reply.text;
  return reply.body === undefined ? null : JSON.stringify(reply.body);
};

const idOf = (body: unknown): string | null => {
  if (typeof body !== 'object' || body === null || !('data' in body)) return null;
  const { data } = body;
  return typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'string' ? data.id : null;
};

/**
 * Returns the path of a created record: as the route says, else from the operation's `location` and the id in the body.
 * null: neither gives one.
 */
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
const withParameter = ({ basePath, path }: RequestState, query: string, name: string, value: string): string => {
  const kept = query.split('&').filter((pair) => pair !== '' && pair.split('=', 1)[0] !== name);
  return `${basePath}${path}?${[...kept, `${name}=${encodeURIComponent(value)}`].join('&')}`;
};

const bytesOf = (portions: readonly Buffer[]): number => portions.reduce((sum, { length }) => sum + length, 0);

/** The parts that answers need. */
interface AnswerNeeds {
  readonly sessionCookie: SessionCookie;
  readonly deviceCookie: DeviceCookie;
  readonly answers: AnswerRoom;
}

/** Turns replies into answers: entity tags and 304, `Location`, `Link`, the cookies of session and device. */
export const createAnswer = (operation: Operation, { sessionCookie, deviceCookie, answers }: AnswerNeeds) => {
  const { contentType = JSON_TYPE } = operation.success;
  const isPage = contentType.startsWith('text/html');
  const revalidated = operation.auth.kind === 'open' ? PUBLIC_REVALIDATED : REVALIDATED;

  const answerTagged = (ctx: RequestContext, reply: Reply): void => {
    const text = replyText(reply) ?? '';
    const tag = reply.etag ?? entityTag(text);
    if (reply.bytes === undefined && !callerHas(ctx, tag)) answers.take(ctx, text);
    ctx.state.cacheControl = revalidated;
    if (!answerIfUnchanged(ctx, tag)) answerWith(ctx, reply.status, contentType, reply.bytes ?? text);
  };

  const answerPortions = (ctx: RequestContext, status: number, portions: readonly Buffer[]): void => {
    answerWith(ctx, status, contentType, Readable.from(portions, { objectMode: false }));
    ctx.length = bytesOf(portions);
  };

  const answerPlain = (ctx: RequestContext, reply: Reply, location: string | null): void => {
    const { state } = ctx;
    const body = reply.bytes ?? replyText(reply);
    // Taken before any header is set: a refusal must not have the headers of the answer.
    if (reply.portions !== undefined) answers.take(ctx, bytesOf(reply.portions));
    else if (typeof body === 'string') answers.take(ctx, body);
    if (reply.fileName !== undefined) ctx.set('Content-Disposition', attachment(reply.fileName));
    if (reply.etag !== undefined) ctx.etag = reply.etag;
    if (location !== null) ctx.set('Location', state.basePath + location);
    if (typeof reply.next === 'string')
      ctx.set('Link', `<${withParameter(state, queryOf(ctx.url), 'cursor', reply.next)}>; rel="next"`);
    if (reply.session !== undefined) ctx.append('Set-Cookie', sessionCookie.header(reply.session));
    if (reply.device !== undefined) ctx.append('Set-Cookie', deviceCookie.header(ctx, reply.device.account));
    if (reply.replayed) ctx.set('Idempotent-Replayed', 'true');
    if (isPage) state.contentPolicy = PAGE_POLICY;
    if (reply.portions !== undefined) answerPortions(ctx, reply.status, reply.portions);
    else if (body === null) ctx.status = reply.status;
    else answerWith(ctx, reply.status, contentType, body);
  };

  return operation.etag ? answerTagged : answerPlain;
};

/** Answers a refused or failed request. */
export const answerProblem = (ctx: RequestContext, problem: Problem): void => {
  const { operation } = ctx.state;
  const status = operation === null ? problem.status : statusOf(operation, problem.type);
  ctx.state.cacheControl = NOT_STORED;
  ctx.set(headersOfProblem(problem));
  answerWith(ctx, status, PROBLEM_TYPE, problemBody(problem, ctx.state, operation));
};

/** Whether an `Accept` or `Accept-Encoding` header names exactly this type or coding, no wildcard, without `q=0`. */
export const accepts = (header: string | undefined, name: string): boolean =>
  (header ?? '').split(',').some((part) => {
    const [named, weight = ''] = part.trim().toLowerCase().split(';');
    return named?.trim() === name && !/q=0(\.0*)?$/.test(weight.trim());
  });

/** Length from which an answer is compressed, in bytes. */
const COMPRESSED_FROM = 1_024;

/** How an answer is compressed, the better one first. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

/** Types that compression makes shorter; fonts and images are compressed already. */
const COMPRESSIBLE = /^text\/|json$/;

const [zip, squeeze] = [promisify(gzip), promisify(brotliCompress)];
const CODE: { readonly [Name in Coding]: (bytes: Buffer) => Promise<Buffer> } = {
  br: (bytes) => squeeze(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: zip,
};

/** Creates a function that compresses the same bytes once per coding: strangers may ask for them without a limit. */
const createLasting = () => {
  const known = new WeakMap<Buffer, { [Name in Coding]?: Promise<Buffer> }>();
  return (bytes: Buffer, coding: Coding): Promise<Buffer> => {
    const forms = known.get(bytes) ?? {};
    known.set(bytes, forms);
    forms[coding] ??= CODE[coding](bytes);
    return forms[coding];
  };
};

/**
 * Compresses answers for callers that accept it: fixed bytes once, texts each time. Compression leaves entity tags as
 * they are: they name the state of the resource, and no answer is ever sent in byte ranges.
 */
export const compressAnswers = (): RequestStep => {
  const lasting = createLasting();
  const each: { readonly [Name in Coding]: RequestStep } = {
    br: compress({ threshold: COMPRESSED_FROM, gzip: false, deflate: false }),
    gzip: compress({ threshold: COMPRESSED_FROM, br: false, deflate: false }),
  };
  return (ctx, next) => {
    const taken = ctx.req.headers['accept-encoding'];
    // koa-compress reads the header in another way: it would choose a coding that `q=0` refuses, or answer 406 after the work.
    const coding = CODINGS.find((one) => accepts(taken, one));
    if (coding === undefined) ctx.compress = false;
    else ctx.req.headers['accept-encoding'] = coding;
    return each[coding ?? 'gzip'](ctx, async () => {
      await next();
      const { body } = ctx;
      if (coding === undefined || !Buffer.isBuffer(body) || body.length < COMPRESSED_FROM) return;
      if (ctx.method === 'HEAD' || ctx.res.hasHeader('Content-Encoding')) return;
      if (!COMPRESSIBLE.test(ctx.response.type)) return;
      ctx.body = await lasting(body, coding);
      ctx.set('Content-Encoding', coding);
    });
  };
};
