import { existsSync } from 'node:fs';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';

/** The first one draws pages alike and has no windows: it costs less than half of the processor time. */
const USUAL_PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser of this machine; CHROMIUM_PATH names another one. */
const browserPath = (): string => {
  const path = process.env.CHROMIUM_PATH ?? USUAL_PLACES.find((place) => existsSync(place));
  if (path === undefined) throw new Error('No Chromium was found: install it, or name it in CHROMIUM_PATH.');
  return path;
};

/** Without them Chromium looks for hosts of its maker, and does not start as root. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Names the address of a browser that was started for all test files of a run. */
const SHARED = 'SHIPWORTHY_TEST_BROWSER';

/** Starts a browser without a window, or connects to the one that all test files of this run share. @throws Error where there is none */
export const launchChromium = async (): Promise<Browser> => {
  const address = process.env[SHARED];
  if (address !== undefined) return chromium.connect(address);
  return chromium.launch({ executablePath: browserPath(), args: ARGS });
};

/** Starts the browser that all test files of a run share: one for each process costs the processor time of all while it waits. */
export const startSharedChromium = async (): Promise<BrowserServer> => {
  const server = await chromium.launchServer({ host: '127.0.0.1', executablePath: browserPath(), args: ARGS });
  process.env[SHARED] = server.wsEndpoint();
  return server;
};
