import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { VerdictKey } from '@shipworthy/domain';

const KEY_LENGTH = 32;
/** What stands before the 32 bytes of a private key of Ed25519 in PKCS #8 (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The private key that RFC 8032 makes of a seed of 32 bytes. */
export const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });

/** A public key with its thumbprint: SHA-256 over its required members in order (RFC 7638, RFC 8037 appendix A.3). */
export const verdictKey = (x: string): VerdictKey => {
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  return { keyid: createHash('sha256').update(members, 'utf8').digest('base64url'), x };
};

/** The public half of a private key. */
export const publicKeyOf = (key: KeyObject): VerdictKey => {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return verdictKey(x);
};

/** Whether a text is a public key: 32 bytes as base64url without padding, in the one way they are written. */
export const isPublicKeyText = (text: string): boolean => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === KEY_LENGTH && bytes.toString('base64url') === text;
};
