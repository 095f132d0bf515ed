import type { Actor } from '../access/actor.js';
import { passwordFaults } from '../access/password.js';
import { invalid, notFound } from '../errors.js';
import type { Ports } from '../ports.js';
import { change } from './change.js';
import { requireStillVerified, verifyPerson } from './verify-person.js';

export interface ChangePassword {
  /** With the principal of the session that stays. */
  readonly by: Actor;
  readonly oldPassword: string;
  readonly newPassword: string;
  /** Id of the caller's device if it has signed in to the account of that e-mail address before; null: it has not. */
  deviceOf(email: string): string | null;
}

/** Changes one's password and ends one's other sessions. @throws DomainError `invalid`, `too-many-attempts`, `wrong-credentials` */
export const changePassword =
  (ports: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>) =>
  async ({ by, oldPassword, newPassword, deviceOf }: ChangePassword): Promise<void> => {
    const faults = passwordFaults(newPassword, '/new_password');
    if (faults.length > 0) throw invalid(faults);
    const user = await ports.stores.users.byId(by.principal.userId);
    if (user === undefined) throw notFound('user');
    const proof = { email: user.email, password: oldPassword, address: by.address, device: deviceOf(user.email) };
    const verified = await verifyPerson(ports, proof);
    const passwordHash = await ports.secrets.hashPassword(newPassword);
    await change(ports, by, async ({ stores, note }) => {
      await requireStillVerified(stores, verified);
      await stores.signIns.succeeded(verified.attempt);
      await stores.users.changePassword(user.id, passwordHash);
      await stores.sessions.removeOthers(user.id, by.principal.id);
      await note({ teamId: null, action: 'password.change', resource: { type: 'user', id: user.id } });
    });
  };
