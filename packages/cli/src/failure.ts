import {
  AnswerTooLargeError,
  ConnectionError,
  ProblemError,
  ResponseShapeError,
  type ShipworthyError,
  TimeoutError,
  UnexpectedAnswerError,
} from '@shipworthy/client';
import type { World } from './world.js';

/** The exit codes of the process. */
export const EXIT = {
  /** Done; gate go. */
  done: 0,
  /** An unexpected error. It is never the exit code of a gate decision. */
  unexpected: 1,
  /** Wrong usage, or the server refused the request. */
  usage: 2,
  /** The answer is no: gate hold, doctor needs action. */
  no: 3,
  /** The key is missing, rejected, or lacks the scope. */
  key: 4,
  /** Could not check: unreachable, TLS, time-out, 429 or 5xx after the retries; gate unknown. */
  unchecked: 5,
  /** A report that is missing, cannot be read, holds no test, contradicts itself, or names a failure that it does not list. */
  report: 6,
  /** `--wait` ran out. */
  waited: 8,
  interrupted: 130,
  terminated: 143,
} as const;

/** One of EXIT, or a child process's own code. */
export type ExitCode = number;

/** The parts of a failure besides its sentence. */
interface FailureParts {
  /** A stable word for programs, such as `unknown-app-name`. */
  readonly code: string;
  /** What to do about it; one line each. */
  readonly fixes?: readonly string[];
  /** Every fault of the request, one line each. */
  readonly faults?: readonly string[];
  readonly requestId?: string | null;
}

/** Ends a command with an exit code and a sentence. Anything else that is thrown is a fault of the command itself. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: string;
  readonly fixes: readonly string[];
  readonly faults: readonly string[];
  readonly requestId: string | null;

  constructor(
    readonly exit: ExitCode,
    message: string,
    parts: FailureParts,
  ) {
    super(message);
    this.code = parts.code;
    this.fixes = parts.fixes ?? [];
    this.faults = parts.faults ?? [];
    this.requestId = parts.requestId ?? null;
  }
}

/** Wrong usage: exit 2. */
export const usageFailure = (message: string, ...fixes: readonly string[]): Failure =>
  new Failure(EXIT.usage, message, { code: 'usage', fixes });

/** Why the system refused: its own code, such as `EACCES`, else its message. */
export const reasonOf = (error: unknown): string => {
  const { code, message } = error as Partial<NodeJS.ErrnoException>;
  return code ?? message ?? String(error);
};

/** A fault of the command itself in one line; with SHIPWORTHY_DEBUG set, the whole stack. */
export const unexpectedWords = (error: unknown, env: World['env']): string => {
  if (!(error instanceof Error)) return inOneLine(String(error));
  if (env.SHIPWORTHY_DEBUG) return error.stack ?? String(error);
  return `${inOneLine(String(error))} (SHIPWORTHY_DEBUG=1 says where)`;
};

/** A fault of the command itself (exit 1), for commands that must end with the exit code of the pipeline's own work. */
export const unexpectedFailure = (error: unknown, env: World['env']): Failure =>
  new Failure(EXIT.unexpected, `Unexpected error: ${unexpectedWords(error, env)}`, { code: 'unexpected' });

/** The code of a failure by an answer that is not a Shipworthy server's, or that cannot be read. */
export const UNEXPECTED_ANSWER = 'unexpected-answer';
/** The code of a signed verdict that is forged, or about something else. */
export const VERDICT_NOT_BELIEVED = 'verdict-not-believed';
/** The code of a failure to recompute a signed verdict: it was made by a later version. */
export const VERDICT_NOT_RECOMPUTABLE = 'verdict-not-recomputable';

/** The codes of failures where an answer came that cannot be used: the server was within reach. */
export const UNUSABLE_ANSWERS: readonly string[] = [UNEXPECTED_ANSWER, VERDICT_NOT_BELIEVED, VERDICT_NOT_RECOMPUTABLE];

const MOST_FAULTS = 20;

/**
 * The failure for a 2xx answer that lacks members that are used: exit 5, nothing is known. One line per member, beginning with
 * its name.
 */
export const unreadableFailure = (
  route: string,
  faults: readonly string[],
  requestId: string | null = null,
): Failure => {
  const [first = '/'] = faults;
  const others = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  return new Failure(EXIT.unchecked, inOneLine(`The server's answer to ${route} cannot be read: ${first}${others}.`), {
    code: UNEXPECTED_ANSWER,
    faults: faults.length > 1 ? faults.slice(0, MOST_FAULTS).map(inOneLine) : [],
    requestId,
  });
};

// A CI system that reads the log may take the beginning of a line for a command.
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const KEY_PROBLEMS: ReadonlySet<string> = new Set(['unauthenticated', 'missing-scope', 'session-only', 'forbidden']);

const keyFixes = (type: string): readonly string[] =>
  type === 'missing-scope'
    ? ['Create a key with that scope under Settings, API keys, and put it into SHIPWORTHY_API_KEY.']
    : type === 'unauthenticated'
      ? ['Create a key under Settings, API keys, and put it into SHIPWORTHY_API_KEY.']
      : [];

/** Whether a later try may succeed: the server or a proxy before it is unavailable for now. */
export const isTransientFailure = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500;

const problemFailure = (error: ProblemError): Failure => {
  const { type, status, requestId } = error;
  // The first request with the key is still under way: it was cut off here, or another process sends the same.
  const isTransient = isTransientFailure(status) || type === 'idempotency-key-in-use';
  const exit = KEY_PROBLEMS.has(type) ? EXIT.key : isTransient ? EXIT.unchecked : EXIT.usage;
  return new Failure(exit, inOneLine(error.detail || error.title), {
    code: type,
    fixes: keyFixes(type),
    faults: error.errors.map(({ pointer, message }) => inOneLine(`${pointer || '/'}: ${message}`)),
    requestId,
  });
};

/**
 * The platform's codes for an answer that is no HTTP, has too long a head, or is not compressed as it says. The codes
 * for an answer that was cut off are not among them.
 */
const GARBLED =
  /^(HPE_(?!INVALID_EOF_STATE$|CLOSED_CONNECTION$)|UND_ERR_HEADERS_OVERFLOW$|Z_(?!BUF_ERROR$)|ZSTD_|ERR_+(BROTLI|ZSTD|ERROR)_)/;

const unreachable = (message: string, code: string, error: ShipworthyError): Failure =>
  new Failure(EXIT.unchecked, message, { code, requestId: error.requestId });

/** What a failed call means for the command; undefined for any other error. */
export const failureOf = (error: unknown): Failure | undefined => {
  if (error instanceof Failure) return error;
  if (error instanceof ProblemError) return problemFailure(error);
  if (error instanceof TimeoutError)
    return unreachable(`The server did not answer: ${error.message}.`, 'timeout', error);
  if (error instanceof ConnectionError && GARBLED.test(error.code ?? ''))
    return unreachable(`The answer cannot be read: ${error.message}.`, UNEXPECTED_ANSWER, error);
  if (error instanceof ConnectionError)
    return unreachable(`The server could not be reached: ${error.message}.`, error.code ?? 'unreachable', error);
  if (error instanceof UnexpectedAnswerError)
    return unreachable(
      `The answer cannot be read; it is not a Shipworthy server's: ${inOneLine(error.message)}`,
      isTransientFailure(error.status) ? 'unavailable' : UNEXPECTED_ANSWER,
      error,
    );
  if (error instanceof AnswerTooLargeError)
    return unreachable(`The answer cannot be read: ${error.message}.`, UNEXPECTED_ANSWER, error);
  if (error instanceof ResponseShapeError) {
    const faults = error.pointers.map((pointer) =>
      pointer === '' ? 'it names a member twice' : `${pointer} is missing, or not as the interface says`,
    );
    return unreadableFailure(`${error.method} ${error.path}`, faults, error.requestId);
  }
  return undefined;
};

/** Whether an answer came that could not be read. */
export const isUnreadable = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === UNEXPECTED_ANSWER;

/** Whether the server could not be asked, so that nothing is known of the answer. */
export const isOutage = (failure: Failure): boolean => failure.exit === EXIT.unchecked;
