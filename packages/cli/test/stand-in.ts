import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { InterruptSignal, TextSink, World } from '../src/index.js';
import { run } from '../src/index.js';

/** A world of a test's own: an empty folder and home, no settings but those given, what was written kept. */
export interface StandIn extends World {
  readonly out: () => string;
  readonly err: () => string;
  /** Sends an interrupt to the listeners; false when there is none. */
  readonly interrupt: (signal: InterruptSignal) => boolean;
  readonly opened: readonly string[];
  readonly remove: () => Promise<void>;
}

const sink = (isTTY: boolean): TextSink & { readonly text: () => string } => {
  const written: string[] = [];
  return { isTTY, columns: 80, write: (text: string) => written.push(text), text: () => written.join('') };
};

export interface StandInOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly terminal?: boolean;
  readonly fetch?: typeof globalThis.fetch;
  readonly now?: () => number;
  readonly platform?: NodeJS.Platform;
}

/** Makes a world with a folder of its own; `remove` takes the folder away again. */
export const standIn = async (options: StandInOptions = {}): Promise<StandIn> => {
  const root = await mkdtemp(join(tmpdir(), 'shipworthy-cli-'));
  const [stdout, stderr] = [sink(options.terminal ?? false), sink(options.terminal ?? false)];
  const listeners = new Set<(signal: InterruptSignal) => void>();
  const opened: string[] = [];
  return {
    env: { PATH: process.env.PATH, ...options.env },
    folder: root,
    home: join(root, 'home'),
    platform: options.platform ?? process.platform,
    machine: 'runner-1',
    stdin: Object.assign(Readable.from([options.stdin ?? '']), { isTTY: options.terminal ?? false }),
    stdout,
    stderr,
    fetch: options.fetch ?? globalThis.fetch,
    now: options.now ?? Date.now,
    random: () => 0,
    // Waits are only as long as a test can bear.
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20))),
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    openPage: async (url) => {
      opened.push(url);
      return true;
    },
    out: stdout.text,
    err: stderr.text,
    interrupt: (signal) => {
      for (const listener of [...listeners]) listener(signal);
      return listeners.size > 0;
    },
    opened,
    remove: () => rm(root, { recursive: true, force: true }),
  };
};

/** The result of a command line. */
export interface Outcome {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** The one document of `--json`. */
  readonly json: () => { readonly data: never; readonly error: never; readonly warnings: readonly string[] };
}

/** Runs a command line in a world. */
export const runIn = async (world: StandIn, ...argv: readonly string[]): Promise<Outcome> => {
  const before = [world.out().length, world.err().length] as const;
  const exit = await run(argv, world);
  const out = world.out().slice(before[0]);
  return { exit, out, err: world.err().slice(before[1]), json: () => JSON.parse(out) };
};

/** A server that takes a request and says nothing; it is given up as a fetch is, also where the signal was given before. */
export const neverAnswered: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    const { signal } = init ?? {};
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
