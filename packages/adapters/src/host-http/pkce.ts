import { createHash, randomBytes } from 'node:crypto';

/** A new PKCE verifier (RFC 7636, 4.1): 256 random bits, base64url. */
export const newVerifier = (): string => randomBytes(32).toString('base64url');

/** Its challenge by method `S256` (RFC 7636, 4.2). */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier, 'ascii').digest('base64url');

/** An unguessable state for one approval: 256 random bits, base64url. */
export const newState = (): string => randomBytes(32).toString('base64url');
