import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, runToEnd, startChild } from '../process/child.js';
import { freePort } from '../process/free-port.js';
import type { Workshop } from '../process/workshop.js';

const START_MS = 20_000;
const ASK_EVERY_MS = 50;
const ASK_OFTEN_MS = 5;

/** A Shipworthy server that runs as a process of its own, as `npm start` runs it. */
export interface Shipworthy {
  readonly port: number;
  readonly setupToken: string;
  /** Of its process. */
  readonly pid: number;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const isReady = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
};

const untilReady = async (port: number, { process: child, lastWords }: Child, askEveryMs: number): Promise<void> => {
  for (const deadline = performance.now() + START_MS; performance.now() < deadline; await pause(askEveryMs)) {
    if (child.exitCode !== null) throw new Error(`Shipworthy ended at its start. ${lastWords()}`);
    if (await isReady(port)) return;
  }
  throw new Error(`Shipworthy was not ready within ${START_MS / 1_000} s. ${lastWords()}`);
};

const program = join(dirname(fileURLToPath(import.meta.resolve('@shipworthy/server'))), 'main.js');

const settingsOf = async (workshop: Workshop, databaseUrl: string, more: Readonly<Record<string, string>>) => {
  const port = await freePort();
  const setupToken = randomBytes(12).toString('hex');
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    SHIPWORTHY_DATA_DIR: workshop.path('data'),
    SHIPWORTHY_BASE_URL: `http://127.0.0.1:${port}`,
    SHIPWORTHY_SECRET_KEY: randomBytes(32).toString('base64'),
    SHIPWORTHY_SETUP_TOKEN: setupToken,
    SHIPWORTHY_RATE_LIMIT: 'off',
    ...more,
  };
  return { port, setupToken, env };
};

/**
 * Starts the built server on an empty database with the limit on requests switched off, and waits until it is ready.
 * @param settings further ones
 */
export const startShipworthy = async (
  workshop: Workshop,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Shipworthy> => {
  const { port, setupToken, env } = await settingsOf(workshop, databaseUrl, settings);
  await runToEnd(workshop, { program, args: ['migrate'], env });
  const child = startChild(workshop, { program, args: ['start'], env });
  await untilReady(port, child, ASK_EVERY_MS);
  return { port, setupToken, pid: child.process.pid ?? 0 };
};

/** Starts it on a database as it is, empty or not, and answers after how many milliseconds it was ready, and as which process. */
export const timeStart = async (
  workshop: Workshop,
  databaseUrl: string,
): Promise<{ readonly milliseconds: number; readonly pid: number }> => {
  const { port, env } = await settingsOf(workshop, databaseUrl, {});
  const begin = performance.now();
  const child = startChild(workshop, { program, args: ['start'], env });
  await untilReady(port, child, ASK_OFTEN_MS);
  return { milliseconds: performance.now() - begin, pid: child.process.pid ?? 0 };
};
