import { constants } from 'node:fs';
import { copyFile, readFile, rename, stat } from 'node:fs/promises';
import type { SecretKeySource } from '../settings/secret-key.js';

/** Where the secret key is kept as a file; null: it is given in the environment. */
export const keyPathOf = (source: SecretKeySource): string | null => (source.kind === 'given' ? null : source.path);

/** The name of the key beside a backup. */
export const keyBeside = (backup: string): string => `${backup}.key`;

const textOf = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );

/**
 * Puts the key beside a backup where the server keeps its own; another one that is there is kept aside.
 * @returns what became of it; `none`: there is no key beside the backup
 */
export const restoreKey = async (backup: string, path: string): Promise<'none' | 'same' | 'put' | 'replaced'> => {
  const [theirs, ours] = await Promise.all([textOf(keyBeside(backup)), textOf(path)]);
  if (theirs === null) return 'none';
  if (theirs === ours) return 'same';
  if (ours !== null) {
    const madeAt = (await stat(path)).mtime.toISOString().replaceAll(/[-:]|\..*/g, '');
    await rename(path, `${path}.of-${madeAt}`);
  }
  await copyFile(keyBeside(backup), path, constants.COPYFILE_EXCL);
  return ours === null ? 'put' : 'replaced';
};
