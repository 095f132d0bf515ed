import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { VerdictKeys } from '../../src/verify/verify-verdict.js';

/** What a signature is made over, by the specification of DSSE and not by our own code. */
const encoded = (type: string, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `, 'utf8'), payload]);

/** A signer that uses Node's own cryptography instead of WebCrypto. */
export const signer = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(x).digest('base64url');
  const key: VerdictKeys['keys'][number] = { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' };
  const envelope = (statement: unknown, payloadType = 'application/vnd.in-toto+json') => {
    const payload = Buffer.from(typeof statement === 'string' ? statement : JSON.stringify(statement), 'utf8');
    const sig = sign(null, encoded(payloadType, payload), privateKey).toString('base64');
    return { payloadType, payload: payload.toString('base64'), signatures: [{ keyid: kid, sig }] };
  };
  return { key, keys: { keys: [key] }, envelope };
};

/** The least a verdict says. */
export const STATEMENT = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'checkout/2.4', digest: { gitCommit: '9fceb02d0ae598e95dc970b74767f19372d61af8' } }],
  predicateType: 'https://shipworthy.dev/verdict/v1',
  predicate: {
    formula: '1',
    project: { id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e', name: 'checkout' },
    release: { id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7f', name: '2.4', state: 'active' },
    as_of: '2026-11-20T12:00:00.000Z',
    frozen_at: null,
    commit: '9fceb02d0ae598e95dc970b74767f19372d61af8',
    facts: {},
    policy: {},
    waivers: [],
    result: { score: 85.9, decision: 'gö' },
    service_version: '0.1.0',
    issued_at: '2026-11-20T12:00:01.000Z',
  },
};
