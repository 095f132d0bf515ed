import type { Operation } from '@shipworthy/client/contract';
import type { Stores } from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { RequestAborted } from './body.js';
import { storesThrough } from './costly-read.js';
import { Problem } from './problem.js';
import { type RequestContext, type RequestState, type RequestStep, sharerOf } from './request.js';
import type { InOneTurn } from './route.js';

/** A limited amount that callers share, so that no caller gets all of it. */
interface SharedLimit {
  readonly taken: number;
  /** Which bound would be crossed by taking this amount, that of the caller or of all; null: none. */
  crossed(caller: string, amount: number): 'caller' | 'all' | null;
  /** Takes the amount without checking the bounds. */
  take(caller: string, amount: number): void;
  give(caller: string, amount: number): void;
}

/**
 * A limit that callers share. A caller may hold one `part`-th of what the others leave; `part` is 2 unless given. A single caller
 * holds half of all at most, and less as others take theirs, so that a few callers cannot take everything.
 */
export const createSharedLimit = (most: number, part = 2): SharedLimit => {
  const byCaller = new Map<string, number>();
  let taken = 0;
  return {
    get taken() {
      return taken;
    },
    crossed(caller, amount) {
      if (taken + amount > most) return 'all';
      const own = byCaller.get(caller) ?? 0;
      // Rounded up, so that a caller without a place can get the last one.
      if (own + amount <= Math.ceil((most - taken + own) / part)) return null;
      // A caller that has nothing yet and asks for at most one share is within its own bound: others have taken too much of the
      // rest.
      return own > 0 || amount > Math.ceil(most / part) ? 'caller' : 'all';
    },
    take(caller, amount) {
      taken += amount;
      byCaller.set(caller, (byCaller.get(caller) ?? 0) + amount);
    },
    give(caller, amount) {
      taken -= amount;
      const left = (byCaller.get(caller) ?? 0) - amount;
      if (left > 0) byCaller.set(caller, left);
      else byCaller.delete(caller);
    },
  };
};

/** How long a handler may take before its caller gets an answer, in milliseconds. */
export const HANDLER_TIME_LIMIT = 15_000;
/** Most requests worked on at once; one caller may have half of what others leave. More would only be late together. */
export const MOST_AT_ONCE = 1000;

const SWEEP_EVERY_MS = 250;

/** The requests being worked on: bounded in number and in time. */
interface WorkInHand {
  readonly count: number;
  /** @throws Problem `unavailable` when too much work of all is in hand, `too-many-requests` when it is the caller's */
  refuseWhenFull(ctx: RequestContext): void;
  begin(ctx: RequestContext, operation: Operation): void;
  end(ctx: RequestContext): void;
  /** Resolves as soon as nothing is in hand. */
  idle(): Promise<void>;
  stop(): void;
}

/** What the caller may do after a late answer: the route may still complete its change. */
const adviceFor = ({ method, idempotent, repeatable }: Operation): string => {
  if (method === 'GET') return '.';
  if (idempotent) return ' and the outcome is unknown: try again with the same Idempotency-Key.';
  if (repeatable) return ' and the outcome is unknown: try again.';
  return ' and the outcome is unknown: look whether it was done before you try again.';
};

const late = (operation: Operation): Problem =>
  new Problem('unavailable', `The answer took too long${adviceFor(operation)}`);

const TOO_MUCH_WORK = {
  all: () =>
    new Problem('unavailable', 'The service has as much to do as it can: nothing was done.', { retryAfter: 1 }),
  caller: () =>
    new Problem('too-many-requests', 'Too many requests of yours are in hand already: nothing was done.', {
      retryAfter: 1,
    }),
};

/** Watches all running routes with one timer. Answers in place of a route beyond its deadline by `state.answerLate`. */
export const createWorkInHand = (
  monotonic: () => number,
  { timeLimit = HANDLER_TIME_LIMIT, mostAtOnce = MOST_AT_ONCE } = {},
): WorkInHand => {
  const running = new Map<RequestContext, Operation>();
  const share = createSharedLimit(mostAtOnce);
  const waiting: (() => void)[] = [];
  const sweep = setInterval(() => {
    const now = monotonic();
    for (const [{ state }, operation] of running) {
      if (state.deadline === null || state.deadline > now) continue;
      state.deadline = null;
      state.answerLate(late(operation));
    }
  }, SWEEP_EVERY_MS);
  sweep.unref();
  return {
    get count() {
      return running.size;
    },
    refuseWhenFull({ state }) {
      const crossed = share.crossed(sharerOf(state), 1);
      if (crossed !== null) throw TOO_MUCH_WORK[crossed]();
    },
    begin(ctx, operation) {
      ctx.state.deadline = monotonic() + timeLimit;
      running.set(ctx, operation);
      share.take(sharerOf(ctx.state), 1);
    },
    end(ctx) {
      running.delete(ctx);
      share.give(sharerOf(ctx.state), 1);
      if (running.size === 0) for (const resolve of waiting.splice(0)) resolve();
    },
    idle: () => (running.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    stop: () => clearInterval(sweep),
  };
};

/** Turns at heavy work: some requests have one at once, some wait in order, the others are refused. */
interface Turns {
  /** @throws Problem when no more may wait */
  refuseWhenFull(): void;
  /** Waits for a turn, which the caller must give back. @throws Problem as `refuseWhenFull`; the reason of the signal once it is aborted */
  take(signal?: AbortSignal): Promise<void>;
  giveBack(): void;
  /** Whether no turn is taken. */
  readonly idle: boolean;
}

interface TurnsOptions {
  readonly atOnce?: number;
  readonly mostWaiting?: number;
  /** The problem that is thrown when no more may wait. */
  readonly refusal?: () => Problem;
}

/** Most turns at once: fewer than the ten connections of a pool, so that some are left for small requests. */
const AT_ONCE = 8;
const MOST_WAITING_BATCHES = 56;

const tooManyBatches = (): Problem =>
  new Problem('unavailable', 'Too many batches wait already: nothing was done.', { retryAfter: 1 });

/** Turns that all callers share; 8 at once and 56 waiting batches unless given. */
export const createTurns = ({
  atOnce = AT_ONCE,
  mostWaiting = MOST_WAITING_BATCHES,
  refusal = tooManyBatches,
}: TurnsOptions = {}): Turns => {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const refuseWhenFull = (): void => {
    if (taken >= atOnce && waiting.length >= mostWaiting) throw refusal();
  };
  const wait = (signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal?.reason);
      };
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      waiting.push(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  return {
    refuseWhenFull,
    async take(signal) {
      signal?.throwIfAborted();
      refuseWhenFull();
      // A turn that is given back goes to the next in the queue: it is never free while the queue is not empty.
      if (taken >= atOnce) return wait(signal);
      taken += 1;
    },
    giveBack() {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next();
    },
    get idle() {
      return taken === 0;
    },
  };
};

/** How many turns one person has, by all keys and sessions together. */
interface TurnsOfOne {
  readonly atOnce: number;
  readonly mostWaiting: number;
  readonly refusal: () => Problem;
}

const tooMany = (detail: string) => () => new Problem('too-many-requests', detail, { retryAfter: 1 });

/** The turns of one person at expensive reads. */
export const READS_OF_ONE: TurnsOfOne = {
  atOnce: 2,
  mostWaiting: 8,
  refusal: tooMany('Two expensive reads of yours run and eight wait: nothing was done.'),
};

/** The turns of one person at batches: half of all, so that one person's imports do not block those of others. */
export const BATCHES_OF_ONE: TurnsOfOne = {
  atOnce: AT_ONCE / 2,
  mostWaiting: MOST_WAITING_BATCHES / 2,
  refusal: tooMany('Four batches of yours run and 28 wait: nothing was done.'),
};

/** Turns that each person has, by all keys and sessions together. */
interface TurnsOfPersons {
  /** Returns the person's turns. Call it anew for each request: the turns of persons who hold none are forgotten. */
  of(person: string): Turns;
}

/** Turns for each person. A person's turn also takes one of `ofAll`, if that is given. */
export const createTurnsOfPersons = (ofOne: TurnsOfOne, ofAll?: Turns): TurnsOfPersons => {
  const known = new Map<string, Turns>();
  return {
    of(person) {
      const turns = known.get(person) ?? createTurns(ofOne);
      const giveBackOwn = (): void => {
        turns.giveBack();
        if (turns.idle) known.delete(person);
      };
      return {
        refuseWhenFull() {
          turns.refuseWhenFull();
          ofAll?.refuseWhenFull();
        },
        async take(signal) {
          const taking = turns.take(signal);
          if (!turns.idle) known.set(person, turns);
          await taking;
          try {
            await ofAll?.take(signal);
          } catch (error) {
            giveBackOwn();
            throw error;
          }
        },
        giveBack() {
          ofAll?.giveBack();
          giveBackOwn();
        },
        get idle() {
          return turns.idle;
        },
      };
    },
  };
};

/** Turns that callers share. A caller that holds its part waits until it gives one back; others go before it. */
interface SharedTurns {
  take(caller: string): Promise<void>;
  giveBack(caller: string): void;
}

/** One caller has a quarter of the turns that others leave: two of eight. */
const PART_OF_TURNS = 4;

/** Turns at the database: those of changes, or those of reads. */
export const createSharedTurns = (): SharedTurns => {
  const share = createSharedLimit(AT_ONCE, PART_OF_TURNS);
  const waiting: { readonly caller: string; readonly begin: () => void }[] = [];
  const beginThoseWhoMay = (): void => {
    for (;;) {
      const place = waiting.findIndex(({ caller }) => share.crossed(caller, 1) === null);
      const [next] = place < 0 ? [] : waiting.splice(place, 1);
      if (next === undefined) return;
      share.take(next.caller, 1);
      next.begin();
    }
  };
  return {
    take: (caller) =>
      new Promise((begin) => {
        waiting.push({ caller, begin });
        beginThoseWhoMay();
      }),
    giveBack(caller) {
      share.give(caller, 1);
      beginThoseWhoMay();
    },
  };
};

/** Does the work in a turn of the request's caller. A turn that comes after the request was answered as late is not used. */
const inTurnOf =
  (turns: SharedTurns, state: RequestState) =>
  async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const caller = sharerOf(state);
    await turns.take(caller);
    try {
      if (state.isLate) throw new Problem('unavailable', 'The turn of the request came too late: nothing was done.');
      return await work();
    } finally {
      turns.giveBack(caller);
    }
  };

/**
 * The ports of a change: each of its transactions waits for a turn of the caller before it asks for a connection, so that one
 * caller's changes that wait for a locked row do not hold all connections. What holds no connection, such as the hash of a
 * password, holds no turn.
 */
export const portsOfChange = (ports: Ports, turns: SharedTurns, state: RequestState): Ports => {
  const inTurn = inTurnOf(turns, state);
  const transaction: Stores['transaction'] = (work, by) => inTurn(() => ports.stores.transaction(work, by));
  return { ...ports, stores: { ...ports.stores, transaction } };
};

/**
 * The ports of a read: each question to a store waits for a turn of the caller, so that one caller's reads do not hold
 * all connections, however many and slow these reads are. Lookups, which ask for many requests at once, need no turn.
 */
export const portsOfRead = (ports: Ports, turns: SharedTurns, state: RequestState): Ports => {
  const inTurn = inTurnOf(turns, state);
  return { ...ports, stores: storesThrough(ports.stores, inTurn) };
};

/** Returns the stores with their calls in order, each when the one before has ended: they never hold two connections. */
const storesInOrder = (stores: Stores): Stores => {
  let last: Promise<unknown> = Promise.resolve();
  return storesThrough(stores, (ask) => {
    const asked = last.then(ask);
    last = asked.catch(() => undefined);
    return asked;
  });
};

/**
 * Reads in one turn of the caller. What others share is read in this way: once begun it waits for no turn of its caller, and is
 * not refused because that caller's request is late.
 */
export const readInOneTurn = (ports: Ports, turns: SharedTurns, state: RequestState): InOneTurn => {
  const inTurn = inTurnOf(turns, state);
  return (work) => inTurn(() => work({ ...ports, stores: storesInOrder(ports.stores) }));
};

/** The limits that all running requests share. */
export interface Shared {
  readonly work: WorkInHand;
  readonly batchTurns: TurnsOfPersons;
  /** Turns for expensive reads. */
  readonly readTurns: TurnsOfPersons;
  /** Turns for the transactions of changes. */
  readonly changeTurns: SharedTurns;
  /** Turns for the questions of reads. */
  readonly questionTurns: SharedTurns;
}

/** Whether a request brings a batch. A list in a foreign format is one too, which is known only after it was read. */
export const isBatch = ({ bodyMode }: Operation, { input }: Pick<RequestState, 'input'>): boolean =>
  bodyMode === 'batch' || (bodyMode === 'foreign' && Array.isArray(input.body));

/**
 * Returns the turns a request must wait for; null: none. Without turns, batches would keep others from the database.
 */
const turnsFor = (operation: Operation, { batchTurns, readTurns }: Shared, state: RequestState) => {
  if (operation.costly) return readTurns.of(sharerOf(state));
  return isBatch(operation, state) ? batchTurns.of(sharerOf(state)) : null;
};

/** Refuses, before a body is read, what could not be worked on or answered (429, 503). */
export const refuseWhenFull = (
  operation: Operation,
  shared: Shared,
  answers: { refuseWhenFull(state: RequestState): void },
): RequestStep => {
  return (ctx, next) => {
    if (!operation.unlimited) {
      shared.work.refuseWhenFull(ctx);
      answers.refuseWhenFull(ctx.state);
    }
    turnsFor(operation, shared, ctx.state)?.refuseWhenFull();
    return next();
  };
};

/** The signal that fires when the connection is closed, before or after the answer: the rest of the work has no reader. */
const goneSignal = ({ res }: RequestContext): AbortSignal => {
  const gone = new AbortController();
  const abort = (): void => gone.abort(new RequestAborted());
  if (res.closed) abort();
  else res.once('close', abort);
  return gone.signal;
};

/** Starts the time limit of a request, and waits for its turn where its kind has turns. */
export const takeTurn = (operation: Operation, shared: Shared): RequestStep => {
  const isRefused = !operation.unlimited && operation.body !== undefined;
  const hasTurns = operation.costly || operation.bodyMode === 'batch' || operation.bodyMode === 'foreign';
  const inTurn: RequestStep = async (ctx, next) => {
    const { state } = ctx;
    const turns = turnsFor(operation, shared, state);
    const gone = goneSignal(ctx);
    if (operation.costly) state.gone = gone;
    await turns?.take(gone);
    try {
      await next();
    } finally {
      turns?.giveBack();
    }
  };
  return async (ctx, next) => {
    // Checked again: other requests may have begun while the body came in.
    if (isRefused) shared.work.refuseWhenFull(ctx);
    shared.work.begin(ctx, operation);
    try {
      await (hasTurns ? inTurn(ctx, next) : next());
    } finally {
      shared.work.end(ctx);
    }
  };
};
