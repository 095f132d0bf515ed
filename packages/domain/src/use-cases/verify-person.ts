import { addressKey } from '../access/email-address.js';
import { networkOf } from '../access/origin.js';
import { waitBeforeTry } from '../access/sign-in-limits.js';
import type { SignInAttempt } from '../access/sign-in-store.js';
import type { User } from '../access/user.js';
import { DomainError } from '../errors.js';
import type { Ports } from '../ports.js';

/** A try to prove who one is. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** Id of the device if it has signed in to this very account before; null: it has not. */
  readonly device: string | null;
}

/**
 * The person of the credentials, and the try to be taken off when all is done. The try is noted before it is judged, and an
 * unknown account takes as long as a wrong password.
 * @throws DomainError `too-many-attempts` with `retryAfterMs`, `wrong-credentials`
 */
export const verifyPerson = async (
  { stores, secrets, clock, newId }: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>,
  { email, password, address, device }: Credentials,
): Promise<{ readonly user: User; readonly attempt: SignInAttempt }> => {
  const attempt = { id: newId(), account: addressKey(email), address: networkOf(address), at: clock() };
  // Tries of a device that signed in before count by themselves: others cannot use them up, nor it those of others.
  const own = device === null ? {} : { account: `device:${device}`, address: `device:${device}` };
  const retryAfterMs = waitBeforeTry(await stores.signIns.attempt({ ...attempt, ...own }));
  if (retryAfterMs !== null)
    throw new DomainError('too-many-attempts', 'Too many tries to sign in; wait before the next.', { retryAfterMs });
  const found = await stores.users.byEmail(email);
  const right = await secrets.verifyPassword(password, found?.passwordHash);
  if (found === undefined || !right || found.user.disabledAt !== null)
    throw new DomainError('wrong-credentials', 'E-mail or password is wrong.');
  return { user: found.user, attempt };
};
