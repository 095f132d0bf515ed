import { type ChildProcess, fork } from 'node:child_process';
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
  const child = fork(path, args, {
    env: { ...process.env, ...env },
    execArgv: ['--import', exitWithParent],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  workshop.keep(child);
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS);
  });
  return { process: child, lastWords: () => words };
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
