import { createHash, createHmac, randomBytes } from 'node:crypto';
import { existsSync, write } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ENOUGH_BITS, estimatedBits, verdictPublicKey } from '@shipworthy/adapters/crypto';
import { addIdentity, type Database, keepIdentity, sqliteIdentity, stretchStoredKey } from '@shipworthy/adapters/knex';
import type { CreateRoutes } from '../composition/options.js';
import { type Config, readConfig } from '../config.js';
import { type Environment, SERVER_SETTINGS, type Setting } from '../settings.js';
import { writeKey } from './key-file.js';

/** Everything outside the program that a command uses. */
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
export const SERVER_EXIT = { done: 0, failed: 1, usage: 2 } as const;

const writeSome = promisify(write);
const FULL_PIPE_PAUSE_MS = 20;

/** Writes text to a file descriptor without ever making the event loop wait for a slow reader. */
const textWriter =
  (descriptor: number) =>
  async (text: string): Promise<void> => {
    let rest: Buffer = Buffer.from(text);
    while (rest.length > 0) {
      try {
        const { bytesWritten } = await writeSome(descriptor, rest);
        rest = rest.subarray(bytesWritten);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
        await pause(FULL_PIPE_PAUSE_MS);
      }
    }
  };

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** The process ends after this time even if work is unfinished. */
const END_LIMIT_MS = 19_000;
const STANDARD_ERROR = 2;

const endAtOnce = (signal: NodeJS.Signals): never => process.exit(signal === 'SIGINT' ? 130 : 143);

/** The first signal is answered; the second one, or taking too long, ends the process at once. */
const askedToEnd = (): Promise<string> =>
  new Promise((resolve) => {
    let first = true;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (!first) endAtOnce(signal);
        first = false;
        setTimeout(() => process.exit(1), END_LIMIT_MS).unref();
        resolve(signal);
      });
      // Removed last: a signal that comes while there is no listener would be lost.
      process.off(signal, endAtOnce);
    }
  });

/** The process itself as what a command touches outside. */
export const processOutside = (environment: Environment, createRoutes: CreateRoutes): Outside => {
  // The first process of a container ignores a signal without a listener, so it listens while it waits for its database, too.
  for (const signal of SIGNALS) process.on(signal, endAtOnce);
  return {
    environment,
    workingDirectory: process.cwd(),
    homeDirectory: homedir(),
    print: (text) => void process.stdout.write(`${text}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
    writeLog: textWriter(STANDARD_ERROR),
    asked: askedToEnd,
    createRoutes,
  };
};

/** A checkout has the sources of its packages; an installed package has none. */
const isCheckout = (directory: string): boolean => existsSync(join(directory, 'packages', 'server', 'src'));

/** The configuration; null when something is wrong with the settings, all of which was said then. */
export const readServerSettings = ({
  environment,
  workingDirectory,
  homeDirectory,
  complain,
}: Outside): Config | null => {
  const checkout = isCheckout(workingDirectory);
  const { config, faults, warnings } = readConfig(environment, { workingDirectory, homeDirectory, checkout });
  for (const warning of warnings) complain(`Warning: ${warning}`);
  for (const fault of faults) complain(`Error: ${fault}`);
  return config;
};

const shown = ({ name, otherwise, secret }: Setting, environment: Outside['environment']): string => {
  const value = environment[name];
  if (value === undefined || value.trim() === '') return `${name}=  (${otherwise})`;
  return `${name}=${secret ? '(set, hidden)' : value}`;
};

/** Prints the settings as they are in effect, secrets hidden, and what follows from them. Answers the exit code. */
export const showConfig = (outside: Outside): number => {
  const config = readServerSettings(outside);
  for (const setting of SERVER_SETTINGS) outside.print(shown(setting, outside.environment));
  if (config === null) return SERVER_EXIT.usage;
  const { database, dataDir } = config;
  outside.print(`database: ${database.kind === 'sqlite' ? database.file : 'PostgreSQL'}`);
  outside.print(`data folder: ${dataDir}`);
  return SERVER_EXIT.done;
};

const SHORTEST = 32;
/** Characters of a database's id. */
const ID_LENGTH = 32;

type Settings = Pick<Config, 'database' | 'secretKey'>;

/** Where the SQLite file and the key that is kept beside it are; null: the key is given. */
const keptFiles = ({ database, secretKey }: Settings): { readonly file: string; readonly path: string } | null =>
  database.kind === 'sqlite' && secretKey.kind === 'kept' ? { file: database.file, path: secretKey.path } : null;

const keyOf = (text: string): Uint8Array => {
  const trimmed = text.trim();
  if (trimmed.length < SHORTEST) throw new Error(`The secret key has less than ${SHORTEST} characters.`);
  return createHash('sha256').update(trimmed, 'utf8').digest();
};

/** The id of the database that a kept key names: it follows from the key, so that the key's file needs no second line. */
const idFrom = (key: Uint8Array): string =>
  createHmac('sha256', key).update('id of the database').digest('hex').slice(0, ID_LENGTH);

/** null: there is no file. */
const textAt = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });

const lost = (file: string, path: string): Error =>
  new Error(
    `${file} is not the database that its secret key ${path} names: it is empty, or its write-ahead log ${file}-wal is gone. Nothing was changed. Put the files back, or restore a copy that "shipworthy-server backup FILE" made: shipworthy-server restore FILE. To begin with an empty database, move ${path} away.`,
  );

const other = (file: string, path: string): Error =>
  new Error(
    `${file} names another secret key than ${path}. Nothing was changed. Put the key of this database there, or restore the copy of both that "shipworthy-server backup FILE --with-key" made: shipworthy-server restore FILE --replace. If the key is lost, move ${path} away: the next start makes a new one, and what was sealed cannot be read again.`,
  );

/**
 * Demands, before a SQLite file is opened, that it is the database of the key that is kept beside it. A database from before
 * ids were stored has users.
 * @throws Error that says what is wrong and how to go on; nothing was changed then
 */
export const requireDatabaseOfKey = async (settings: Settings): Promise<void> => {
  const kept = keptFiles(settings);
  const text = kept === null ? null : await textAt(kept.path);
  if (kept === null || text === null) return;
  const found = await sqliteIdentity(kept.file);
  // A file that cannot be read is refused with its own reason when it is opened.
  if (found === null || found.ids.includes(idFrom(keyOf(text))) || (found.ids.length === 0 && found.hasUsers)) return;
  throw found.hasUsers ? other(kept.file, kept.path) : lost(kept.file, kept.path);
};

/** The key that is kept beside a SQLite file, whose database stores the id that follows from it. */
const settleKept = async (
  { file, path }: { readonly file: string; readonly path: string },
  database: Database,
  hasUsers: boolean,
  complain: Outside['complain'],
): Promise<string> => {
  const there = hasUsers ? await textAt(path) : null;
  if (hasUsers && there === null)
    complain(`The secret key ${path} of ${file} is gone. A new one is made; what was sealed cannot be read again.`);
  // Before the setup nothing is sealed, so each start can make a new key. If the log with the setup is lost later, the file stores
  // the id of an older key, and the next start is refused.
  const text = there ?? `${randomBytes(48).toString('base64url')}\n`;
  const key = keyOf(text);
  // Both ids are there while the file is replaced: a crash at any moment leaves a key that the database names.
  await addIdentity(database.access, idFrom(key));
  if (there === null) await writeKey(path, text);
  await keepIdentity(database.access, idFrom(key));
  return text;
};

const MAKE_ONE = 'Make one with: openssl rand -base64 48';

/** The secret key, 32 bytes, and the public keys of what was signed before it was stretched. */
interface SettledKey {
  readonly secretKey: Uint8Array;
  readonly formerVerdictKeys: readonly string[];
}

/**
 * Anybody could try each guess against the published public keys, millions a second. So a key that can be guessed is refused
 * for a new database; data that was made with one is kept.
 */
const settleWeak = async (
  text: string,
  { access }: Database,
  hasUsers: boolean,
  complain: Outside['complain'],
): Promise<SettledKey> => {
  if (!hasUsers)
    throw new Error(
      `The secret key can be guessed: it has fewer than ${ENOUGH_BITS} bits by estimate. Nothing was changed. ${MAKE_ONE}`,
    );
  const former = keyOf(text);
  const secretKey = await stretchStoredKey(access, text.trim(), former);
  complain(
    `The secret key can be guessed: it has fewer than ${ENOUGH_BITS} bits by estimate, and is stretched with a salt of this database. Better replace it (docs/how-to/deploy.md, "A secret key that can be guessed"). ${MAKE_ONE}`,
  );
  return { secretKey, formerVerdictKeys: [verdictPublicKey(former)] };
};

const textOfKey = async (
  settings: Settings,
  database: Database,
  hasUsers: () => Promise<boolean>,
  complain: Outside['complain'],
): Promise<string> => {
  const kept = keptFiles(settings);
  if (kept !== null) return settleKept(kept, database, await hasUsers(), complain);
  const { secretKey } = settings;
  return secretKey.kind === 'given' ? secretKey.text : readFile(secretKey.path, 'utf8');
};

/**
 * The secret key; one that is kept beside the SQLite file is made while there is none, and one that can be guessed is stretched
 * where there is data that was made with it.
 * @throws Error when the file cannot be read, holds less than 32 characters, or a key that can be guessed for a new database
 */
export const settleSecretKey = async (
  settings: Settings,
  database: Database,
  hasUsers: () => Promise<boolean>,
  complain: Outside['complain'],
): Promise<SettledKey> => {
  const text = await textOfKey(settings, database, hasUsers, complain);
  const secretKey = keyOf(text);
  if (estimatedBits(text.trim()) >= ENOUGH_BITS) return { secretKey, formerVerdictKeys: [] };
  return settleWeak(text, database, await hasUsers(), complain);
};
