import { type KeyObject, sign } from 'node:crypto';
import type { VerdictKey, VerdictSigner } from '@shipworthy/domain';
import { derivedKey } from './derived-key.js';
import { envelopeOf, STATEMENT_TYPE } from './dsse.js';
import { isPublicKeyText, privateKeyOf, publicKeyOf, verdictKey } from './verdict-key.js';

export interface VerdictSignerOptions {
  /** The service's secret key, 32 bytes or more: every process that has it signs with the same key, and none stores one. */
  readonly secretKey: Uint8Array;
  /** Public keys (base64url) of secret keys that were in use before, so that what they signed can still be verified. */
  readonly formerKeys?: readonly string[];
}

const signingKey = (secretKey: Uint8Array): KeyObject => privateKeyOf(derivedKey(secretKey, 'verdict key'));

/** The public key (base64url) of what is signed under a secret key. */
export const verdictPublicKey = (secretKey: Uint8Array): string => publicKeyOf(signingKey(secretKey)).x;

/** Signs with Ed25519 (RFC 8032). @throws RangeError for a secret key that is too short or a former key that is none */
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
