import { constants, existsSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { backUpSqlite, restoreSqlite } from '@shipworthy/adapters/knex';
import type { Config, SecretKeySource } from '../config.js';
import { faultWords } from '../observability/log.js';
import { type Outside, readServerSettings, SERVER_EXIT } from './outside.js';
import { keyBeside, keyPathOf, requireDatabaseOfKey, restoreKey } from './secret-key.js';

const WITH_POSTGRES = (to: string): string =>
  `PostgreSQL is backed up by its own tools: pg_dump --format=custom --file=${to} "$DATABASE_URL"`;

/** Why the backup cannot be written; undefined: it can. */
const obstacle = (file: string, to: string, keyPath: string | null, withKey: boolean): string | undefined => {
  if (!existsSync(file)) return `There is no database at ${file}.`;
  if (existsSync(to)) return `${to} is there already; a backup overwrites nothing.`;
  if (!withKey) return undefined;
  if (keyPath === null) return 'The secret key is given in SHIPWORTHY_SECRET_KEY: keep it where you keep secrets.';
  return existsSync(keyBeside(to)) ? `${keyBeside(to)} is there already; a backup overwrites nothing.` : undefined;
};

const keyToKeep = (source: SecretKeySource): string => {
  const path = keyPathOf(source);
  const where = path === null ? 'SHIPWORTHY_SECRET_KEY' : `${path} (--with-key puts it beside the copy)`;
  return `The secret key is not in it. Keep ${where} too: without it what is sealed cannot be read.`;
};

/** Writes a consistent copy of the SQLite database, also while the server runs. Answers the exit code. */
export const backUp = async (outside: Outside, file: string, withKey: boolean): Promise<number> => {
  const config = readServerSettings(outside);
  if (config === null) return SERVER_EXIT.usage;
  const to = resolve(outside.workingDirectory, file);
  const { database, secretKey } = config;
  if (database.kind === 'postgres') {
    outside.complain(WITH_POSTGRES(file));
    return SERVER_EXIT.usage;
  }
  const keyPath = keyPathOf(secretKey);
  const fault = obstacle(database.file, to, keyPath, withKey);
  if (fault !== undefined) {
    outside.complain(`Error: ${fault}`);
    return SERVER_EXIT.failed;
  }
  try {
    await requireDatabaseOfKey(config);
    await backUpSqlite(database.file, to);
    outside.print(`Backed up to ${to}`);
    if (withKey && keyPath !== null) {
      await copyFile(keyPath, keyBeside(to), constants.COPYFILE_EXCL);
      await chmod(keyBeside(to), 0o600);
      outside.print(`The secret key is in ${keyBeside(to)}: whoever has both can read what is sealed.`);
    } else outside.print(keyToKeep(secretKey));
    return SERVER_EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${faultWords(error)}`);
    return SERVER_EXIT.failed;
  }
};

const printKeyNote = async (backup: string, secretKey: Config['secretKey'], { print }: Outside): Promise<void> => {
  if (secretKey.kind !== 'kept') {
    print('The secret key stays the one that is set; it must be the one the backup was made under.');
    return;
  }
  const outcome = await restoreKey(backup, secretKey.path);
  if (outcome === 'none')
    print(
      `There is no ${keyBeside(backup)}: put the key it was made under at ${secretKey.path} before the next start.`,
    );
  if (outcome === 'put') print(`The secret key is restored to ${secretKey.path}`);
  if (outcome === 'replaced')
    print(`The secret key is restored to ${secretKey.path}; the former one is kept beside it.`);
};

/** Puts a backup in the place of the SQLite database; the server must not run. Answers the exit code. */
export const restore = async (outside: Outside, file: string, replace: boolean): Promise<number> => {
  const config = readServerSettings(outside);
  if (config === null) return SERVER_EXIT.usage;
  const { database, secretKey } = config;
  if (database.kind === 'postgres') {
    outside.complain(
      `PostgreSQL is restored by its own tools: pg_restore --clean --if-exists --no-owner --dbname="$DATABASE_URL" ${file}`,
    );
    return SERVER_EXIT.usage;
  }
  const backup = resolve(outside.workingDirectory, file);
  try {
    const { kept } = await restoreSqlite(backup, database.file, replace);
    outside.print(`Restored ${database.file} from ${backup}`);
    if (kept !== null) outside.print(`What was there is kept as ${kept}`);
    await printKeyNote(backup, secretKey, outside);
    return SERVER_EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${faultWords(error)}`);
    return SERVER_EXIT.failed;
  }
};
