import {
  type Operation,
  PROBLEMS,
  type ProblemType,
  statusOf,
  type Problem as WireProblem,
} from '@shipworthy/client/contract';
import type { Fault } from '@shipworthy/domain';

/** What a problem says beyond its type. */
export interface ProblemNotes {
  /** Further members of the body, in wire form. They never replace a standard member. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Further headers, such as `WWW-Authenticate` or `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds after which to try again; answered as `Retry-After`. */
  readonly retryAfter?: number;
}

/** A refusal in the words of the interface. Thrown by the machinery, or by a route for what the domain cannot know. */
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
  /** Without the base path. */
  readonly path: string;
  readonly requestId: string;
}

/** RFC 9457 members of a problem of an operation; null: of no known one. */
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

/** The same as text: the body of an answer. */
export const problemBody = (...parts: Parameters<typeof problemMembers>): string =>
  JSON.stringify(problemMembers(...parts));

/** How long a caller waits before trying again where nobody knows better, in seconds. */
const RETRY_AFTER: Partial<Record<ProblemType, number>> = {
  'too-many-requests': 1,
  unavailable: 1,
  'host-unavailable': 5,
  'idempotency-key-in-use': 1,
};

/** Headers of a problem as a flat list of names and values. */
export const problemHeaders = ({ type, notes }: Problem): string[] => {
  const headers = Object.entries(notes.headers ?? {}).flat();
  const retryAfter = notes.retryAfter ?? RETRY_AFTER[type];
  if (retryAfter !== undefined) headers.push('Retry-After', String(Math.max(1, Math.ceil(retryAfter))));
  if (PROBLEMS[type].status === 401 && notes.headers?.['WWW-Authenticate'] === undefined)
    headers.push('WWW-Authenticate', 'Bearer realm="shipworthy"');
  return headers;
};
