import { setTimeout } from 'node:timers/promises';
import type { Pause } from '@shipworthy/domain/ports';

/** The clock and the timers of a machine; tests use one that they move by hand. */
interface Machine {
  /** Milliseconds; never goes back. */
  now(): number;
  /** Calls every `ms` milliseconds, or later if the process is held up. Returns a function that ends this. */
  every(ms: number, call: () => void): () => void;
  /** Calls after all input that has arrived by now was read. */
  afterReading(call: () => void): void;
}

/**
 * The time in which this process runs. Time limits for answers of other systems use it, because an answer is not late
 * when this process did not run, was held up by others or was busy itself.
 */
export interface RunTime {
  /** Calls after `ms` milliseconds of run time, once the input of that time was read. Returns what cancels the call. */
  after(ms: number, call: () => void): () => void;
  /** Returns the result of the work; after `ms` milliseconds of run time without it, what `late` returns or throws. */
  within<Result>(ms: number, work: Promise<Result>, late: () => Result): Promise<Result>;
}

/** How often run time is counted, in milliseconds. */
const TICK_MS = 25;
/** The most that a tick counts, in milliseconds: a little more than its length, since timers are always a little late. */
const MOST_PER_TICK_MS = 30;

const thisMachine: Machine = {
  now: () => performance.now(),
  every: (ms, call) => {
    const timer = setInterval(call, ms);
    return () => clearInterval(timer);
  },
  // Node reads between its timers and its immediates.
  afterReading: (call) => void setImmediate(call),
};

interface Waiting {
  /** When it is due, in run time. */
  readonly due: number;
  readonly call: () => void;
}

/** Counts run time in ticks, only while something waits. A tick counts MOST_PER_TICK_MS at most, however late it is. */
export const createRunTime = (machine: Machine): RunTime => {
  const waiting = new Set<Waiting>();
  let counted = 0;
  let countedAt = 0;
  let end: (() => void) | undefined;

  const sinceTick = (): number => Math.min(machine.now() - countedAt, MOST_PER_TICK_MS);

  const tick = (): void => {
    const wasHeldUp = machine.now() - countedAt > 2 * TICK_MS;
    const before = counted;
    counted += sinceTick();
    countedAt = machine.now();
    // After a pause of the process, what became due in it waits for the next tick: running exchanges go on first.
    const until = wasHeldUp ? before : counted;
    const due = [...waiting].filter((one) => one.due <= until);
    if (due.length > 0)
      machine.afterReading(() => {
        for (const one of due) if (waiting.delete(one)) one.call();
      });
    if (waiting.size > 0) return;
    end?.();
    end = undefined;
  };

  const after: RunTime['after'] = (ms, call) => {
    if (end === undefined) {
      countedAt = machine.now();
      end = machine.every(TICK_MS, tick);
    }
    const one = { due: counted + sinceTick() + ms, call };
    waiting.add(one);
    return () => void waiting.delete(one);
  };

  return {
    after,
    within: async (ms, work, late) => {
      let stop = (): void => {};
      const expiry = new Promise<void>((resolve) => {
        stop = after(ms, resolve);
      });
      try {
        return await Promise.race([work, expiry.then(late)]);
      } finally {
        stop();
      }
    },
  };
};

/** The run time of this process. */
export const runTime: RunTime = createRunTime(thisMachine);

/** Lets that many milliseconds pass, on the machine's own clock. */
export const pause: Pause = async (ms) => {
  await setTimeout(ms);
};
