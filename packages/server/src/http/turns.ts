import { Problem } from './problem.js';

/** Turns at something heavy: some at once, some waiting in order, the others refused. */
export interface Turns {
  /** @throws Problem `unavailable` when as many wait as may */
  refuseWhenFull(): void;
  /** Waits for a turn; whoever got one gives it back. @throws Problem `unavailable` as `refuseWhenFull` */
  take(): Promise<void>;
  giveBack(): void;
}

/** So many at once that a pool of ten connections has some left for whoever asks for little. */
const AT_ONCE = 8;
const MOST_WAITING = 56;

export const createTurns = ({ atOnce = AT_ONCE, mostWaiting = MOST_WAITING } = {}): Turns => {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const refuseWhenFull = (): void => {
    if (taken < atOnce || waiting.length < mostWaiting) return;
    throw new Problem('unavailable', 'Too many batches wait already: nothing was done.', { retryAfter: 1 });
  };
  return {
    refuseWhenFull,
    async take() {
      refuseWhenFull();
      // Whoever gives back hands the turn on: it is never free while somebody waits.
      if (taken >= atOnce) return new Promise((resolve) => waiting.push(resolve));
      taken += 1;
    },
    giveBack() {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next();
    },
  };
};
