import { type Answer, prepare, type RawInput, type Unchanged } from './call.js';
import { ConnectionError, ProblemError, ShipworthyError, TimeoutError, UnexpectedAnswerError } from './error.js';
import { readAnswer } from './read-answer.js';
import type { CalledId, Route } from './routes.js';
import { checkNumber, type Settings } from './settings.js';

/** What a failure says of its answer: nothing where none came. */
type MaybeAnswered = Partial<Pick<ProblemError, 'status' | 'type' | 'retryAfterMs'>>;

/**
 * Sends one call within its time. Repeats it where that is safe and may help. Where a repeated removal finds nothing left, an
 * earlier request of the call removed it.
 */
export const send = async (
  settings: Settings,
  operation: CalledId,
  route: Route,
  input: RawInput,
): Promise<Answer<unknown> | Unchanged> => {
  const request = prepare(route, input, settings);
  const timeoutMs = checkNumber('timeoutMs', input.timeoutMs ?? settings.timeoutMs, 1);
  const deadline = startDeadline(timeoutMs, input.signal);
  const { signal } = deadline;
  const { idempotencyKey } = request;
  const conditional = input.ifNoneMatch !== undefined;
  let mayBeRemoved: boolean | undefined;

  const attempt = async (attempts: number): Promise<Answer<unknown> | Unchanged | ShipworthyError> => {
    const known = { operation, attempts, idempotencyKey };
    const read = (response: Response) => readAnswer(response, { ...known, route, conditional }, settings.hide);
    try {
      const response = await abortable(signal, settings.fetch(request.url, { ...request.init, signal }));
      const result = await abortable(signal, read(response));
      const isGone = mayBeRemoved && (result as MaybeAnswered).type === 'not-found';
      return isGone ? read(new Response(null, { status: 204 })) : result;
    } catch (error) {
      const { message, code } = describe(error);
      return new ConnectionError(settings.hide(message), code, { ...known, requestId: null });
    }
  };

  const throwIfEnded = (attempts: number): void => {
    input.signal?.throwIfAborted();
    if (!signal.aborted) return;
    throw new TimeoutError(timeoutMs, { operation, attempts, idempotencyKey, requestId: null });
  };

  try {
    for (let attempts = 1; ; attempts += 1) {
      const result = await attempt(attempts);
      if (!(result instanceof ShipworthyError)) return result;
      throwIfEnded(attempts);
      const { status = 500, retryAfterMs = null } = result as MaybeAnswered;
      if (status >= 500) mayBeRemoved = route[0] === 'DELETE';
      if (!mayRepeat(route) || attempts > settings.retries || !isWorthRepeating(result)) throw result;
      const wait = retryDelayMs(attempts, retryAfterMs, settings.random());
      if (wait >= deadline.left()) throw result;
      await settings.sleep(wait, signal);
      throwIfEnded(attempts);
    }
  } finally {
    deadline.release();
  }
};

/**
 * Settles as the work does, and rejects as soon as the signal is aborted. Node may leave an aborted fetch, or the reading of
 * its body, pending for ever (https://github.com/nodejs/node/issues/56917).
 */
export const abortable = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    signal.addEventListener('abort', end);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
    signal.throwIfAborted();
  });

/** The time a call has, and the ends that may come before. */
interface Deadline {
  /** Aborted when the time is up or the caller's signal is. */
  readonly signal: AbortSignal;
  /** Milliseconds left. */
  left(): number;
  /** Stops the timer and no longer listens to the caller's signal. */
  release(): void;
}

/** A timer that is later than this, in milliseconds, shows that the process was paused. */
const HELD_UP_MS = 50;
/** Extra time after a call's limit, in milliseconds, to read an answer that has already arrived. */
const TO_READ_MS = 250;

/**
 * Starts the time of a call. It is time of the clock and also passes while this process is held up. If the process was
 * held up when the time ended, TO_READ_MS are added, so that an answer that has arrived can still be read.
 */
const startDeadline = (timeoutMs: number, outer: AbortSignal | undefined): Deadline => {
  const controller = new AbortController();
  const end = performance.now() + timeoutMs;
  const stop = () => controller.abort();
  let timer = setTimeout(() => {
    const late = performance.now() - end;
    // A second timer, even one of 0 ms, fires only after Node has read an answer that has arrived.
    timer = setTimeout(stop, late > HELD_UP_MS ? TO_READ_MS : 0);
  }, timeoutMs);
  if (outer?.aborted) stop();
  outer?.addEventListener('abort', stop);
  return {
    signal: controller.signal,
    left: () => end - performance.now(),
    release() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', stop);
    },
  };
};

const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

/** Whether sending the operation again can do no harm, even if the first request succeeded. */
export const mayRepeat = ([method, , trait]: Route): boolean =>
  method === 'GET' || method === 'DELETE' || trait === 'keyed' || trait === 'repeatable';

/** Whether an answer of that status may be another one next time. */
export const isTransient = (status: number): boolean => TRANSIENT.has(status);

/**
 * How long to wait after so many attempts, in milliseconds: anything up to a bound that doubles with each try (full jitter),
 * or what the service asked for and up to a tenth more, so that many clients do not come back at once.
 */
export const retryDelayMs = (attempts: number, asked: number | null, random: number): number => {
  if (asked !== null) return asked * (1 + random / 10);
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1)) * random;
};

// The platform's own error may quote headers, so only its message and code are kept; it does not become a `cause`.
const describe = (error: unknown): { readonly message: string; readonly code: string | null } => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  return { message: message || code || 'the connection failed', code };
};

// While the first request with the key still runs the service asks to come back: its answer will be replayed.
const isWorthRepeating = (error: ShipworthyError): boolean => {
  if (error instanceof ProblemError) return isTransient(error.status) || error.type === 'idempotency-key-in-use';
  if (error instanceof UnexpectedAnswerError) return isTransient(error.status);
  return error instanceof ConnectionError;
};
