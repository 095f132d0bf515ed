import { setImmediate } from 'node:timers/promises';
import { createRunTime, type RunTime } from '../../src/clock/run-time.js';

/** A machine whose clock stops until a test turns it. */
export interface TurnedMachine {
  readonly runTime: RunTime;
  /** Lets so many milliseconds pass with the process running; everything due is done when it resolves. */
  run(ms: number): Promise<void>;
  /** Lets so many milliseconds pass in which the process does nothing, and one tick thereafter. */
  holdUp(ms: number): Promise<void>;
  /** Whether its timer is at work. */
  readonly ticks: boolean;
}

export const turnedMachine = (): TurnedMachine => {
  let now = 0;
  let every = 0;
  let tick: (() => void) | undefined;
  const unread: (() => void)[] = [];
  const runTime = createRunTime({
    now: () => now,
    every: (ms, call) => {
      every = ms;
      tick = call;
      return () => {
        tick = undefined;
      };
    },
    afterReading: (call) => void unread.push(call),
  });
  const turn = async (): Promise<void> => {
    tick?.();
    // Promises that settled in the meantime run first.
    await setImmediate();
    for (const call of unread.splice(0)) call();
    await setImmediate();
  };
  return {
    runTime,
    run: async (ms) => {
      for (const end = now + ms; now < end; ) {
        now = Math.min(end, now + (every || ms));
        await turn();
      }
    },
    holdUp: async (ms) => {
      now += ms;
      await turn();
    },
    get ticks() {
      return tick !== undefined;
    },
  };
};
