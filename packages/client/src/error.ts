import type { Operation } from './contract/operation.js';
import type { OperationId, Operations } from './contract/operations.js';
import type { Problem, ProblemType } from './contract/problem.js';

/** The details of a failed call. */
export interface Circumstances {
  readonly operation: OperationId;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** Names the request in the server's logs; null when no answer came. */
  readonly requestId: string | null;
  /** The idempotency key of the request, or null: a new call with the same key and body cannot store anything twice. */
  readonly idempotencyKey: string | null;
}

/** Any failure of a call but the caller's own abort. Never holds the API key. */
export abstract class ShipworthyError extends Error implements Circumstances {
  declare readonly operation: OperationId;
  declare readonly attempts: number;
  declare readonly requestId: string | null;
  declare readonly idempotencyKey: string | null;

  constructor(message: string, circumstances: Circumstances) {
    super(`${circumstances.operation}: ${message}`);
    Object.assign(this, circumstances);
  }
}

// Any program may answer in place of the service: members of a problem may be missing or of another type.
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the own member of that name; undefined where there is none. Inherited members are not part of an answer. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const isFieldError = (value: unknown): boolean =>
  typeof memberOf(value, 'pointer') === 'string' && typeof memberOf(value, 'message') === 'string';

/** The service refused the request and says why (RFC 9457). */
export class ProblemError extends ShipworthyError {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** The last part of the problem's `type`; see PROBLEMS in the contract. */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  /** Every fault of the request at once; empty unless the status is 422. */
  readonly errors: NonNullable<Problem['errors']>;

  constructor(
    /** The whole problem, with the members only some have: `current`, `active`, `candidates`, `nearest`, ... */
    readonly problem: Problem,
    /** How long the service asks to wait, in milliseconds; null: it does not say. */
    readonly retryAfterMs: number | null,
    circumstances: Circumstances,
  ) {
    super(`${problem.status} ${textOf(problem.detail) || textOf(problem.title)}`, circumstances);
    this.status = problem.status;
    this.type = problem.type.slice(problem.type.lastIndexOf('/') + 1);
    this.title = textOf(problem.title);
    this.detail = textOf(problem.detail);
    this.errors = Array.isArray(problem.errors) ? problem.errors.filter(isFieldError) : [];
  }
}

/** No answer arrived, or only a part of one: refused, cut, unreachable. */
export class ConnectionError extends ShipworthyError {
  override readonly name = 'ConnectionError';
  constructor(
    message: string,
    /** The platform's error code, such as `ECONNREFUSED`; null when it gives none. */
    readonly code: string | null,
    circumstances: Circumstances,
  ) {
    super(message, circumstances);
  }
}

/** The time for the whole call ran out; what became of the last request is unknown. */
export class TimeoutError extends ShipworthyError {
  override readonly name = 'TimeoutError';
  constructor(
    readonly timeoutMs: number,
    circumstances: Circumstances,
  ) {
    super(`no answer within ${timeoutMs} ms`, circumstances);
  }
}

/** Something answered, but not as the contract says: a proxy's page, a redirect, broken JSON. */
export class UnexpectedAnswerError extends ShipworthyError {
  override readonly name = 'UnexpectedAnswerError';
  constructor(
    what: string,
    readonly status: number,
    readonly contentType: string | null,
    /** The first 200 characters of what arrived. */
    readonly excerpt: string,
    readonly retryAfterMs: number | null,
    circumstances: Circumstances,
  ) {
    super(`${what}${excerpt === '' ? '' : `: ${excerpt}`}`, circumstances);
  }
}

/** An answer has more bytes than are read; the rest of it was dropped. */
export class AnswerTooLargeError extends ShipworthyError {
  override readonly name = 'AnswerTooLargeError';
  constructor(
    readonly status: number,
    /** Most bytes that are read, counted after decompression. */
    readonly limitBytes: number,
    circumstances: Circumstances,
  ) {
    super(`answered ${status} with more than ${limitBytes / 2 ** 20} MiB`, circumstances);
  }
}

/**
 * A 2xx answer in JSON without a member that is relied on: the gate's decision (exactly `go`, `hold` or `unknown`), the rows of
 * a page. Members that are not known are never a fault.
 */
export class ResponseShapeError extends ShipworthyError {
  override readonly name = 'ResponseShapeError';
  constructor(
    readonly method: string,
    /** The operation's path as in the contract: `/api/teams/{team_id}`. */
    readonly path: string,
    /** JSON Pointers of the members that are missing or wrong; an empty one: the answer as a whole. */
    readonly pointers: readonly string[],
    circumstances: Circumstances,
  ) {
    super(`${method} ${path} answered, but ${wrongAt(pointers)}`, circumstances);
  }
}

const wrongAt = (pointers: readonly string[]): string =>
  pointers.includes('')
    ? 'the answer cannot be understood as a whole'
    : `${pointers.join(', ')} ${pointers.length === 1 ? 'is' : 'are'} missing or not as the contract says`;

/** Problems that any operation may answer. */
type AnyProblem =
  | 'unauthenticated'
  | 'missing-scope'
  | 'session-only'
  | 'cross-site'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'malformed-json'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'invalid'
  | 'too-many-requests'
  | 'internal'
  | 'unavailable';

type KeyedProblem<O extends Operation> = O extends { idempotent: true }
  ? 'idempotency-key-in-use' | 'idempotency-key-reused'
  : never;
type MatchProblem<O extends Operation> = O extends { ifMatch: string }
  ? 'version-mismatch' | 'version-required'
  : never;

/** The types of problem an operation may answer. */
export type ProblemTypeOf<Id extends OperationId> =
  | Operations[Id]['problems'][number]
  | KeyedProblem<Operations[Id]>
  | MatchProblem<Operations[Id]>
  | AnyProblem;

/** Whether a failure is a problem of these types; `isProblem<ProblemTypeOf<'shipRelease'>>` only takes its types. */
export const isProblem = <Type extends ProblemType>(
  error: unknown,
  ...types: readonly [Type, ...Type[]]
): error is ProblemError & { readonly type: Type } =>
  error instanceof ProblemError && types.some((type) => type === error.type);
