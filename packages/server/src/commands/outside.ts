import { existsSync, write } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { CreateRoutes } from '../composition/service.js';
import { type Config, readConfig } from '../config.js';
import { type Environment, SERVER_SETTINGS, type Setting } from '../settings.js';

/** Everything outside the program that a command uses. */
export interface Outside {
  readonly environment: Environment;
  readonly workingDirectory: string;
  readonly homeDirectory: string;
  /** Text for people, on standard output. */
  print(text: string): void;
  /** Complaints for people, on standard error. */
  complain(text: string): void;
  /** Log lines. */
  writeLog(text: string): Promise<void>;
  /** Resolves with the name of the first signal that asks the process to end. */
  asked(): Promise<string>;
  readonly createRoutes: CreateRoutes;
}

export const SERVER_EXIT = { done: 0, failed: 1, usage: 2 } as const;

const writeSome = promisify(write);
const FULL_PIPE_PAUSE_MS = 20;

/** Writes text to a file descriptor without ever making the event loop wait for a slow reader. */
const textWriter =
  (descriptor: number) =>
  async (text: string): Promise<void> => {
    let rest: Buffer = Buffer.from(text);
    while (rest.length > 0) {
      try {
        const { bytesWritten } = await writeSome(descriptor, rest);
        rest = rest.subarray(bytesWritten);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
        await pause(FULL_PIPE_PAUSE_MS);
      }
    }
  };

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** The process ends after this time even if work is unfinished. */
const END_LIMIT_MS = 19_000;
const STANDARD_ERROR = 2;

const endAtOnce = (signal: NodeJS.Signals): never => process.exit(signal === 'SIGINT' ? 130 : 143);

/** Resolves with the first signal. A second signal ends the process at once, and so does an end that takes too long. */
const askedToEnd = (): Promise<string> =>
  new Promise((resolve) => {
    let first = true;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (!first) endAtOnce(signal);
        first = false;
        setTimeout(() => process.exit(1), END_LIMIT_MS).unref();
        resolve(signal);
      });
      // Removed last: a signal that comes while there is no listener would be lost.
      process.off(signal, endAtOnce);
    }
  });

/** Returns the surroundings of the running process: its environment, folders, streams and signals. */
export const processOutside = (environment: Environment, createRoutes: CreateRoutes): Outside => {
  // The first process of a container ignores signals without a listener, so these come before it awaits its database.
  for (const signal of SIGNALS) process.on(signal, endAtOnce);
  return {
    environment,
    workingDirectory: process.cwd(),
    homeDirectory: homedir(),
    print: (text) => void process.stdout.write(`${text}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
    writeLog: textWriter(STANDARD_ERROR),
    asked: askedToEnd,
    createRoutes,
  };
};

/** A checkout has the sources of its packages; an installed package has none. */
const isCheckout = (directory: string): boolean => existsSync(join(directory, 'packages', 'server', 'src'));

/**
 * Reads the configuration and prints everything that is wrong with the settings. Returns null when there are faults.
 */
export const readServerSettings = ({
  environment,
  workingDirectory,
  homeDirectory,
  complain,
}: Outside): Config | null => {
  const checkout = isCheckout(workingDirectory);
  const { config, faults, warnings } = readConfig(environment, { workingDirectory, homeDirectory, checkout });
  for (const warning of warnings) complain(`Warning: ${warning}`);
  for (const fault of faults) complain(`Error: ${fault}`);
  return config;
};

const shown = ({ name, otherwise, secret }: Setting, environment: Outside['environment']): string => {
  const value = environment[name];
  if (value === undefined || value.trim() === '') return `${name}=  (${otherwise})`;
  return `${name}=${secret ? '(set, hidden)' : value}`;
};

/** Prints the settings in effect, secrets hidden, then the database and data folder in use. Answers the exit code. */
export const showConfig = (outside: Outside): number => {
  const config = readServerSettings(outside);
  for (const setting of SERVER_SETTINGS) outside.print(shown(setting, outside.environment));
  if (config === null) return SERVER_EXIT.usage;
  const { database, dataDir } = config;
  outside.print(`database: ${database.kind === 'sqlite' ? database.file : 'PostgreSQL'}`);
  outside.print(`data folder: ${dataDir}`);
  return SERVER_EXIT.done;
};
