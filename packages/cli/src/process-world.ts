import { spawn } from 'node:child_process';
import { homedir, hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { EXIT, unexpectedWords } from './failure.js';
import { harmless, hiding, inert } from './output/safe-text.js';
import { run } from './run.js';
import { ownEnvironment, programAt } from './run-program.js';
import type { InterruptSignal, World } from './world.js';

const SIGNALS: readonly InterruptSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

const openPage = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const [command, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
    const env = ownEnvironment(process.env);
    const place = programAt(command, env);
    if (place === undefined) return resolve(false);
    const child = spawn(place, [...words, url], { stdio: 'ignore', detached: true, env });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });

/** Ends the process with one line and exit 1 on an uncaught error; the line is cleaned, since it may hold text of a server, or a key. */
const endUnexpectedly = (): void => {
  const { env } = process;
  let ended = false;
  const end = (error: unknown): void => {
    if (ended) return;
    ended = true;
    const line = harmless(`unexpected error: ${unexpectedWords(error, env)}`);
    process.stderr.write(`${inert(hiding({ env }).shown(line))}\n`, () => process.exit(EXIT.unexpected));
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
};

/** The process and machine this runs on. */
export const processWorld = (): World => ({
  env: process.env,
  folder: process.cwd(),
  home: homedir(),
  platform: process.platform,
  machine: hostname(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  fetch: proxiedFetch(process.env),
  now: Date.now,
  random: Math.random,
  pause: async (ms, signal) => {
    await wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  },
  onInterrupt: (listener) => {
    for (const signal of SIGNALS) process.on(signal, listener);
    return () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    };
  },
  openPage,
});

const PROXY_NAMES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** The platform's fetch, or where the environment names a proxy one that goes through it for https (and honours NO_PROXY). */
export const proxiedFetch = (env: World['env']): typeof globalThis.fetch => {
  if (!PROXY_NAMES.some((name) => env[name])) return globalThis.fetch;
  // The package is CommonJS, of which a bundle has nothing but the default export.
  const loading = import('undici').then(({ default: { EnvHttpProxyAgent, fetch } }) => {
    const dispatcher = new EnvHttpProxyAgent();
    return (input: string, init?: RequestInit) =>
      fetch(input, { ...(init as Parameters<typeof fetch>[1]), dispatcher }) as unknown as Promise<Response>;
  });
  // Plain http is for this machine alone: a proxy would read the key, and would take `localhost` for itself.
  return async (input, init) =>
    String(input).startsWith('http:') ? fetch(input, init) : (await loading)(String(input), init);
};

const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));

const isFolderThere = (): boolean => {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
};

const start = (): Promise<number> | number => {
  if (isFolderThere()) return run(process.argv.slice(2), processWorld());
  process.stderr.write('error: The folder this was started in is gone.\n');
  return EXIT.usage;
};

/** Runs the command line of this process, and ends the process with its exit code. */
export const runProcess = async (): Promise<never> => {
  let answerLost = false;
  // A reader that stops early, such as `head`, is no failure of the command; a full disk under a log must not end a deployment.
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    answerLost ||= error.code !== 'EPIPE';
  });
  endUnexpectedly();
  const ran = await start();
  await Promise.all([written(process.stdout), written(process.stderr)]);
  // An interrupted command may have a call under way, which must not hold the process.
  process.exit(answerLost && ran === EXIT.done ? EXIT.unexpected : ran);
};
