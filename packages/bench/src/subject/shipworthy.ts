import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, runToEnd, startChild } from '../process/child.js';
import { freePort } from '../process/free-port.js';
import type { Workshop } from '../process/workshop.js';

const START_MS = 20_000;
const ASK_EVERY_MS = 50;

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

const untilReady = async (port: number, { process: child, lastWords }: Child): Promise<void> => {
  for (const deadline = performance.now() + START_MS; performance.now() < deadline; await pause(ASK_EVERY_MS)) {
    if (child.exitCode !== null) throw new Error(`Shipworthy ended at its start. ${lastWords()}`);
    if (await isReady(port)) return;
  }
  throw new Error(`Shipworthy was not ready within ${START_MS / 1_000} s. ${lastWords()}`);
};

const program = join(dirname(fileURLToPath(import.meta.resolve('@shipworthy/server'))), 'main.js');

/**
 * Starts the built server on an empty database with the limit on requests switched off, and waits until it is ready.
 * @param settings further ones
 */
export const startShipworthy = async (
  workshop: Workshop,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Shipworthy> => {
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
    ...settings,
  };
  await runToEnd(workshop, { program, args: ['migrate'], env });
  const child = startChild(workshop, { program, args: ['start'], env });
  await untilReady(port, child);
  return { port, setupToken, pid: child.process.pid ?? 0 };
};
