import type { Browser } from 'playwright-core';
import { launchChromium } from './launch.js';

let running: Promise<Browser> | undefined;

/** One browser for all tests of a process; each test has contexts of its own. */
export const sharedBrowser = (): Promise<Browser> => {
  running ??= launchChromium();
  return running;
};
