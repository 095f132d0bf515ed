import type { Origin } from '../access/origin.js';
import type { Ports } from '../ports.js';
import { type OpenedSession, openSession } from './open-session.js';
import { requireStillVerified, verifyPerson } from './verify-person.js';

export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly origin: Origin;
  /** Id of the device if it has signed in to this account before; null: it has not. */
  readonly device: string | null;
  /** The session the browser presented, which ends; null: none. */
  readonly replaces: string | null;
}

/** Opens a session under a new secret. @throws DomainError `too-many-attempts` with `retryAfterMs`, `wrong-credentials` */
export const signIn =
  (ports: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>) =>
  async ({ email, password, origin, device, replaces }: SignIn): Promise<OpenedSession> => {
    const verified = await verifyPerson(ports, { email, password, address: origin.address, device });
    const { user, attempt } = verified;
    return ports.stores.transaction(async (stores) => {
      await requireStillVerified(stores, verified);
      await stores.signIns.succeeded(attempt);
      if (replaces !== null) await stores.sessions.remove(replaces);
      return openSession(ports, stores, { user, now: ports.clock(), action: 'session.open', origin });
    });
  };
