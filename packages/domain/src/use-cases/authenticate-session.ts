import type { Principal } from '../access/principal.js';
import { sessionPrincipal } from '../access/principals.js';
import { sessionOver, touchDue } from '../access/session-times.js';
import type { User } from '../access/user.js';
import type { Ports } from '../ports.js';

/** Who calls by a session, or why nobody. */
export type SessionAuthentication =
  | { readonly principal: Principal; readonly user: User }
  | { readonly cause: 'unknown' | 'expired' | 'disabled' };

/** Tells whose session it is, with the roles the person has now. `use: false` only looks, which keeps no idle session alive. */
export const authenticateSession =
  ({ stores, secrets, clock }: Pick<Ports, 'stores' | 'secrets' | 'clock'>) =>
  async (secret: string, { use = true }: { readonly use?: boolean } = {}): Promise<SessionAuthentication> => {
    const found = await stores.sessions.bySecretHash(secrets.hash(secret));
    if (found === undefined) return { cause: 'unknown' };
    const { session, user, roles } = found;
    const now = clock();
    if (user.disabledAt !== null) return { cause: 'disabled' };
    if (sessionOver(session, now)) return { cause: 'expired' };
    if (use && touchDue(session.lastSeenAt, now)) await stores.sessions.touch(session.id, now);
    return { principal: sessionPrincipal(session, user, roles), user };
  };
