import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine; CHROMIUM_PATH names another one. */
const browserPath = (): string => {
  const path = process.env.CHROMIUM_PATH ?? USUAL_PLACES.find((place) => existsSync(place));
  if (path === undefined) throw new Error('No Chromium was found: install it, or name it in CHROMIUM_PATH.');
  return path;
};

let running: Promise<Browser> | undefined;

/** One browser for all tests of a run; each test has contexts of its own. */
export const sharedBrowser = (): Promise<Browser> => {
  running ??= chromium.launch({
    executablePath: browserPath(),
    // Without them Chromium looks for hosts of its maker, and does not start as root.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return running;
};

after(async () => {
  await (await running)?.close();
});
