import { open, rename, rm } from 'node:fs/promises';
import { closed, connected, exec, rowsOf } from '../sqlite-connection.js';
import { requireOwnSchema } from './check-backup.js';
import { syncFile, syncFolder } from './durable.js';

const WAIT_MS = 5_000;

const writeCopy = async (file: string, to: string): Promise<void> => {
  const connection = await connected(file, 'readOnly');
  try {
    await exec(connection, `pragma busy_timeout = ${WAIT_MS}`);
    await requireOwnSchema(connection);
    // One reading transaction: writers are not held up, and the copy is the state at its beginning.
    await rowsOf(connection, 'vacuum into ?', [to]);
  } finally {
    await closed(connection);
  }
};

/**
 * Writes a consistent copy of a SQLite file to `to`, readable by its owner only and on the disk when this settles;
 * other processes may read and write the file at the same time. The file `to` is never half a copy.
 * @throws Error with code `EEXIST` when there is a file `to`; that names the steps when a later version changed the schema; what SQLite refuses, and then `to` is not there
 */
export const backUpSqlite = async (file: string, to: string): Promise<void> => {
  const part = `${to}.part`;
  // Taken first, so that of two at once only one writes.
  await (await open(to, 'wx', 0o600)).close();
  try {
    await rm(part, { force: true });
    await (await open(part, 'wx', 0o600)).close();
    await writeCopy(file, part);
    await syncFile(part);
    await rename(part, to);
    await syncFolder(to);
  } catch (error) {
    await rm(part, { force: true });
    await rm(to, { force: true });
    throw error;
  }
};
