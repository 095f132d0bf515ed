import { createHash, createHmac, randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { addIdentity, type Database, keepIdentity, sqliteIdentity } from '@shipworthy/adapters/knex';
import type { Config } from '../config.js';
import type { Outside } from './outside.js';

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

/** Readable by its owner only; a crash leaves all of it or nothing. */
const write = async (path: string, text: string): Promise<void> => {
  const part = `${path}.part`;
  const file = await open(part, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
};

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
  // What cannot be read is refused with its own reason when it is opened.
  if (found === null || found.ids.includes(idFrom(keyOf(text))) || (found.ids.length === 0 && found.hasUsers)) return;
  throw found.hasUsers ? other(kept.file, kept.path) : lost(kept.file, kept.path);
};

/** The key that is kept beside a SQLite file, whose database stores the id that follows from it. */
const settleKept = async (
  { file, path }: { readonly file: string; readonly path: string },
  database: Database,
  hasUsers: boolean,
  complain: Outside['complain'],
): Promise<Uint8Array> => {
  const there = hasUsers ? await textAt(path) : null;
  if (hasUsers && there === null)
    complain(`The secret key ${path} of ${file} is gone. A new one is made; what was sealed cannot be read again.`);
  // Before the setup nothing is sealed, so each start can make a new key. If the log with the setup is lost later, the file stores
  // the id of an older key, and the next start is refused.
  const text = there ?? `${randomBytes(48).toString('base64url')}\n`;
  const key = keyOf(text);
  // Both ids are there while the file is replaced: a crash at any moment leaves a key that the database names.
  await addIdentity(database.access, idFrom(key));
  if (there === null) await write(path, text);
  await keepIdentity(database.access, idFrom(key));
  return key;
};

/**
 * The secret key, 32 bytes; one that is kept beside the SQLite file is made while there is none.
 * @throws Error when the file cannot be read or holds less than 32 characters
 */
export const settleSecretKey = async (
  settings: Settings,
  database: Database,
  hasUsers: () => Promise<boolean>,
  complain: Outside['complain'],
): Promise<Uint8Array> => {
  const kept = keptFiles(settings);
  if (kept !== null) return settleKept(kept, database, await hasUsers(), complain);
  const { secretKey } = settings;
  return keyOf(secretKey.kind === 'given' ? secretKey.text : await readFile(secretKey.path, 'utf8'));
};
