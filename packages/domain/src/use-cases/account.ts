import {
  addressKey,
  emailFaults,
  isLastUseStale,
  isSessionOver,
  keyPrincipal,
  passwordFaults,
  SESSION_LENGTH,
  type Session,
  type SignInAttempt,
  sessionPrincipal,
  waitBeforeTry,
} from '../access/person.js';
import { type Actor, auditEntry, networkOf, type Origin, type Principal, type User } from '../access/principal.js';
import { DomainError, invalid, notFound } from '../errors.js';
import { nameFaults } from '../names.js';
import type { PasswordAsker, Ports, Stores } from '../ports.js';
import type { Instant } from '../time.js';
import { type Change, type ChangePorts, change } from './change.js';

/** The principal of an API key, or why there is none. */
type KeyAuthentication =
  | { readonly principal: Principal }
  | { readonly cause: 'unknown' | 'revoked' | 'expired' | 'disabled' };

/** Returns the principal of a key, with the roles its maker has now, and stores its use from the network address. */
export async function authenticateKey(
  { stores, secrets, clock }: Pick<Ports, 'stores' | 'secrets' | 'clock'>,
  key: string,
  address: string,
): Promise<KeyAuthentication> {
  const found = await stores.apiKeys.byHash(secrets.hash(key));
  if (found === undefined) return { cause: 'unknown' };
  const now = clock();
  const { revokedAt, teamId, barredTeams } = found.key;
  // A key that was removed from its only team is treated like a revoked one.
  if (revokedAt !== null || (teamId !== null && barredTeams.includes(teamId))) return { cause: 'revoked' };
  if (now >= found.key.expiresAt) return { cause: 'expired' };
  if (found.user.disabledAt !== null) return { cause: 'disabled' };
  if (isLastUseStale(found.key.lastUsedAt, now)) await stores.apiKeys.touch(found.key.id, now, address);
  return { principal: keyPrincipal(found.key, found.roles) };
}

/** The principal of a session, or why there is none. */
type SessionAuthentication =
  | { readonly principal: Principal; readonly user: User }
  | { readonly cause: 'unknown' | 'expired' | 'disabled' };

/** Returns the principal of a session, with the roles the person has now; `use: false` does not count as a use. */
export async function authenticateSession(
  { stores, secrets, clock }: Pick<Ports, 'stores' | 'secrets' | 'clock'>,
  secret: string,
  { use = true }: { readonly use?: boolean } = {},
): Promise<SessionAuthentication> {
  const found = await stores.sessions.bySecretHash(secrets.hash(secret));
  if (found === undefined) return { cause: 'unknown' };
  const { session, user, roles } = found;
  const now = clock();
  if (user.disabledAt !== null) return { cause: 'disabled' };
  if (isSessionOver(session, now)) return { cause: 'expired' };
  if (use && isLastUseStale(session.lastSeenAt, now)) await stores.sessions.touch(session.id, now);
  return { principal: sessionPrincipal(session, user, roles), user };
}

/** A session that was just opened. The secret is shown once and never kept. */
export interface OpenedSession {
  readonly user: User;
  readonly session: Session;
  readonly secret: string;
}

/** Opens a session inside a transaction and notes it in the audit log. */
export async function openSession(
  { newId, secrets }: Pick<Ports, 'newId' | 'secrets'>,
  stores: Pick<Stores, 'sessions' | 'audit'>,
  { user, now, action, origin }: { user: User; now: Instant; action: string; origin: Origin },
): Promise<OpenedSession> {
  const secret = secrets.newToken();
  const times = { createdAt: now, lastSeenAt: now, expiresAt: now + SESSION_LENGTH };
  const session = { id: newId(), secretHash: secrets.hash(secret), userId: user.id, ...times };
  await stores.sessions.create(session);
  const by = { principal: sessionPrincipal(session, user, new Map()), ...origin };
  await stores.audit.append(
    auditEntry(newId(), now, by, { teamId: null, action, resource: { type: 'user', id: user.id } }),
  );
  return { user, session, secret };
}

/** What a person signs in with. */
interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** Id of the device if it has signed in to this very account before; null: it has not. */
  readonly device: string | null;
}

/** Who asks to verify these credentials: the account on a device of its own, else the network. */
const askerOf = ({ email, address, device }: Credentials): PasswordAsker =>
  device === null ? { name: networkOf(address), known: false } : { name: addressKey(email), known: true };

/** A person who proved who they are. */
interface VerifiedPerson {
  readonly user: User;
  /** The hash of the password that was right. */
  readonly passwordHash: string;
  /** The counted try, which the caller removes at the end. */
  readonly attempt: SignInAttempt;
}

const wrongCredentials = (): DomainError => new DomainError('wrong-credentials', 'E-mail or password is wrong.');

/**
 * Returns the person of the credentials, and the try, which the caller removes at the end. The try is counted before
 * the password is checked, and an unknown account takes as long as a wrong password.
 * @throws DomainError `too-many-attempts` with `retryAfterMs`, `wrong-credentials`
 */
const verifyPerson = async (
  { stores, secrets, clock, newId }: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>,
  credentials: Credentials,
  asker: PasswordAsker = askerOf(credentials),
): Promise<VerifiedPerson> => {
  const { email, password, address, device } = credentials;
  const attempt = { id: newId(), account: addressKey(email), address: networkOf(address), at: clock() };
  // Failed tries of a device that signed in before are counted apart: others cannot lock it out, nor can it lock out others.
  const own = device === null ? {} : { account: `device:${device}`, address: `device:${device}` };
  const retryAfterMs = waitBeforeTry(await stores.signIns.attempt({ ...attempt, ...own }));
  if (retryAfterMs !== null)
    throw new DomainError('too-many-attempts', 'Too many tries to sign in; wait before the next.', { retryAfterMs });
  const found = await stores.users.byEmail(email);
  const right = await secrets.verifyPassword(password, found?.passwordHash, asker);
  if (found === undefined || !right || found.user.disabledAt !== null) throw wrongCredentials();
  return { ...found, attempt };
};

/**
 * Demands, inside the transaction that follows and has locked the account, that the password is still the verified one and the
 * account not disabled: verifying takes long enough for another request to change both. @throws DomainError `wrong-credentials`
 */
const requireStillVerified = async (
  { users }: Pick<Stores, 'users'>,
  { user, passwordHash }: VerifiedPerson,
): Promise<void> => {
  const found = await users.byEmail(user.email);
  // The hash has a salt of its own, so an account with it is the one that was verified.
  if (found?.passwordHash !== passwordHash || found.user.disabledAt !== null) throw wrongCredentials();
};

interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly origin: Origin;
  /** Id of the device if it has signed in to this account before; null: it has not. */
  readonly device: string | null;
  /** The session the browser presented, which ends; null: none. */
  readonly replaces: string | null;
}

/** Opens a session under a new secret. @throws DomainError `too-many-attempts` with `retryAfterMs`, `wrong-credentials` */
export async function signIn(
  ports: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>,
  { email, password, origin, device, replaces }: SignIn,
): Promise<OpenedSession> {
  const verified = await verifyPerson(ports, { email, password, address: origin.address, device });
  const { user, attempt } = verified;
  return ports.stores.transaction(async (stores) => {
    await stores.users.lock(user.id);
    await requireStillVerified(stores, verified);
    await stores.signIns.succeeded(attempt);
    if (replaces !== null) await stores.sessions.remove(replaces);
    return openSession(ports, stores, { user, now: ports.clock(), action: 'session.open', origin });
  });
}

interface SignOut {
  /** The actor; its principal is the session that ends. */
  readonly by: Actor;
}

/** Ends the session. */
export function signOut(ports: ChangePorts, { by }: SignOut): Promise<void> {
  return change(ports, by, async ({ stores, note }) => {
    await stores.sessions.remove(by.principal.id);
    await note({ teamId: null, action: 'session.close', resource: { type: 'user', id: by.principal.userId } });
  });
}

interface SetUp {
  /** The one-time token as given, and the one the service was started with. */
  readonly setupToken: { readonly given: string; readonly expected: string };
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly origin: Origin;
}

/** Tries to set up are counted like those to sign in, under a name that no e-mail address can be. */
const SETUP_TRIES_ACCOUNT = 'first setup';

const noteTry = async (
  { stores, clock, newId }: Pick<Ports, 'stores' | 'clock' | 'newId'>,
  address: string,
): Promise<SignInAttempt> => {
  const attempt = { id: newId(), account: SETUP_TRIES_ACCOUNT, address: networkOf(address), at: clock() };
  const counts = await stores.signIns.attempt(attempt);
  // All addresses share this one account, so its own limit would let strangers lock the administrator out.
  const retryAfterMs = waitBeforeTry({ ...counts, account: 0 });
  if (retryAfterMs !== null)
    throw new DomainError('too-many-attempts', 'Too many tries to set up; wait before the next.', { retryAfterMs });
  return attempt;
};

const alreadySetUp = (): DomainError => new DomainError('already-set-up', 'The service has an administrator already.');

/** Creates the first administrator and signs them in; of many at once exactly one wins. @throws DomainError `too-many-attempts`, `wrong-setup-token`, `already-set-up`, `invalid` */
export async function setUp(
  ports: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>,
  { setupToken, email, name, password, origin }: SetUp,
): Promise<OpenedSession> {
  const { stores, secrets, clock, newId } = ports;
  const attempt = await noteTry(ports, origin.address);
  // Hashes are compared, so that the time taken tells nothing about the token.
  if (secrets.hash(setupToken.given) !== secrets.hash(setupToken.expected))
    throw new DomainError('wrong-setup-token', 'The setup token is wrong.');
  if (await stores.users.any()) throw alreadySetUp();
  const faults = [...emailFaults(email), ...nameFaults(name), ...passwordFaults(password)];
  if (faults.length > 0) throw invalid(faults);
  const passwordHash = await secrets.hashPassword(password, { name: SETUP_TRIES_ACCOUNT, known: true });
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
    // The sign-in at set-up counts as a successful one of the new administrator from that address.
    await inside.signIns.succeeded({ ...attempt, account: addressKey(email) });
    return openSession(ports, inside, { user, now, action: 'service.set_up', origin });
  });
}

interface ChangePassword {
  /** The actor; its principal is the session that stays. */
  readonly by: Actor;
  readonly oldPassword: string;
  readonly newPassword: string;
  /** Id of the caller's device if it has signed in to the account of that e-mail address before; null: it has not. */
  deviceOf(email: string): string | null;
}

/**
 * Changes the caller's password and ends their other sessions.
 * @throws DomainError `invalid`, `too-many-attempts`, `wrong-credentials`
 */
export async function changePassword(
  ports: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>,
  { by, oldPassword, newPassword, deviceOf }: ChangePassword,
): Promise<void> {
  const faults = passwordFaults(newPassword, '/new_password');
  if (faults.length > 0) throw invalid(faults);
  const user = await ports.stores.users.byId(by.principal.userId);
  if (user === undefined) throw notFound('user');
  const proof = { email: user.email, password: oldPassword, address: by.address, device: deviceOf(user.email) };
  const asker = { name: addressKey(user.email), known: true };
  const verified = await verifyPerson(ports, proof, asker);
  const passwordHash = await ports.secrets.hashPassword(newPassword, asker);
  const replace = async ({ stores, note }: Change): Promise<void> => {
    await requireStillVerified(stores, verified);
    await stores.signIns.succeeded(verified.attempt);
    await stores.users.changePassword(user.id, passwordHash);
    await stores.sessions.removeOthers(user.id, by.principal.id);
    await note({ teamId: null, action: 'password.change', resource: { type: 'user', id: user.id } });
  };
  await change(ports, by, replace, ({ users }) => users.lock(user.id));
}
