import type { Actor } from '../access/actor.js';
import { type ChangePorts, change } from './change.js';

export interface SignOut {
  /** With the principal of the session that ends. */
  readonly by: Actor;
}

/** Ends the session. */
export const signOut =
  (ports: ChangePorts) =>
  ({ by }: SignOut): Promise<void> =>
    change(ports, by, async ({ stores, note }) => {
      await stores.sessions.remove(by.principal.id);
      await note({ teamId: null, action: 'session.close', resource: { type: 'user', id: by.principal.userId } });
    });
