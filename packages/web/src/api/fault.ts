import {
  ConnectionError,
  isProblem,
  ProblemError,
  ResponseShapeError,
  ShipworthyError,
  TimeoutError,
} from '@shipworthy/client';
import { withIsolatedNames } from '../wording/isolate.js';

/** Why something could not be read or done, in words for people. */
export interface CallFault {
  readonly message: string;
  /** The problem's name in the interface, such as `not-found`; null: no problem was answered. */
  readonly type: string | null;
  /** The faults of single fields, by JSON pointer: `/name`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | null;
  /** Whether trying again may help. */
  readonly passing: boolean;
  /** Whether the person's session has ended. */
  readonly signedOut: boolean;
  /** The newer state, when another person changed the same thing first. */
  readonly current: unknown;
}

const messageOf = (error: unknown): string => {
  if (error instanceof ProblemError) return withIsolatedNames(error.detail || error.title);
  if (error instanceof TimeoutError) return 'The server takes too long to answer.';
  if (error instanceof ConnectionError) return 'The server cannot be reached.';
  if (error instanceof ResponseShapeError) return 'The answer of the server cannot be read.';
  if (error instanceof ShipworthyError) return 'Something else answered instead of the server.';
  return error instanceof Error ? error.message : String(error);
};

/** The message of a failed call for the person at the screen. */
export const faultOf = (error: unknown): CallFault => ({
  message: messageOf(error),
  type: error instanceof ProblemError ? error.type : null,
  fields:
    error instanceof ProblemError
      ? Object.fromEntries(error.errors.map(({ pointer, message }) => [pointer, withIsolatedNames(message)]))
      : {},
  requestId: error instanceof ShipworthyError ? error.requestId : null,
  passing:
    error instanceof ProblemError ? error.status === 429 || error.status >= 500 : error instanceof ShipworthyError,
  signedOut: isProblem(error, 'unauthenticated'),
  current: isProblem(error, 'version-mismatch') ? error.problem.current : undefined,
});
