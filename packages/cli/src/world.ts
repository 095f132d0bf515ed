import type { Readable } from 'node:stream';

/** A sink for text. */
export interface TextSink {
  write(text: string): unknown;
  /** Whether a person's terminal is at the other end. */
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export type InterruptSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Everything outside that a command sees, so that a test can replace it. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder the command was started in, absolute. */
  readonly folder: string;
  /** The user's home folder, absolute. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The name of this machine in its network. */
  readonly machine: string;
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Knows proxies and further certificate authorities from the environment. */
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A number from 0 (included) to 1 (excluded). */
  readonly random: () => number;
  /** Waits so many milliseconds, or less when the signal is aborted. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls the listener on interrupts, which then do not end the process; returns how to stop listening. */
  readonly onInterrupt: (listener: (signal: InterruptSignal) => void) => () => void;
  /** Opens an address in the user's browser; false where that cannot be done. */
  readonly openPage: (url: string) => Promise<boolean>;
}
