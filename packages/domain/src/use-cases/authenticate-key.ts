import type { Principal } from '../access/principal.js';
import { keyPrincipal } from '../access/principals.js';
import { touchDue } from '../access/session-times.js';
import type { Ports } from '../ports.js';

/** Who calls by an API key, or why nobody. */
export type KeyAuthentication =
  | { readonly principal: Principal }
  | { readonly cause: 'unknown' | 'revoked' | 'expired' };

/** Tells whose key it is, with the roles its maker has now. */
export const authenticateKey =
  ({ stores, secrets, clock }: Pick<Ports, 'stores' | 'secrets' | 'clock'>) =>
  async (key: string): Promise<KeyAuthentication> => {
    const found = await stores.apiKeys.byHash(secrets.hash(key));
    if (found === undefined) return { cause: 'unknown' };
    const now = clock();
    if (found.key.revokedAt !== null) return { cause: 'revoked' };
    if (now >= found.key.expiresAt) return { cause: 'expired' };
    if (touchDue(found.key.lastUsedAt, now)) await stores.apiKeys.touch(found.key.id, now);
    return { principal: keyPrincipal(found.key, found.roles) };
  };
