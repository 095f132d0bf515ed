import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine; CHROMIUM_PATH names another one. */
const browserPath = (): string => {
  const path = process.env.CHROMIUM_PATH ?? USUAL_PLACES.find((place) => existsSync(place));
  if (path === undefined) throw new Error('No Chromium was found: install it, or name it in CHROMIUM_PATH.');
  return path;
};

/** Starts a browser without a window. @throws Error where there is none */
export const launchChromium = async (): Promise<Browser> =>
  chromium.launch({
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
