import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { DEFAULT_COST, type ScryptCost } from './password-hash.js';

const derive = promisify<string, Uint8Array, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);
const KEY_LENGTH = 32;
const SALT_LENGTH = 32;

/** A new salt, as base64url: random, so that it also keeps those out who guess the text but have no copy of the data. */
export const newSalt = (): string => randomBytes(SALT_LENGTH).toString('base64url');

/** The key of 32 bytes that scrypt makes of a secret that can be guessed. `cost` is lower in tests only. */
export const stretchedKey = (text: string, salt: string, { ln, r, p }: ScryptCost = DEFAULT_COST): Promise<Buffer> => {
  const N = 2 ** ln;
  return derive(text, Buffer.from(salt, 'base64url'), KEY_LENGTH, { N, r, p, maxmem: 128 * r * (N + p + 2) });
};
