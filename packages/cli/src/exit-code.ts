/** What the process ends with. */
export const EXIT = {
  /** Done; gate go. */
  done: 0,
  /** An error nobody expected; never a verdict. */
  unexpected: 1,
  /** Wrong usage, or the server refused the request. */
  usage: 2,
  /** The answer is no: gate hold, doctor needs action. */
  no: 3,
  /** The key is missing, rejected, or lacks the scope. */
  key: 4,
  /** Could not check: unreachable, TLS, time-out, 429 or 5xx after the retries; gate unknown. */
  unchecked: 5,
  /** A report that is missing, cannot be read, holds no test, contradicts itself, or names a failure that it does not list. */
  report: 6,
  /** `--wait` ran out. */
  waited: 8,
  interrupted: 130,
  terminated: 143,
} as const;

/** One of EXIT, or a child process's own code. */
export type ExitCode = number;
