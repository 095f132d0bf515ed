import { existsSync } from 'node:fs';
import { chmod, copyFile, link, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sqliteIdentity } from '../identity.js';
import { makePrivateFolder } from '../private-file.js';
import { lockFile } from '../sqlite-claim.js';
import { closed } from '../sqlite-connection.js';
import { checkBackup } from './check-backup.js';
import { syncFile, syncFolder } from './durable.js';

export interface Restored {
  /** Where the database that was there is now; null: there was none. */
  readonly kept: string | null;
}

const WAIT_MS = 2_000;
/** What SQLite keeps beside a file. Left there, it would be taken for a part of the next file of that name. */
const BESIDE = ['-wal', '-shm'] as const;

/** Whether anybody was ever set up in it. What cannot be read counts as used: it is not ours to judge. */
const isUsed = async (file: string): Promise<boolean> => (await sqliteIdentity(file))?.hasUsers ?? true;

const keepAside = async (file: string): Promise<string | null> => {
  if (!existsSync(file)) return null;
  const kept = `${file}.before-${new Date(Date.now()).toISOString().replaceAll(/[-:]|\..*/g, '')}`;
  for (const beside of BESIDE) if (existsSync(file + beside)) await rename(file + beside, kept + beside);
  // By a second name first, so that at no moment there is no database; not every file system knows how.
  await link(file, kept).catch(() => rename(file, kept));
  return kept;
};

const put = async (made: string, file: string, replace: boolean): Promise<Restored> => {
  if ((await isUsed(file)) && !replace)
    throw new Error(
      `${file} has people in it already. With --replace it is kept aside and the backup takes its place.`,
    );
  const kept = await keepAside(file);
  await rename(made, file);
  await syncFolder(file);
  return { kept };
};

/**
 * Puts a backup in the place of a SQLite file. It is checked first, on a copy of its own; what was there is kept aside.
 * @param replace whether a database that people were set up in may be put aside
 * @throws Error that says what is wrong, and nothing was changed then; DomainError `unavailable` while another process has the file
 */
export const restoreSqlite = async (backup: string, file: string, replace: boolean): Promise<Restored> => {
  await makePrivateFolder(dirname(file));
  const lock = await lockFile(file, WAIT_MS);
  const made = `${file}.restoring`;
  try {
    await copyFile(backup, made);
    await chmod(made, 0o600);
    await checkBackup(made);
    await syncFile(made);
    return await put(made, file, replace);
  } finally {
    for (const left of ['', ...BESIDE]) await rm(made + left, { force: true });
    await closed(lock);
  }
};
