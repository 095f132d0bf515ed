import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { SecretKeySource } from '../settings/secret-key.js';

const SHORTEST = 32;

const isErrno = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Makes the key on the first run, readable by its owner only; of several processes at once all read the one key. */
const kept = async (path: string): Promise<string> => {
  try {
    await writeFile(path, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  }
  return readFile(path, 'utf8');
};

const textOf = (source: SecretKeySource): Promise<string> | string => {
  if (source.kind === 'given') return source.text;
  return source.kind === 'file' ? readFile(source.path, 'utf8') : kept(source.path);
};

/** The secret key, 32 bytes. @throws Error when the file cannot be read or holds less than 32 characters */
export const loadSecretKey = async (source: SecretKeySource): Promise<Uint8Array> => {
  const text = (await textOf(source)).trim();
  if (text.length < SHORTEST) throw new Error(`The secret key has less than ${SHORTEST} characters.`);
  return createHash('sha256').update(text, 'utf8').digest();
};
