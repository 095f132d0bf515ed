import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '@shipworthy/domain';
import type { Grant } from '@shipworthy/domain/ports';
import { derivedKey, grantContext, sealerOf } from '../crypto/secret-key.js';
import { hostUnavailable } from './answer-meaning.js';

/** The tokens a host gave for an approval. */
export interface Tokens {
  readonly access: string;
  /** null: the access token cannot be renewed. */
  readonly refresh: string | null;
  /** When the access token ends; null: it lasts until it is revoked. */
  readonly expiresAt: Instant | null;
  /** The person made the token at the host and entered it here: only the person can end it. */
  readonly own?: true;
  /** Where the person was sent back to, for hosts that ask for it again when the tokens are renewed. */
  readonly redirectUrl?: string;
}

/** Seals tokens and verifiers of a person at one host; they open for no other person and no other host. */
export interface GrantSeals {
  sealTokens(ownerId: string, tokens: Tokens): Grant;
  /**
   * Returns the tokens of a grant. @throws DomainError `host-unavailable` (cause `forbidden`) when it does not open for
   * that owner. That is not `host-rejected`, because the secret key may be the wrong one only for now.
   */
  openTokens(ownerId: string, grant: Grant): Tokens;
  sealVerifier(ownerId: string, verifier: string): string;
  /** undefined: it was not sealed for that owner. */
  openVerifier(ownerId: string, sealed: string): string | undefined;
}

/** Seals under a key of its own, derived from the service's secret key. `host`: its name; `title`: for people. */
export const grantSeals = (secretKey: Uint8Array, host: string, title: string): GrantSeals => {
  const seals = sealerOf(secretKey, 'host grants');
  const contextOf = (kind: 'grant' | 'verifier', ownerId: string): string => grantContext(kind, ownerId, host);
  return {
    sealTokens: (ownerId, { expiresAt, ...lasting }) => ({
      sealed: seals.seal(JSON.stringify(lasting), contextOf('grant', ownerId)),
      expiresAt,
    }),
    openTokens: (ownerId, grant) => {
      const text = seals.unseal(grant.sealed, contextOf('grant', ownerId));
      if (text === undefined) {
        throw hostUnavailable('forbidden', `The stored approval for ${title} cannot be opened with this secret key.`);
      }
      return { ...(JSON.parse(text) as Omit<Tokens, 'expiresAt'>), expiresAt: grant.expiresAt };
    },
    sealVerifier: (ownerId, verifier) => seals.seal(verifier, contextOf('verifier', ownerId)),
    openVerifier: (ownerId, sealed) => seals.unseal(sealed, contextOf('verifier', ownerId)),
  };
};

/** The secret of the webhook of each project's repository: HMAC-SHA-256 of host and ids under a derived key, in hex. Nothing is stored. */
export const hookSecrets = (
  secretKey: Uint8Array,
  host: string,
): ((repositoryId: string, projectId: string) => string) => {
  const key = derivedKey(secretKey, 'host hooks');
  return (repositoryId, projectId) =>
    createHmac('sha256', key)
      .update(JSON.stringify([host, repositoryId, projectId]), 'utf8')
      .digest('hex');
};

/** Whether two texts are the same, in a time that tells nothing about where they differ, nor how long they are. */
export const isSameSecret = (given: string, expected: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
};
