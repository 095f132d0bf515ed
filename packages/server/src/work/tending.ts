import type { Log } from '../observability/log.js';
import { type Loop, startLoop } from './loop.js';

const HOUR = 3_600_000;

/** Readies the stores for the time to come, every hour and once at the start. */
export const startTending = (tend: () => Promise<void>, log: Log, everyMs: number = HOUR): Loop =>
  startLoop({
    name: 'tending',
    everyMs,
    run: async () => {
      await tend();
      return false;
    },
    log,
  });
