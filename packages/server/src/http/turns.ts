import { Problem } from './problem.js';

/** Turns at something heavy: some at once, some waiting in order, the others refused. */
export interface Turns {
  /** @throws Problem when as many wait as may */
  refuseWhenFull(): void;
  /** Waits for a turn; whoever got one gives it back. @throws Problem as `refuseWhenFull`; the reason of the signal once it is aborted */
  take(signal?: AbortSignal): Promise<void>;
  giveBack(): void;
  /** Whether no turn is taken. */
  readonly idle: boolean;
}

export interface TurnsOptions {
  readonly atOnce?: number;
  readonly mostWaiting?: number;
  /** Why a turn is refused when as many wait as may. */
  readonly refusal?: () => Problem;
}

/** So many at once that a pool of ten connections has some left for whoever asks for little. */
const AT_ONCE = 8;
const MOST_WAITING = 56;

const tooManyBatches = (): Problem =>
  new Problem('unavailable', 'Too many batches wait already: nothing was done.', { retryAfter: 1 });

/** Turns that all callers share; 8 at once and 56 waiting batches unless given. */
export const createTurns = ({
  atOnce = AT_ONCE,
  mostWaiting = MOST_WAITING,
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
      // Whoever gives back hands the turn on: it is never free while somebody waits.
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

/** Expensive reads of one person that are worked on at once, and those that wait. */
const OF_PERSON = { atOnce: 2, mostWaiting: 8 };

const tooManyReads = (): Problem =>
  new Problem('too-many-requests', 'Two expensive reads of yours run and eight wait: nothing was done.', {
    retryAfter: 1,
  });

/** Turns that each person has, by all keys and sessions together. */
export interface TurnsOfPersons {
  /** The person's turns. Asked for anew each time: those of persons without a turn are forgotten. */
  of(person: string): Turns;
}

/** Two turns at expensive reads for each person; eight more wait in order, then `too-many-requests`. */
export const createTurnsOfPersons = (): TurnsOfPersons => {
  const known = new Map<string, Turns>();
  return {
    of(person) {
      const turns = known.get(person) ?? createTurns({ ...OF_PERSON, refusal: tooManyReads });
      return {
        refuseWhenFull: turns.refuseWhenFull,
        take(signal) {
          const taking = turns.take(signal);
          if (!turns.idle) known.set(person, turns);
          return taking;
        },
        giveBack() {
          turns.giveBack();
          if (turns.idle) known.delete(person);
        },
        get idle() {
          return turns.idle;
        },
      };
    },
  };
};
