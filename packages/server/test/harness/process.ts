import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

type Environment = Readonly<Record<string, string>>;

const spawned = (
  words: readonly string[],
  environment: Environment,
  complaints: 'inherit' | 'pipe',
  through: readonly string[] = [],
): ChildProcess => {
  const [program = process.execPath, ...rest] = [...through, process.execPath, MAIN, ...words];
  return spawn(program, rest, {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'pipe', complaints],
  });
};

/** A server in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  /** Asks it to end, and answers its exit code. */
  readonly end: () => Promise<number | null>;
  /** Ends it as nothing can be defended against; nothing where it has ended. */
  readonly kill: () => void;
  /** Settles once it has ended. */
  readonly ended: Promise<void>;
}

/** Starts a server on a free port; `words` follow `start`. */
export const startProcess = async (environment: Environment, words: readonly string[] = []): Promise<ServerProcess> => {
  const child = spawned(['start', ...words], { PORT: '0', ...environment }, 'inherit');
  const ended = once(child, 'exit').then(() => undefined);
  const end = async () => {
    child.kill('SIGTERM');
    await ended;
    return child.exitCode;
  };
  if (child.stdout === null) throw new Error('The server has no output.');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /listens on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return { url, end, kill: () => void (child.exitCode ?? child.kill('SIGKILL')), ended };
  }
  throw new Error(`The server ended with ${child.exitCode} before it listened.`);
};

/** What a command did. */
export interface Done {
  readonly code: number | null;
  readonly printed: string;
  readonly complained: string;
}

/** Runs a command to its end; `through` is a program with its words that starts it. */
export const runProcess = async (
  words: readonly string[],
  environment: Environment,
  through?: readonly string[],
): Promise<Done> => {
  const child = spawned(words, environment, 'pipe', through);
  if (child.stdout === null || child.stderr === null) throw new Error('The command has no output.');
  const ended = once(child, 'close');
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { code: child.exitCode, printed, complained };
};
