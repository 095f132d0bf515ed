import type { CreateRoutes } from '../composition/options.js';
import type { Environment } from '../settings/reader.js';

/** What a command touches outside the program. */
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

/** Exit codes. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;
