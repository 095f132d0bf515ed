import { constants, existsSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { backUpSqlite } from '@shipworthy/adapters/knex';
import type { SecretKeySource } from '../settings/secret-key.js';
import { keyBeside, keyPathOf } from './key-file.js';
import { EXIT, type Outside } from './outside.js';
import { readSettings } from './read-settings.js';
import { requireDatabaseOfKey } from './secret-key.js';

const WITH_POSTGRES = (to: string): string =>
  `PostgreSQL is backed up by its own tools: pg_dump --format=custom --file=${to} "$DATABASE_URL"`;

/** What stands in the way; undefined: nothing. */
const obstacle = (file: string, to: string, keyPath: string | null, withKey: boolean): string | undefined => {
  if (!existsSync(file)) return `There is no database at ${file}.`;
  if (existsSync(to)) return `${to} is there already; a backup overwrites nothing.`;
  if (!withKey) return undefined;
  if (keyPath === null) return 'The secret key is given in SHIPWORTHY_SECRET_KEY: keep it where you keep secrets.';
  return existsSync(keyBeside(to)) ? `${keyBeside(to)} is there already; a backup overwrites nothing.` : undefined;
};

const sayOfKey = (source: SecretKeySource): string => {
  const path = keyPathOf(source);
  const where = path === null ? 'SHIPWORTHY_SECRET_KEY' : `${path} (--with-key puts it beside the copy)`;
  return `The secret key is not in it. Keep ${where} too: without it what is sealed cannot be read.`;
};

/** Writes a consistent copy of the SQLite database, also while the server runs. Answers the exit code. */
export const backUp = async (outside: Outside, file: string, withKey: boolean): Promise<number> => {
  const config = readSettings(outside);
  if (config === null) return EXIT.usage;
  const to = resolve(outside.workingDirectory, file);
  const { database, secretKey } = config;
  if (database.kind === 'postgres') {
    outside.complain(WITH_POSTGRES(file));
    return EXIT.usage;
  }
  const keyPath = keyPathOf(secretKey);
  const fault = obstacle(database.file, to, keyPath, withKey);
  if (fault !== undefined) {
    outside.complain(`Error: ${fault}`);
    return EXIT.failed;
  }
  try {
    await requireDatabaseOfKey(config);
    await backUpSqlite(database.file, to);
    outside.print(`Backed up to ${to}`);
    if (withKey && keyPath !== null) {
      await copyFile(keyPath, keyBeside(to), constants.COPYFILE_EXCL);
      await chmod(keyBeside(to), 0o600);
      outside.print(`The secret key is in ${keyBeside(to)}: whoever has both can read what is sealed.`);
    } else outside.print(sayOfKey(secretKey));
    return EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${error instanceof Error ? error.message : String(error)}`);
    return EXIT.failed;
  }
};
