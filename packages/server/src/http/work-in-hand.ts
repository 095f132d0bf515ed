import { type Exchange, sharerOf } from './exchange.js';
import { Problem } from './problem.js';
import { createShare } from './share.js';

/** How long a handler may take before its caller gets an answer, in milliseconds. */
export const HANDLER_TIME_LIMIT = 15_000;
/** How many requests are worked on at once, of one caller half of them; more would only wait and be late together. */
export const MOST_AT_ONCE = 1000;

const SWEEP_EVERY_MS = 250;
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The requests being worked on: bounded in number and in time. */
export interface WorkInHand {
  readonly count: number;
  /** @throws Problem `unavailable` when there is as much work in hand as can be done, `too-many-requests` when it is the caller's */
  refuseWhenFull(exchange: Exchange): void;
  begin(exchange: Exchange): void;
  end(exchange: Exchange): void;
  /** Resolves as soon as nothing is in hand. */
  idle(): Promise<void>;
  stop(): void;
}

const late = ({ request }: Exchange): Problem =>
  new Problem(
    'unavailable',
    SAFE.has(request.method ?? '')
      ? 'The answer took too long.'
      : 'The answer took too long and the outcome is unknown: try again with the same Idempotency-Key.',
  );

const FULL = {
  all: () =>
    new Problem('unavailable', 'The service has as much to do as it can: nothing was done.', { retryAfter: 1 }),
  caller: () =>
    new Problem('too-many-requests', 'Too many requests of yours are in hand already: nothing was done.', {
      retryAfter: 1,
    }),
};

/** Watches over running handlers with one timer for all of them. `answerLate` answers in a late handler's stead. */
export const createWorkInHand = (
  monotonic: () => number,
  answerLate: (exchange: Exchange, problem: Problem) => void,
  { timeLimit = HANDLER_TIME_LIMIT, mostAtOnce = MOST_AT_ONCE } = {},
): WorkInHand => {
  const running = new Set<Exchange>();
  const share = createShare(mostAtOnce);
  const waiting: (() => void)[] = [];
  const sweep = setInterval(() => {
    const now = monotonic();
    for (const exchange of running) {
      if (exchange.deadline === null || exchange.deadline > now) continue;
      exchange.deadline = null;
      answerLate(exchange, late(exchange));
    }
  }, SWEEP_EVERY_MS);
  sweep.unref();
  return {
    get count() {
      return running.size;
    },
    refuseWhenFull(exchange) {
      const crossed = share.crossed(sharerOf(exchange), 1);
      if (crossed !== null) throw FULL[crossed]();
    },
    begin(exchange) {
      exchange.deadline = monotonic() + timeLimit;
      running.add(exchange);
      share.take(sharerOf(exchange), 1);
    },
    end(exchange) {
      running.delete(exchange);
      share.give(sharerOf(exchange), 1);
      if (running.size === 0) for (const resolve of waiting.splice(0)) resolve();
    },
    idle: () => (running.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    stop: () => clearInterval(sweep),
  };
};
