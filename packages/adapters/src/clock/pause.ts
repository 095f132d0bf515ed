import { setTimeout } from 'node:timers/promises';
import type { Pause } from '@shipworthy/domain';

/** Lets that many milliseconds pass, on the machine's own clock. */
export const pause: Pause = async (ms) => {
  await setTimeout(ms);
};
