import type { BodyOf, Operation, PathOf, QueryOf, ResponseOf } from './contract/operation.js';
import type { OperationId, Operations } from './contract/operations.js';
import { pathAt } from './contract/path.js';
import type { Route } from './routes.js';
import type { Settings } from './settings.js';

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, its waits and its repetitions; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time for the whole call in milliseconds, repetitions and waits included; the client's own unless given. */
  readonly timeoutMs?: number | undefined;
  /** Further request headers, such as `traceparent` or `X-Request-Id`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

type Member<Name extends string, Value> = keyof Value extends never
  ? unknown
  : Record<never, never> extends Value
    ? { readonly [N in Name]?: Value | undefined }
    : { readonly [N in Name]: Value };

type BodyMember<Body> = [Body] extends [undefined]
  ? unknown
  : undefined extends Body
    ? { readonly body?: Body }
    : { readonly body: Body };

type KeyMember<O extends Operation> = O extends { idempotent: true }
  ? {
      /** 1-255 visible ASCII characters; a fresh one unless given. The same key is kept through the repetitions. */
      readonly idempotencyKey?: string | undefined;
    }
  : unknown;

type MatchMember<O extends Operation> = O extends { ifMatch: 'required' }
  ? {
      /** The version that was read. */ readonly ifMatch: number;
    }
  : O extends { ifMatch: 'optional' }
    ? { readonly ifMatch?: number | undefined }
    : unknown;

/** The input of a call of the operation. */
export type Input<Id extends OperationId> = CallOptions &
  Member<'path', PathOf<Operations[Id]>> &
  Member<'query', QueryOf<Operations[Id]>> &
  BodyMember<BodyOf<Operations[Id]>> &
  KeyMember<Operations[Id]> &
  MatchMember<Operations[Id]>;

/** A successful answer: its body, and what its headers say. */
export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly unchanged: false;
  /** The strong ETag, to be sent back as `ifNoneMatch`. */
  readonly etag: string | null;
  /** Names the request in the server's logs. */
  readonly requestId: string | null;
  /** Whether this is the answer to an earlier request with the same idempotency key. */
  readonly replayed: boolean;
  /** How many times the request was sent, at least 1. */
  readonly attempts: number;
  readonly headers: Headers;
}

/** 304: the caller's copy is still current. */
export interface Unchanged extends Omit<Answer<undefined>, 'unchanged'> {
  readonly unchanged: true;
}

/** The answer to a call of the operation. */
export type AnswerOf<Id extends OperationId> = Answer<ResponseOf<Operations[Id]>>;

type Plain<Id extends OperationId> =
  Record<never, never> extends Input<Id>
    ? (input?: Input<Id>) => Promise<AnswerOf<Id>>
    : (input: Input<Id>) => Promise<AnswerOf<Id>>;

interface Conditional<Id extends OperationId> {
  (input: Input<Id> & { readonly ifNoneMatch?: never }): Promise<AnswerOf<Id>>;
  /** Given the ETag of a former answer: returns the new answer, or that nothing changed. */
  (input: Input<Id> & { readonly ifNoneMatch: string | undefined }): Promise<AnswerOf<Id> | Unchanged>;
}

/** How the operation is called. */
export type OperationCall<Id extends OperationId> = Operations[Id] extends { etag: true } ? Conditional<Id> : Plain<Id>;

/** Operations that answer pages. */
export type PagedId = {
  [Id in OperationId]: Operations[Id] extends { query: { properties: { cursor: unknown } } } ? Id : never;
}[OperationId];

/** One row of a paged operation's answer. */
export type RowOf<Id extends PagedId> =
  ResponseOf<Operations[Id]> extends { readonly data: readonly (infer Row)[] } ? Row : never;

/** A call's input without the types of its operation. */
export interface RawInput extends CallOptions {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: number | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** A request ready to be sent, as often as need be. */
interface ReadyRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly idempotencyKey: string | null;
}

const fillPath = (path: string, values: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    // Dots alone would be resolved away and reach another address.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`path.${name} is missing.`);
    return encodeURIComponent(value);
  });

const withoutMissing = <Value>(members: Readonly<Record<string, Value | undefined>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, Value] => entry[1] !== undefined));

const queryText = (query: Readonly<Record<string, unknown>> = {}): string => {
  const text = new URLSearchParams(withoutMissing(query) as Record<string, string>).toString();
  return text && `?${text}`;
};

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Writes the input as an HTTP request. TypeError when a path parameter is missing. */
export const prepare = ([method, path, trait]: Route, input: RawInput, settings: Settings): ReadyRequest => {
  const idempotencyKey = trait === 'keyed' ? (input.idempotencyKey ?? newKey()) : null;
  const { body, ifMatch, ifNoneMatch } = input;
  const headers = withoutMissing({
    ...input.headers,
    ...settings.headers,
    'content-type': body === undefined ? undefined : 'application/json',
    'idempotency-key': idempotencyKey ?? undefined,
    'if-match': ifMatch === undefined ? undefined : `"${ifMatch}"`,
    'if-none-match': ifNoneMatch,
  });
  return {
    url: settings.base + fillPath(pathAt(path, settings.repositoryHost), input.path) + queryText(input.query),
    idempotencyKey,
    init: {
      method,
      headers,
      // Following a redirect would send the key and the body to any address the answer names.
      redirect: 'manual',
      ...(settings.credentials && { credentials: settings.credentials }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  };
};
