import {
  type Operation,
  PROBLEMS,
  type ProblemType,
  statusOf,
  type Problem as WireProblem,
} from '@shipworthy/client/contract';
import { DomainError, type ErrorCode, type Fault, type Instant } from '@shipworthy/domain';
import { wireDetail } from '../wire.js';

/** Members of a problem besides its type. */
interface ProblemNotes {
  /** Further members of the body, in wire form. They never replace a standard member. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Further headers, such as `WWW-Authenticate` or `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds after which to try again; answered as `Retry-After`. */
  readonly retryAfter?: number;
}

/** A refusal in the words of the interface. Thrown by a step, or by a route for what the domain cannot know. */
export class Problem extends Error {
  override readonly name = 'Problem';
  constructor(
    readonly type: ProblemType,
    readonly detail: string,
    readonly notes: ProblemNotes = {},
  ) {
    super(detail);
  }
  get status(): number {
    return PROBLEMS[this.type].status;
  }
}

/** 422 that names every fault at once. */
export const faulty = (faults: readonly Fault[]): Problem =>
  new Problem('invalid', faults.map((fault) => fault.message).join('; '), { members: { errors: faults } });

/** Where a problem happened. */
export interface ProblemPlace {
  readonly basePath: string;
  /** The path without the base path. */
  readonly path: string;
  readonly requestId: string;
}

/** Returns the RFC 9457 members of a problem; `operation` null: the status is the usual one of its type. */
export const problemMembers = (
  problem: Problem,
  { basePath, path, requestId }: ProblemPlace,
  operation: Operation | null,
): WireProblem => {
  const { status, title } = PROBLEMS[problem.type];
  const standard = {
    type: `${basePath}/api/docs/problems/${problem.type}`,
    title,
    status: operation === null ? status : statusOf(operation, problem.type),
    detail: problem.detail,
    instance: basePath + path,
    request_id: requestId,
  };
  // Standard members are named first to be read first, and last to win.
  return problem.notes.members === undefined ? standard : { ...standard, ...problem.notes.members, ...standard };
};

/** Returns the members of a problem as JSON text: the body of an answer. */
export const problemBody = (...parts: Parameters<typeof problemMembers>): string =>
  JSON.stringify(problemMembers(...parts));

/** How long a caller should wait before trying again when no better time is known, in seconds. */
const RETRY_AFTER: Partial<Record<ProblemType, number>> = {
  'too-many-requests': 1,
  unavailable: 1,
  'host-unavailable': 5,
  'idempotency-key-in-use': 1,
};

export const headersOfProblem = ({ type, notes }: Problem): Record<string, string> => {
  const headers: Record<string, string> = { ...notes.headers };
  const retryAfter = notes.retryAfter ?? RETRY_AFTER[type];
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfter)));
  if (PROBLEMS[type].status === 401) headers['WWW-Authenticate'] ??= 'Bearer realm="shipworthy"';
  return headers;
};

/** The problem type of each refusal of the domain; a code without a line does not compile. */
const TYPES: Readonly<Record<ErrorCode, ProblemType>> = {
  'already-member': 'already-member',
  'already-set-up': 'already-set-up',
  'ambiguous-app-name': 'ambiguous-app-name',
  'app-name-mismatch': 'invalid',
  'approval-unusable': 'approval-unusable',
  'deployment-finished': 'deployment-finished',
  'email-taken': 'email-taken',
  'event-source-taken': 'event-source-taken',
  'external-id-conflict': 'external-id-conflict',
  forbidden: 'forbidden',
  'host-not-configured': 'host-not-configured',
  'host-not-connected': 'host-not-connected',
  'host-rejected': 'host-rejected',
  'host-unavailable': 'host-unavailable',
  'idempotency-key-in-use': 'idempotency-key-in-use',
  'idempotency-key-reused': 'idempotency-key-reused',
  invalid: 'invalid',
  'invitation-for-another-address': 'invitation-for-another-address',
  'invitation-unusable': 'invitation-unusable',
  'kept-by-host': 'kept-by-host',
  'last-administrator': 'last-administrator',
  'last-owner': 'last-owner',
  'name-taken': 'name-taken',
  'no-active-release': 'no-active-release',
  'no-such-reason': 'no-such-reason',
  'not-found': 'not-found',
  'not-marked': 'not-marked',
  'not-offered': 'not-offered',
  'not-restorable': 'not-restorable',
  'reason-worse': 'reason-worse',
  'release-active': 'release-active',
  'release-closed': 'release-closed',
  'release-state': 'release-state',
  'template-item': 'template-item',
  'test-run-state': 'test-run-state',
  'too-many-attempts': 'too-many-requests',
  'too-many-secrets': 'too-many-secrets',
  unavailable: 'unavailable',
  'unknown-app-name': 'unknown-app-name',
  'unknown-release': 'invalid',
  'version-mismatch': 'version-mismatch',
  'webhook-disabled': 'webhook-disabled',
  'wrong-credentials': 'wrong-credentials',
  'wrong-setup-token': 'wrong-setup-token',
  'wrong-signature': 'wrong-signature',
};

/** The field a refusal is about, where its code alone tells. */
const POINTERS: Partial<Record<ErrorCode, string>> = {
  'app-name-mismatch': '/app_name',
  'unknown-app-name': '/app_name',
  'unknown-release': '/release_id',
};

/** Details that are not answered: the sentence or a header says them, or only the route can put them into wire form. */
const NOT_ANSWERED: ReadonlySet<string> = new Set(['what', 'retryAfterMs', 'current', 'faults']);

/**
 * Whether a detail is answered. The cause of a lost database is not: it may name servers, and is for the log. That of a
 * repository host is one of a few fixed words.
 */
const isAnswered = (code: ErrorCode, name: string): boolean =>
  !NOT_ANSWERED.has(name) && !(code === 'unavailable' && name === 'cause');

const errorsOf = ({ code, message, details }: DomainError): readonly unknown[] | undefined => {
  if (Array.isArray(details.faults)) return details.faults;
  const pointer = POINTERS[code];
  return pointer === undefined ? undefined : [{ pointer, code, message }];
};

/** Seconds until the domain lets the caller try again, if it said when. */
const retryAfterOf = ({ details }: DomainError, now: Instant): number | undefined => {
  if (typeof details.retryAfterMs === 'number') return details.retryAfterMs / 1000;
  return typeof details.retryAt === 'number' ? (details.retryAt - now) / 1000 : undefined;
};

/** A refusal of the domain in the words of the interface. */
export const domainProblem = (error: DomainError, now: Instant): Problem => {
  const answered = Object.entries(error.details).filter(([name]) => isAnswered(error.code, name));
  const errors = errorsOf(error);
  const retryAfter = retryAfterOf(error, now);
  return new Problem(TYPES[error.code], error.message, {
    members: { ...wireDetail(Object.fromEntries(answered)), ...(errors ? { errors } : {}) },
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
};

/** Turns a thrown value into a problem; null for what only a bug throws, `throw null` included. */
export const problemOf = (thrown: unknown, now: Instant): Problem | null => {
  if (thrown instanceof Problem) return thrown;
  return thrown instanceof DomainError ? domainProblem(thrown, now) : null;
};

/**
 * Awaits a change. Turns `version-mismatch` and `reason-worse` into a problem with the newer state as `current`, in the form
 * of `present`.
 */
export const withCurrent = async <Noun, Result>(
  present: (current: Noun) => unknown,
  work: Promise<Result>,
): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code } = error;
    if (code !== 'version-mismatch' && code !== 'reason-worse') throw error;
    const current = error.details.current as Noun | undefined;
    throw new Problem(code, error.message, {
      members: current === undefined ? {} : { current: present(current) },
    });
  }
};
