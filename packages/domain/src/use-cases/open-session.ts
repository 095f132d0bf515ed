import { auditEntry } from '../access/actor.js';
import type { Origin } from '../access/origin.js';
import { sessionPrincipal } from '../access/principals.js';
import type { Session } from '../access/session-store.js';
import { SESSION_LENGTH } from '../access/session-times.js';
import type { User } from '../access/user.js';
import type { Instant } from '../instant.js';
import type { Ports, Stores } from '../ports.js';

/** A session that was just opened. The secret is shown once and never kept. */
export interface OpenedSession {
  readonly user: User;
  readonly session: Session;
  readonly secret: string;
}

/** Opens a session inside a transaction and notes the deed in the audit log. */
export const openSession = async (
  { newId, secrets }: Pick<Ports, 'newId' | 'secrets'>,
  stores: Pick<Stores, 'sessions' | 'audit'>,
  { user, now, action, origin }: { user: User; now: Instant; action: string; origin: Origin },
): Promise<OpenedSession> => {
  const secret = secrets.newToken();
  const times = { createdAt: now, lastSeenAt: now, expiresAt: now + SESSION_LENGTH };
  const session = { id: newId(), secretHash: secrets.hash(secret), userId: user.id, ...times };
  await stores.sessions.create(session);
  const by = { principal: sessionPrincipal(session, user, new Map()), ...origin };
  await stores.audit.append(
    auditEntry(newId(), now, by, { teamId: null, action, resource: { type: 'user', id: user.id } }),
  );
  return { user, session, secret };
};
