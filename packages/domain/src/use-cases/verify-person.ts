import { addressKey } from '../access/email-address.js';
import { networkOf } from '../access/origin.js';
import { waitBeforeTry } from '../access/sign-in-limits.js';
import type { SignInAttempt } from '../access/sign-in-store.js';
import type { User } from '../access/user.js';
import { DomainError } from '../errors.js';
import type { Ports, Stores } from '../ports.js';

/** A try to prove who one is. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** Id of the device if it has signed in to this very account before; null: it has not. */
  readonly device: string | null;
}

/** A person who proved who they are. */
export interface VerifiedPerson {
  readonly user: User;
  /** Of the password that was right. */
  readonly passwordHash: string;
  /** To be taken off when all is done. */
  readonly attempt: SignInAttempt;
}

const wrongCredentials = (): DomainError => new DomainError('wrong-credentials', 'E-mail or password is wrong.');

/**
 * The person of the credentials, and the try to be taken off when all is done. The try is noted before it is judged, and an
 * unknown account takes as long as a wrong password.
 * @throws DomainError `too-many-attempts` with `retryAfterMs`, `wrong-credentials`
 */
export const verifyPerson = async (
  { stores, secrets, clock, newId }: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>,
  { email, password, address, device }: Credentials,
): Promise<VerifiedPerson> => {
  const attempt = { id: newId(), account: addressKey(email), address: networkOf(address), at: clock() };
  // Tries of a device that signed in before count by themselves: others cannot use them up, nor it those of others.
  const own = device === null ? {} : { account: `device:${device}`, address: `device:${device}` };
  const retryAfterMs = waitBeforeTry(await stores.signIns.attempt({ ...attempt, ...own }));
  if (retryAfterMs !== null)
    throw new DomainError('too-many-attempts', 'Too many tries to sign in; wait before the next.', { retryAfterMs });
  const found = await stores.users.byEmail(email);
  const right = await secrets.verifyPassword(password, found?.passwordHash);
  if (found === undefined || !right || found.user.disabledAt !== null) throw wrongCredentials();
  return { ...found, attempt };
};

/**
 * Demands, inside the transaction that follows, that the password is still the verified one and the account not disabled, and
 * holds the account still: verifying takes long enough for another request to change both. @throws DomainError `wrong-credentials`
 */
export const requireStillVerified = async (
  { users }: Pick<Stores, 'users'>,
  { user, passwordHash }: VerifiedPerson,
): Promise<void> => {
  await users.lock(user.id);
  const found = await users.byEmail(user.email);
  if (found?.user.id !== user.id || found.passwordHash !== passwordHash || found.user.disabledAt !== null)
    throw wrongCredentials();
};
