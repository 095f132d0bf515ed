import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Workshop } from './workshop.js';

const LAST_WORDS = 4_000;
const exitWithParent = new URL('./exit-with-parent.js', import.meta.url).href;

/** A running program of Node with a channel to it. */
export interface Child {
  readonly process: ChildProcess;
  /** The last 4,000 characters of its standard error. */
  lastWords(): string;
}

interface ChildProgram {
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
export const exitCodeOf = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
};

/** Ends a child by a signal and waits until it is gone; returns its exit code, null when a signal ended it. */
export const endBy = (child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
  const exit = exitCodeOf(child);
  child.kill(signal);
  return exit;
};

/** Waits until a program has done its work. @throws Error when it ends with another code than 0 */
export const runToEnd = async (workshop: Workshop, program: ChildProgram): Promise<void> => {
  const { process: child, lastWords } = startChild(workshop, program);
  const code = await exitCodeOf(child);
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

/** The reply to an order. */
type Reply = { readonly result: unknown } | { readonly failure: string };

/** Runs in a child process: carries out each order that comes over its channel, and sends back the result. */
export const carryOutOrders = <Order>(carryOut: (order: Order) => unknown): void => {
  const tell = (reply: Reply): void => void process.send?.(reply);
  // Between two orders nothing else keeps this process alive.
  process.channel?.ref();
  process.on('message', async (order: Order) => {
    try {
      tell({ result: await carryOut(order) });
    } catch (error) {
      tell({ failure: error instanceof Error ? error.message : String(error) });
    }
  });
};

/**
 * Sends an order to a child that runs `carryOutOrders`, and waits for the result.
 * @throws Error that begins with `otherwise` when the order could not be carried out
 */
export const sendOrder = async <Result>(child: Child, order: object, otherwise: string): Promise<Result> => {
  child.process.send(order);
  const reply = await nextMessage<Reply>(child);
  if ('failure' in reply) throw new Error(`${otherwise}: ${reply.failure}`);
  return reply.result as Result;
};

/** Resident memory of a process, in MB of 2^20 bytes. */
export interface Memory {
  readonly now: number;
  /** The most since the process began or since `forgetPeak`. */
  readonly peak: number;
}

const KB_PER_MB = 1024;

/** Reads the memory from `/proc/<pid>/status`. @throws Error when it is missing */
export const memoryIn = (status: string): Memory => {
  const figure = (name: string): number => {
    const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
    if (kilobytes === undefined) throw new Error(`The system does not tell ${name} of a process.`);
    return Number(kilobytes) / KB_PER_MB;
  };
  return { now: figure('VmRSS'), peak: figure('VmHWM') };
};

/** The resident memory of a running process; null where the system does not tell, as only Linux does. */
export const memoryOf = (pid: number): Memory | null =>
  process.platform === 'linux' ? memoryIn(readFileSync(`/proc/${pid}/status`, 'utf8')) : null;

/** Lets the peak of a process begin anew: setting up hashes a password, which takes more memory than anything after it. */
export const forgetPeak = (pid: number): void => {
  // proc(5): 5 resets VmHWM to VmRSS.
  if (process.platform === 'linux') writeFileSync(`/proc/${pid}/clear_refs`, '5');
};

// proc(5) counts in clock ticks, of which every Linux that Node runs on tells 100 a second.
const MS_PER_TICK = 10;
const AFTER_NAME = 2;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/**
 * Reads the processor time of a process, all its threads together, from `/proc/<pid>/stat`; in milliseconds, by steps of 10.
 * @throws Error when it is missing
 */
export const processorTimeIn = (stat: string): number => {
  // The name of the program is in brackets and may have brackets and blanks of its own.
  const fields = stat.slice(stat.lastIndexOf(')') + AFTER_NAME).split(' ');
  const ticks = Number(fields[USER_TIME] ?? Number.NaN) + Number(fields[SYSTEM_TIME] ?? Number.NaN);
  if (!Number.isInteger(ticks)) throw new Error('The system does not tell the processor time of a process.');
  return ticks * MS_PER_TICK;
};

/** The processor time a running process has taken since it began, in milliseconds; Linux only. */
export const processorTimeOf = (pid: number): number => processorTimeIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));

/** A TCP port of 127.0.0.1 that is free at this moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port was given.')),
      );
    });
  });
