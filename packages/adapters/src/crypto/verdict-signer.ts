import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { VerdictKey, VerdictSigner } from '@shipworthy/domain/ports';
import { derivedKey } from './secret-key.js';

interface VerdictSignerOptions {
  /** The service's secret key, 32 bytes or more: every process that has it signs with the same key, and none stores one. */
  readonly secretKey: Uint8Array;
  /** Public keys (base64url) of secret keys that were in use before, so that what they signed can still be verified. */
  readonly formerKeys?: readonly string[];
}

/** Signs with Ed25519 (RFC 8032). @throws RangeError for a secret key that is too short or a malformed former key */
export const verdictSigner = ({ secretKey, formerKeys = [] }: VerdictSignerOptions): VerdictSigner => {
  const key = signingKey(secretKey);
  const present = publicKeyOf(key);
  const all = new Map<string, VerdictKey>([[present.keyid, present]]);
  for (const x of formerKeys) {
    if (!isPublicKeyText(x)) throw new RangeError('a former verdict key needs 32 bytes as base64url');
    const former = verdictKey(x);
    all.set(former.keyid, former);
  }
  const known = [...all.values()];
  return {
    sign: async (statement) => envelopeOf(STATEMENT_TYPE, statement, present.keyid, (bytes) => sign(null, bytes, key)),
    keys: async () => known,
  };
};

/** Returns the public key (base64url) that verifies what is signed under a secret key. */
export const verdictPublicKey = (secretKey: Uint8Array): string => publicKeyOf(signingKey(secretKey)).x;

const signingKey = (secretKey: Uint8Array): KeyObject => privateKeyOf(derivedKey(secretKey, 'verdict key'));

/** The media type of an in-toto statement, as its specification names it for DSSE. */
const STATEMENT_TYPE = 'application/vnd.in-toto+json';

/** The bytes that are signed: the "pre-authentication encoding" of DSSE v1, so that no type can be mistaken for another. */
export const preAuthenticationEncoding = (payloadType: string, payload: Uint8Array): Buffer => {
  const type = Buffer.from(payloadType, 'utf8');
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `, 'utf8'),
    type,
    Buffer.from(` ${payload.length} `, 'utf8'),
    payload,
  ]);
};

/** Returns an envelope with one signature. `sign` signs the pre-authentication encoding. */
export const envelopeOf = <Type extends string>(
  payloadType: Type,
  text: string,
  keyid: string,
  sign: (bytes: Uint8Array) => Buffer,
): { payloadType: Type; payload: string; signatures: readonly { keyid: string; sig: string }[] } => {
  const payload = Buffer.from(text, 'utf8');
  const sig = sign(preAuthenticationEncoding(payloadType, payload)).toString('base64');
  return { payloadType, payload: payload.toString('base64'), signatures: [{ keyid, sig }] };
};

const KEY_LENGTH = 32;
/** The bytes before the 32 bytes of a private key of Ed25519 in PKCS #8 (RFC 8410, section 7). */
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

/** Whether a text is a public key: 32 bytes as canonical base64url without padding. */
export const isPublicKeyText = (text: string): boolean => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === KEY_LENGTH && bytes.toString('base64url') === text;
};
