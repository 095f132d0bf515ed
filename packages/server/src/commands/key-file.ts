import { chmod, open, readFile, rename, stat } from 'node:fs/promises';
import type { SecretKeySource } from '../config.js';

/** Where the secret key is kept as a file; null: it is given in the environment. */
export const keyPathOf = (source: SecretKeySource): string | null => (source.kind === 'given' ? null : source.path);

/** The name of the key beside a backup. */
export const keyBeside = (backup: string): string => `${backup}.key`;

const OWNER_ONLY = 0o600;

/** Writes a key's file, readable by its owner only, in place of a former one; a crash leaves all of it or nothing. */
export const writeKey = async (path: string, text: string): Promise<void> => {
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
 * Puts the key beside a backup where the server keeps its own; another one that is there is kept aside.
 * All of them are readable by their owner only afterwards.
 * @returns what became of it; `none`: there is no key beside the backup
 */
export const restoreKey = async (backup: string, path: string): Promise<'none' | 'same' | 'put' | 'replaced'> => {
  const [theirs, ours] = await Promise.all([textOf(keyBeside(backup)), textOf(path)]);
  if (theirs === null) return 'none';
  if (ours !== null) await chmod(path, OWNER_ONLY);
  if (theirs === ours) return 'same';
  if (ours !== null) {
    const madeAt = (await stat(path)).mtime.toISOString().replaceAll(/[-:]|\..*/g, '');
    await rename(path, `${path}.of-${madeAt}`);
  }
  await writeKey(path, `${theirs}\n`);
  return ours === null ? 'put' : 'replaced';
};
