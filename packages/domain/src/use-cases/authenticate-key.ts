import type { Principal } from '../access/principal.js';
import { keyPrincipal } from '../access/principals.js';
import { touchDue } from '../access/session-times.js';
import type { Ports } from '../ports.js';

/** Who calls by an API key, or why nobody. */
export type KeyAuthentication =
  | { readonly principal: Principal }
  | { readonly cause: 'unknown' | 'revoked' | 'expired' | 'disabled' };

/** Tells whose key it is, with the roles its maker has now, and notes its use from the network address. */
export const authenticateKey =
  ({ stores, secrets, clock }: Pick<Ports, 'stores' | 'secrets' | 'clock'>) =>
  async (key: string, address: string): Promise<KeyAuthentication> => {
    const found = await stores.apiKeys.byHash(secrets.hash(key));
    if (found === undefined) return { cause: 'unknown' };
    const now = clock();
    const { revokedAt, teamId, barredTeams } = found.key;
    // A key that was taken out of its only team is of no use any more.
    if (revokedAt !== null || (teamId !== null && barredTeams.includes(teamId))) return { cause: 'revoked' };
    if (now >= found.key.expiresAt) return { cause: 'expired' };
    if (found.user.disabledAt !== null) return { cause: 'disabled' };
    if (touchDue(found.key.lastUsedAt, now)) await stores.apiKeys.touch(found.key.id, now, address);
    return { principal: keyPrincipal(found.key, found.roles) };
  };
