import { DomainError } from '@shipworthy/domain';

/** The levels from most to least output; each includes all that follow. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes structured lines, one JSON object each. Writing never throws and never waits. */
export interface Log {
  readonly level: LogLevel;
  /** Whether lines of level `info` are written at all. */
  readonly informs: boolean;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A line that is serialised already, without its end; written at any level. */
  line(text: string): void;
  /** Writes out what is buffered. */
  flush(): Promise<void>;
}

const FLUSH_AFTER_MS = 100;
const GATHERED_LINES = 32;
const FLUSH_AT_CHARACTERS = 65_536;
/** Most characters that wait for a slow reader; more lines are dropped, and their number is written instead. */
const BUFFER_AT_MOST = 4 * 1024 * 1024;

/** API keys and bearer tokens, wherever they got into a text. */
const SECRETS = /swk_[0-9A-Za-z]+|(?<=bearer )[^\s"\\]+/gi;

/** The text without anything that looks like a key or token of ours. */
export const redacted = (text: string): string => text.replace(SECRETS, (secret) => `${secret.slice(0, 4)}[hidden]`);

/** Returns an error's message for operators, with the cause that callers never see, such as where the database is. */
export const faultWords = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const cause = error instanceof DomainError ? error.details.cause : undefined;
  return typeof cause === 'string' ? `${error.message} (${cause})` : error.message;
};

/** Where lines go: a file descriptor's stream, or an array in tests. */
export type WriteText = (text: string) => Promise<void>;

/** Buffers lines and writes them together, so that a request never waits for its log line. */
export const createLog = (level: LogLevel, write: WriteText, now: () => number): Log => {
  const least = LOG_LEVELS.indexOf(level);
  let lines: string[] = [];
  let gathered: string[] = [];
  let size = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  /** Joins the lines into one text: a line that is not joined keeps the many strings it was made of in memory. */
  const gather = (): void => {
    if (lines.length === 0) return;
    gathered.push(`${lines.join('\n')}\n`);
    lines = [];
  };

  const takeText = (): string => {
    if (dropped > 0)
      lines.push(
        `{"time":"${new Date(now()).toISOString()}","level":"warn","message":"log lines dropped","dropped":${dropped}}`,
      );
    gather();
    const text = gathered.join('');
    gathered = [];
    size = 0;
    dropped = 0;
    return text;
  };
  /** Writes until nothing is left; one write at a time, so that a slow reader makes the next one larger. */
  const writeAll = async (): Promise<void> => {
    while (size > 0 || dropped > 0) await write(takeText()).catch(() => undefined);
    writing = undefined;
  };
  const writeOut = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // Starts only when there is something to write: an empty write would finish before `writing` is set, and block all later ones.
    if (size > 0 || dropped > 0) writing ??= writeAll();
    return writing ?? Promise.resolve();
  };
  const add = (line: string): void => {
    if (size > BUFFER_AT_MOST) {
      dropped += 1;
      return;
    }
    lines.push(line);
    size += line.length + 1;
    if (lines.length === GATHERED_LINES) gather();
    if (writing !== undefined) return;
    if (size > FLUSH_AT_CHARACTERS) void writeOut();
    else if (timer === undefined) timer = setTimeout(() => void writeOut(), FLUSH_AFTER_MS).unref();
  };
  const at = (name: Exclude<LogLevel, 'silent'>) => (message: string, fields?: LogFields) => {
    if (LOG_LEVELS.indexOf(name) < least) return;
    add(redacted(JSON.stringify({ time: new Date(now()).toISOString(), level: name, message, ...fields })));
  };
  const informs = least <= LOG_LEVELS.indexOf('info');
  return {
    level,
    informs,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    line: add,
    flush: writeOut,
  };
};

const nothing = (): void => undefined;

/** A log that writes nothing: for embedders of the service that do their own logging. */
export const silentLog: Log = {
  level: 'silent',
  informs: false,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  line: nothing,
  flush: async () => undefined,
};
