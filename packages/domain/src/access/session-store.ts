import type { Instant } from '../instant.js';
import type { Role } from '../team/team.js';
import type { User } from './user.js';

/** A browser session; only the hash of its secret is kept. */
export interface Session {
  readonly id: string;
  readonly secretHash: string;
  readonly userId: string;
  readonly createdAt: Instant;
  /** Coarse: written once a minute at most. */
  readonly lastSeenAt: Instant;
  /** Absolute end. */
  readonly expiresAt: Instant;
}

export interface SessionStore {
  create(session: Session): Promise<void>;
  /** The session with its person and the person's roles now; one query. */
  bySecretHash(
    secretHash: string,
  ): Promise<{ readonly session: Session; readonly user: User; readonly roles: ReadonlyMap<string, Role> } | undefined>;
  /** Notes when it was last seen; callers come once a minute at most. */
  touch(sessionId: string, at: Instant): Promise<void>;
  remove(sessionId: string): Promise<void>;
  /** All of the person's sessions but one. */
  removeOthers(userId: string, keptSessionId: string | null): Promise<void>;
  /** Those whose absolute end is at or before `now`; answers how many. */
  removeExpired(now: Instant): Promise<number>;
}
