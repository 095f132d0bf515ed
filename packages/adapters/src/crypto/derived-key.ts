import { hkdfSync } from 'node:crypto';

const LENGTH = 32;

/**
 * A key of 32 bytes for one purpose, by HKDF-SHA-256 (RFC 5869) from the server's secret key, so that no two purposes
 * ever share a key. RangeError when the secret key has less than 32 bytes.
 */
export const derivedKey = (secretKey: Uint8Array, purpose: string): Buffer => {
  if (secretKey.length < LENGTH) throw new RangeError(`the secret key needs at least ${LENGTH} bytes`);
  return Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(), `shipworthy ${purpose}`, LENGTH));
};
