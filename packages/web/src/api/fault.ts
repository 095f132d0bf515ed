import {
  ConnectionError,
  isProblem,
  type Problem,
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
  /** Whether the same may succeed later: no problem was answered, or one of too many requests (429) or of an outage (503). */
  readonly mayPass: boolean;
  /** Whether the server may have done it: no answer came, or one that says nothing about an earlier try of the call. */
  readonly mayBeDone: boolean;
  /** The faults of single fields, by JSON pointer: `/name`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | null;
  /** Whether the person's session has ended. */
  readonly signedOut: boolean;
  /** The newest state, where the same thing was changed first or a reason became worse; undefined otherwise. */
  readonly current: unknown;
  /** The release that is active now, where it is in the way; undefined otherwise. */
  readonly active: Problem['active'];
}

const messageOf = (error: unknown): string => {
  if (error instanceof ProblemError) return withIsolatedNames(error.detail || error.title);
  if (error instanceof TimeoutError) return 'The server takes too long to answer.';
  if (error instanceof ConnectionError) return 'The server cannot be reached.';
  if (error instanceof ResponseShapeError) return 'The answer of the server cannot be read.';
  if (error instanceof ShipworthyError) return 'Something else answered instead of the server.';
  return error instanceof Error ? error.message : String(error);
};

/** What the API says of a field, and what a form says instead. */
const FIELD_WORDS: readonly (readonly [said: RegExp, words: string])[] = [
  [/^(?:must not be empty|is required)$/, 'Fill this in.'],
  [/^must have 1 item or more$/, 'Choose one at least.'],
  [/^must have (\d+) characters? or (more|fewer)$/, 'Enter $1 characters or $2.'],
  [/^must be an e-mail address$/, 'Enter an email address, such as ada@example.org.'],
  [/^must be a date and time.*/, 'Choose a date.'],
  [/^must be an absolute http.*/, 'Enter an address that begins with https:// or http://, without a user name in it.'],
  [/^must be readable text.*/, 'Use letters and signs that can be seen, in one line.'],
];

/** Returns the fault of a field in words for people: without the API's name of the field at the beginning. */
export const fieldText = (pointer: string, message: string): string => {
  const subject = `${pointer.slice(pointer.lastIndexOf('/') + 1)} `;
  if (!message.startsWith(subject)) return message;
  const said = message.slice(subject.length);
  const known = FIELD_WORDS.find(([each]) => each.test(said));
  if (known !== undefined) return said.replace(...known);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${said.endsWith('.') ? '' : '.'}`;
};

/** Returns the part of a fault that no field of the form shows; undefined: nothing. `fields`: their JSON pointers. */
export const besidesFields = (fault: CallFault | undefined, fields: readonly string[]): CallFault | undefined => {
  if (fault === undefined) return undefined;
  const faults = Object.entries(fault.fields);
  const rest = faults.filter(([pointer]) => !fields.some((each) => pointer === each || pointer.startsWith(`${each}/`)));
  if (faults.length > 0 && rest.length === 0) return undefined;
  return { ...fault, fields: Object.fromEntries(rest) };
};

/** Whether an error leaves open if an earlier try of the call was carried out, whose answer was lost. */
const leavesOpen = (error: unknown): boolean =>
  !(error instanceof ProblemError) ||
  error.status === 401 ||
  error.status === 429 ||
  error.status >= 500 ||
  error.type === 'idempotency-key-in-use';

/** Turns the error of a failed call into what the screen shows. */
export const callFaultOf = (error: unknown): CallFault => ({
  message: messageOf(error),
  type: error instanceof ProblemError ? error.type : null,
  mayPass: !(error instanceof ProblemError) || error.status === 429 || error.status === 503,
  mayBeDone: leavesOpen(error),
  fields:
    error instanceof ProblemError
      ? Object.fromEntries(
          error.errors.map(({ pointer, message }) => [pointer, withIsolatedNames(fieldText(pointer, message))]),
        )
      : {},
  requestId: error instanceof ShipworthyError ? error.requestId : null,
  signedOut: isProblem(error, 'unauthenticated'),
  current: isProblem(error, 'version-mismatch') || isProblem(error, 'reason-worse') ? error.problem.current : undefined,
  active: isProblem(error, 'release-active') ? error.problem.active : undefined,
});
