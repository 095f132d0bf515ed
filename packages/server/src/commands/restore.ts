import { resolve } from 'node:path';
import { restoreSqlite } from '@shipworthy/adapters/knex';
import type { Config } from '../config.js';
import { keyBeside, restoreKey } from './key-file.js';
import { EXIT, type Outside } from './outside.js';
import { readSettings } from './read-settings.js';

const sayOfKey = async (backup: string, secretKey: Config['secretKey'], { print }: Outside): Promise<void> => {
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
  const config = readSettings(outside);
  if (config === null) return EXIT.usage;
  const { database, secretKey } = config;
  if (database.kind === 'postgres') {
    outside.complain(
      `PostgreSQL is restored by its own tools: pg_restore --clean --if-exists --no-owner --dbname="$DATABASE_URL" ${file}`,
    );
    return EXIT.usage;
  }
  const backup = resolve(outside.workingDirectory, file);
  try {
    const { kept } = await restoreSqlite(backup, database.file, replace);
    outside.print(`Restored ${database.file} from ${backup}`);
    if (kept !== null) outside.print(`What was there is kept as ${kept}`);
    await sayOfKey(backup, secretKey, outside);
    return EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${error instanceof Error ? error.message : String(error)}`);
    return EXIT.failed;
  }
};
