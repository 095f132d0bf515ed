import { addressKey } from '../access/email-address.js';
import { networkOf, type Origin } from '../access/origin.js';
import { passwordFaults } from '../access/password.js';
import { waitBeforeTry } from '../access/sign-in-limits.js';
import type { SignInAttempt } from '../access/sign-in-store.js';
import { DomainError, invalid } from '../errors.js';
import type { Ports } from '../ports.js';
import { type OpenedSession, openSession } from './open-session.js';

export interface SetUp {
  /** The one-time token as given, and the one the service was started with. */
  readonly setupToken: { readonly given: string; readonly expected: string };
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly origin: Origin;
}

/** Tries are counted like those to sign in, under a name that no e-mail address can be. */
const ACCOUNT = 'first setup';

const noteTry = async (
  { stores, clock, newId }: Pick<Ports, 'stores' | 'clock' | 'newId'>,
  address: string,
): Promise<SignInAttempt> => {
  const attempt = { id: newId(), account: ACCOUNT, address: networkOf(address), at: clock() };
  const counts = await stores.signIns.attempt(attempt);
  // All addresses share the one account here: its own limit would let strangers shut the administrator out.
  const retryAfterMs = waitBeforeTry({ ...counts, account: 0 });
  if (retryAfterMs !== null)
    throw new DomainError('too-many-attempts', 'Too many tries to set up; wait before the next.', { retryAfterMs });
  return attempt;
};

const alreadySetUp = (): DomainError => new DomainError('already-set-up', 'The service has an administrator already.');

/** Creates the first administrator and signs them in; of many at once exactly one wins. @throws DomainError `too-many-attempts`, `wrong-setup-token`, `already-set-up`, `invalid` */
export const setUp =
  (ports: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>) =>
  async ({ setupToken, email, name, password, origin }: SetUp): Promise<OpenedSession> => {
    const { stores, secrets, clock, newId } = ports;
    const attempt = await noteTry(ports, origin.address);
    // Hashes are compared, so that the time taken tells nothing about the token.
    if (secrets.hash(setupToken.given) !== secrets.hash(setupToken.expected))
      throw new DomainError('wrong-setup-token', 'The setup token is wrong.');
    if (await stores.users.any()) throw alreadySetUp();
    const faults = passwordFaults(password);
    if (faults.length > 0) throw invalid(faults);
    const passwordHash = await secrets.hashPassword(password);
    return stores.transaction(async (inside) => {
      const now = clock();
      const user = {
        id: newId(),
        email,
        name,
        emailVerified: true,
        administrator: true,
        createdAt: now,
        disabledAt: null,
      };
      if (!(await inside.users.createFirst(user, passwordHash))) throw alreadySetUp();
      // From here on it is the new administrator who signed in from that address.
      await inside.signIns.succeeded({ ...attempt, account: addressKey(email) });
      return openSession(ports, inside, { user, now, action: 'service.set_up', origin });
    });
  };
