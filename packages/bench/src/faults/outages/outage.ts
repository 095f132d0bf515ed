import { setTimeout as pause } from 'node:timers/promises';
/** A way in which a database is not there. */
export interface Outage {
  readonly name: string;
  /** Whether anything can succeed while it lasts. */
  readonly leaves: 'nothing' | 'something';
  /** Lasts until what it answers is called. */
  begin(): Promise<() => Promise<void>>;
}

/** Repeats a piece of work until it is told to end. */
export const repeating = (work: () => Promise<unknown>, everyMs: number): (() => Promise<void>) => {
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      await work();
      await pause(everyMs);
    }
  })();
  return async () => {
    isOver = true;
    await running;
  };
};
