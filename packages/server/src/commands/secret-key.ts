import { createHash, createHmac, randomBytes } from 'node:crypto';
import { chmod, copyFile, open, readFile, rename, stat } from 'node:fs/promises';
import { ENOUGH_BITS, estimatedBits, verdictPublicKey } from '@shipworthy/adapters/crypto';
import {
  addIdentity,
  type Database,
  keepIdentity,
  sqliteIdentity,
  stretchStoredKey,
  syncFile,
} from '@shipworthy/adapters/knex';
import type { Config, SecretKeySource } from '../config.js';
import type { Outside } from './outside.js';

/** Where the secret key is kept as a file; null: it is given in the environment. */
export const keyPathOf = (source: SecretKeySource): string | null => (source.kind === 'given' ? null : source.path);

/** Returns the path of the key file beside a backup. */
export const backupKeyPath = (backup: string): string => `${backup}.key`;

const OWNER_ONLY = 0o600;

/** Writes a key file that only its owner can read, in place of a former one. A crash leaves the old or the new file. */
const writeKey = async (path: string, text: string): Promise<void> => {
  const part = `${path}.part`;
  const file = await open(part, 'w', OWNER_ONLY);
  try {
    await file.chmod(OWNER_ONLY);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
};

const textOf = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );

/**
 * Copies the key beside a backup to where the server keeps its own; a different key there is kept under another name.
 * Afterwards only their owner can read both.
 * @returns `none`: no key beside the backup; `same`: the server had this key; `put`: it had none; `replaced`: it had
 * another
 */
export const restoreKey = async (backup: string, path: string): Promise<'none' | 'same' | 'put' | 'replaced'> => {
  const [theirs, ours] = await Promise.all([textOf(backupKeyPath(backup)), textOf(path)]);
  if (theirs === null) return 'none';
  if (ours !== null) await chmod(path, OWNER_ONLY);
  if (theirs === ours) return 'same';
  if (ours !== null) {
    const madeAt = (await stat(path)).mtime.toISOString().replaceAll(/[-:]|\..*/g, '');
    // Copied, not renamed: until the new key is in its place, a failure leaves the present one there.
    await copyFile(path, `${path}.of-${madeAt}`);
    await syncFile(`${path}.of-${madeAt}`);
  }
  await writeKey(path, `${theirs}\n`);
  return ours === null ? 'put' : 'replaced';
};

const SHORTEST = 32;
/** Characters of a database's id. */
const ID_LENGTH = 32;

type Settings = Pick<Config, 'database' | 'secretKey'>;

/**
 * Returns the paths of the SQLite file and of the key kept beside it; null: PostgreSQL, or the settings name the key.
 */
const keptFiles = ({ database, secretKey }: Settings): { readonly file: string; readonly path: string } | null =>
  database.kind === 'sqlite' && secretKey.kind === 'kept' ? { file: database.file, path: secretKey.path } : null;

const keyOf = (text: string): Uint8Array => {
  const trimmed = text.trim();
  if (trimmed.length < SHORTEST) throw new Error(`The secret key has less than ${SHORTEST} characters.`);
  return createHash('sha256').update(trimmed, 'utf8').digest();
};

/** Derives the database id from a kept key, so that the key file needs no second line for it. */
const idFrom = (key: Uint8Array): string =>
  createHmac('sha256', key).update('id of the database').digest('hex').slice(0, ID_LENGTH);

/** Returns the text of a file; null: there is no file. */
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
 * Checks, before a SQLite file is opened, that it is the database of the key kept beside it. A file without any id is
 * accepted if it has users: it is from before ids were stored.
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

/** Returns the key kept beside a SQLite file, or makes one, and stores the id derived from it in the database. */
const settleKept = async (
  { file, path }: { readonly file: string; readonly path: string },
  database: Database,
  hasUsers: boolean,
  complain: Outside['complain'],
): Promise<string> => {
  const there = hasUsers ? await textAt(path) : null;
  if (hasUsers && there === null)
    complain(`The secret key ${path} of ${file} is gone. A new one is made; what was sealed cannot be read again.`);
  // Before the setup nothing is sealed, so each start can make a new key. If the write-ahead log with the setup is lost
  // later, the file still stores the id of an older key, and the next start is refused.
  const text = there ?? `${randomBytes(48).toString('base64url')}\n`;
  const key = keyOf(text);
  // The database stores both ids while the key file is replaced, so that a crash leaves a key whose id is stored.
  await addIdentity(database.access, idFrom(key));
  if (there === null) await writeKey(path, text);
  await keepIdentity(database.access, idFrom(key));
  return text;
};

const MAKE_ONE = 'Make one with: openssl rand -base64 48';

/** The secret key, 32 bytes, and the public verdict keys from before it was stretched. */
export interface SettledKey {
  readonly secretKey: Uint8Array;
  readonly formerVerdictKeys: readonly string[];
}

/**
 * Refuses a guessable key for a new database; stretches it where data was made with it. The published public keys let
 * anybody test millions of guesses a second.
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
 * Returns the secret key. Makes the one beside the SQLite file if it is missing; stretches a guessable one if there is
 * data that was made with it.
 * @throws Error when the file cannot be read, holds less than 32 characters, or a guessable key for a new database
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
