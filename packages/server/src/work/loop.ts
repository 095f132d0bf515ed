import type { Log } from '../observability/log.js';

/** Work that repeats in the background until it is stopped. */
export interface Loop {
  /** Ends after the run that is under way. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  readonly name: string;
  /** Pause between two runs, in milliseconds. */
  readonly everyMs: number;
  /** Does a portion; true: there is more to do, so the next run follows at once. */
  run(): Promise<boolean>;
  readonly log: Log;
}

/** A failing run is noted and tried again this many times later, at most. */
const SLOWEST = 30;

/** Repeats a piece of work, never two at a time; a failure is noted, and repeated failures slow it down. */
export const startLoop = ({ name, everyMs, run, log }: LoopOptions): Loop => {
  let stopped = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let wake: () => void = () => undefined;

  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, milliseconds);
      timer.unref();
    });

  const turn = async (): Promise<boolean> => {
    try {
      const more = await run();
      failures = 0;
      return more;
    } catch (error) {
      failures += 1;
      log.error('background work failed', {
        work: name,
        error: error instanceof Error ? error.message : String(error),
      });
      return false;
    }
  };

  const repeat = async (): Promise<void> => {
    while (!stopped) {
      const more = await turn();
      if (!more && !stopped) await pause(everyMs * Math.min(SLOWEST, 1 + failures));
    }
  };
  const ended = repeat();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      wake();
      return ended;
    },
  };
};
