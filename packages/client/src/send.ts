import type { Answer, Unchanged } from './call.js';
import { startDeadline } from './deadline.js';
import { ConnectionError, ProblemError, ShipworthyError, TimeoutError, UnexpectedAnswerError } from './error.js';
import { readAnswer } from './read-answer.js';
import { isTransient, mayRepeat, waitBefore } from './repetition.js';
import { prepare, type RawInput } from './request.js';
import { type CalledId, ROUTES, type Route } from './routes.js';
import { checkNumber, type Settings } from './settings.js';

// The platform's own error may quote headers, so only its words pass, and not it as a cause.
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

const askedWait = (error: ShipworthyError): number | null =>
  error instanceof ProblemError || error instanceof UnexpectedAnswerError ? error.retryAfterMs : null;

/** Sends one call, again where that is safe and may help, within its time. */
export const send = async (
  settings: Settings,
  operation: CalledId,
  input: RawInput,
): Promise<Answer<unknown> | Unchanged> => {
  const route: Route = ROUTES[operation];
  const request = prepare(route, input, settings);
  const timeoutMs = checkNumber('timeoutMs', input.timeoutMs ?? settings.timeoutMs, 1);
  const deadline = startDeadline(timeoutMs, input.signal);
  const { idempotencyKey } = request;

  const attempt = async (attempts: number): Promise<Answer<unknown> | Unchanged | ShipworthyError> => {
    const known = { operation, attempts, idempotencyKey };
    const conditional = input.ifNoneMatch !== undefined;
    try {
      const response = await settings.fetch(request.url, { ...request.init, signal: deadline.signal });
      return await readAnswer(response, { ...known, conditional }, settings.hide);
    } catch (error) {
      const { message, code } = describe(error);
      return new ConnectionError(settings.hide(message), code, { ...known, requestId: null });
    }
  };

  const throwIfEnded = (attempts: number): void => {
    input.signal?.throwIfAborted();
    if (!deadline.signal.aborted) return;
    throw new TimeoutError(timeoutMs, { operation, attempts, idempotencyKey, requestId: null });
  };

  try {
    for (let attempts = 1; ; attempts += 1) {
      const result = await attempt(attempts);
      if (!(result instanceof ShipworthyError)) return result;
      throwIfEnded(attempts);
      if (!mayRepeat(route) || attempts > settings.retries || !isWorthRepeating(result)) throw result;
      const wait = waitBefore(attempts + 1, askedWait(result), settings.random());
      if (wait >= deadline.left()) throw result;
      await settings.sleep(wait, deadline.signal);
      throwIfEnded(attempts);
    }
  } finally {
    deadline.release();
  }
};
