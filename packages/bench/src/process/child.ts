import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Workshop } from './workshop.js';

const LAST_WORDS = 4_000;
const exitWithParent = new URL('./exit-with-parent.js', import.meta.url).href;

/** A running program of Node with a channel to it. */
export interface Child {
  readonly process: ChildProcess;
  /** What it wrote to its standard error, the last 4,000 characters. */
  lastWords(): string;
}

export interface ChildProgram {
  /** The compiled program: a file: address or a path. */
  readonly program: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a program as a process of its own that ends with the workshop, and with this process however that ends. */
export const startChild = (workshop: Workshop, { program, args = [], env = {} }: ChildProgram): Child => {
  const path = program.startsWith('file:') ? fileURLToPath(program) : program;
  // A file, not a pipe: a server that logs every request would keep this process busy reading.
  const log = workshop.path('log');
  const logFile = openSync(log, 'a');
  const child = fork(path, args, {
    env: { ...process.env, ...env },
    execArgv: ['--import', exitWithParent],
    stdio: ['ignore', 'ignore', logFile, 'ipc'],
    serialization: 'advanced',
  });
  closeSync(logFile);
  workshop.keep(child);
  return { process: child, lastWords: () => readFileSync(log, 'utf8').slice(-LAST_WORDS) };
};

/** The code a child ends with, or has ended with; null when a signal ended it. */
export const exitOf = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
};

/** Ends a child by a signal and waits until it is gone; its exit code, null when a signal ended it. */
export const endBy = (child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
  const exit = exitOf(child);
  child.kill(signal);
  return exit;
};

/** Waits until a program has done its work. @throws Error when it ends with another code than 0 */
export const runToEnd = async (workshop: Workshop, program: ChildProgram): Promise<void> => {
  const { process: child, lastWords } = startChild(workshop, program);
  const code = await exitOf(child);
  if (code !== 0) throw new Error(`A program ended with code ${code}. ${lastWords()}`);
};

/** The next message of a child. Rejects when the child ends before, with its last words. */
export const nextMessage = <Message>(child: Child): Promise<Message> =>
  new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      child.process.off('exit', onExit);
      resolve(message as Message);
    };
    const onExit = (): void => {
      child.process.off('message', onMessage);
      reject(new Error(`A process ended before it answered. ${child.lastWords()}`));
    };
    child.process.once('message', onMessage);
    child.process.once('exit', onExit);
  });
