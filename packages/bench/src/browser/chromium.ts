import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts the Chromium of this machine, or the one CHROMIUM_PATH names. @throws Error when there is none */
export const startChromium = async (): Promise<Browser> => {
  const executablePath = process.env.CHROMIUM_PATH ?? USUAL_PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error('No Chromium was found; CHROMIUM_PATH names one.');
  // Not before it is needed: what it does to the process makes everything else in it several times slower.
  const { chromium } = await import('playwright-core');
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
  return chromium.launch({ executablePath, args: [...args, '--disable-component-update', '--disable-sync'] });
};
