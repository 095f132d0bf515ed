import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../crypto/derived-key.js';

/** The secret of each repository's webhook: HMAC-SHA-256 of host and id under a derived key, in hex. Nothing is stored. */
export const hookSecrets = (secretKey: Uint8Array, host: string): ((repositoryId: string) => string) => {
  const key = derivedKey(secretKey, 'host hooks');
  return (repositoryId) => createHmac('sha256', key).update(`${host}:${repositoryId}`, 'utf8').digest('hex');
};

/** Whether two texts are the same, in a time that tells nothing about where they differ, nor how long they are. */
export const isSameSecret = (given: string, expected: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
};
