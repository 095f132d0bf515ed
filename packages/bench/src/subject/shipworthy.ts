import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Child, endBy, freePort, runToEnd, startChild } from '../process/child.js';
import type { Workshop } from '../process/workshop.js';

const START_MS = 60_000;
const ASK_EVERY_MS = 50;
const ASK_OFTEN_MS = 5;

/** A Shipworthy server that runs as a process of its own, as `npm start` runs it. */
export interface RunningServer {
  readonly port: number;
  readonly setupToken: string;
  /** The id of its process. */
  readonly pid: number;
}

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

/** A server that may be ended and started again: its port, its secrets and its database stay the same. */
export interface StandingServer {
  readonly port: number;
  readonly setupToken: string;
  /** The id of its present process; 0 while there is none. */
  pid(): number;
  /** Starts it and waits until it is ready; milliseconds until then. */
  start(askEveryMs?: number): Promise<number>;
  /** Ends it by a signal and waits until it is gone; its exit code, null when a signal ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Carries out a command of the server's program with the same settings. Rejects when it ends with another code than 0. */
  command(...words: readonly string[]): Promise<void>;
  /** Begins one and leaves it to itself. */
  begin(...words: readonly string[]): Child;
}

/**
 * A server on a database with the limit on requests switched off, which is not started yet.
 * @param settings further ones
 */
export const standingServer = async (
  workshop: Workshop,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<StandingServer> => {
  const port = await freePort();
  const setupToken = randomBytes(12).toString('hex');
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    SHIPWORTHY_DATA_DIR: workshop.path('data'),
    SHIPWORTHY_BASE_URL: `http://127.0.0.1:${port}`,
    SHIPWORTHY_SECRET_KEY: randomBytes(48).toString('base64'),
    SHIPWORTHY_SETUP_TOKEN: setupToken,
    SHIPWORTHY_RATE_LIMIT: 'off',
    ...settings,
  };
  let child: Child | undefined;
  return {
    port,
    setupToken,
    pid: () => child?.process.pid ?? 0,
    start: async (askEveryMs = ASK_EVERY_MS) => {
      const begin = performance.now();
      child = startChild(workshop, { program, args: ['start'], env });
      await untilReady(port, child, askEveryMs);
      return performance.now() - begin;
    },
    end: async (signal) => {
      const ending = child?.process;
      child = undefined;
      return ending === undefined ? null : endBy(ending, signal);
    },
    command: (...words) => runToEnd(workshop, { program, args: words, env }),
    begin: (...words) => startChild(workshop, { program, args: words, env }),
  };
};

/**
 * Starts the built server on an empty database with the limit on requests switched off, and waits until it is ready.
 * @param settings further ones
 */
export const startShipworthy = async (
  workshop: Workshop,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> => {
  const server = await standingServer(workshop, databaseUrl, settings);
  await server.command('migrate');
  await server.start();
  return { port: server.port, setupToken: server.setupToken, pid: server.pid() };
};

/** Starts it on a database as it is, empty or not, and answers after how many milliseconds it was ready, and as which process. */
export const timeStart = async (
  workshop: Workshop,
  databaseUrl: string,
): Promise<{ readonly milliseconds: number; readonly pid: number }> => {
  const server = await standingServer(workshop, databaseUrl);
  return { milliseconds: await server.start(ASK_OFTEN_MS), pid: server.pid() };
};
