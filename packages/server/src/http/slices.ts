import type { Slices } from '@shipworthy/domain';
import { Problem } from './problem.js';

/** How long a slice may hold the thread, in milliseconds, before others get their turn. */
export const SLICE_MS = 20;
/** How much of the processor one request may take in all its slices, in milliseconds. */
export const MOST_WORK_MS = 10_000;

export interface SlicesOptions {
  /** Ends the work between two slices with its reason. */
  readonly signal: AbortSignal;
  /** Of the process, in milliseconds. */
  readonly monotonic: () => number;
  /** Lets the event loop turn; `setImmediate` unless given. */
  readonly turn?: () => Promise<void>;
}

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The slices of one request, whose work is measured in all. @throws Problem `unavailable` beyond 10 s of work, the reason of the signal */
export const createSlices = ({ signal, monotonic, turn = turnOfLoop }: SlicesOptions): Slices => {
  let worked = 0;
  const count = (milliseconds: number): void => {
    worked += milliseconds;
    signal.throwIfAborted();
    if (worked > MOST_WORK_MS) throw new Problem('unavailable', 'The answer takes too much work: ask for less.');
  };
  return {
    async map<Item, Result>(items: readonly Item[], work: (item: Item, place: number) => Result) {
      const results: Result[] = [];
      let began = monotonic();
      for (const [place, item] of items.entries()) {
        results.push(work(item, place));
        if (monotonic() - began < SLICE_MS) continue;
        count(monotonic() - began);
        await turn();
        signal.throwIfAborted();
        began = monotonic();
      }
      count(monotonic() - began);
      return results;
    },
  };
};
