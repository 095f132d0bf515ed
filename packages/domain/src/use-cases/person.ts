import type { Actor, User } from '../access/principal.js';
import { DomainError, notFound } from '../errors.js';
import type { Ports, Stores } from '../ports.js';
import type { Member, Team } from '../team.js';
import { type Change, type ChangePorts, change } from './change.js';
import { markRevoking } from './host-connection.js';
import { markIssuesStale } from './host-grant.js';

/** A command of an administrator about one account. */
interface AboutPerson {
  readonly by: Actor;
  readonly userId: string;
}

const forAdministrators = (): DomainError => new DomainError('forbidden', 'Only an administrator may do this.');

const requireAdministrator = ({ principal }: Actor): void => {
  if (!principal.administrator) throw forAdministrators();
};

/** Locks the accounts of the administrators, so that of two who disable each other one waits. */
export function holdAdministrators({ users }: Pick<Stores, 'users'>): Promise<void> {
  return users.lockAdministrators();
}

/**
 * Demands, inside a transaction that has locked the administrators, that the caller is stored as one (before it only as an
 * early check, which is repeated there): the principal's rights may be a second old, and in that second a disabled
 * administrator could enable their own account. For a person without an account here (an embedder's own authentication) the
 * principal counts. @throws DomainError `forbidden`
 */
export async function requireAdministratorNow({ users }: Pick<Stores, 'users'>, { principal }: Actor): Promise<void> {
  const user = await users.byId(principal.userId);
  if (user !== undefined && (user.disabledAt !== null || !user.administrator)) throw forAdministrators();
}

/** Runs an administrator's change of an account. @throws DomainError `forbidden`, `not-found` */
const changePerson = async (
  ports: ChangePorts,
  { by, userId }: AboutPerson,
  action: string,
  work: (changing: Change, user: User) => Promise<User>,
): Promise<User> => {
  requireAdministrator(by);
  const changeAccount = async (changing: Change): Promise<User> => {
    await requireAdministratorNow(changing.stores, by);
    const user = await changing.stores.users.byId(userId);
    if (user === undefined) throw notFound('person');
    const changed = await work(changing, user);
    const resource = { type: 'user', id: userId };
    if (changed !== user) await changing.note({ teamId: null, action, resource, detail: { name: user.name } });
    return changed;
  };
  return change(ports, by, changeAccount, holdAdministrators);
};

/** Demands that another administrator is left. @throws DomainError `last-administrator` */
const requireAdministratorLeft = async ({ users }: Pick<Stores, 'users'>, user: User): Promise<void> => {
  if (!user.administrator) return;
  const others = (await users.administrators()).filter(({ id, disabledAt }) => id !== user.id && disabledAt === null);
  if (others.length === 0) throw new DomainError('last-administrator', 'The last administrator cannot be disabled.');
};

/**
 * Marks the issues imported with the person's connection as stale, before their account is disabled: nothing is read with the
 * connection from then on, even if the server stops right after that. A command that would be refused marks nothing.
 */
const markStaleBefore = async (
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { by, userId }: AboutPerson,
  host: string,
): Promise<void> => {
  requireAdministrator(by);
  await requireAdministratorNow(stores, by);
  const user = await stores.users.byId(userId);
  if (user === undefined) throw notFound('person');
  await requireAdministratorLeft(stores, user);
  await markIssuesStale({ stores, clock }, { userId, host });
};

/**
 * Disables an account: its sessions end, its keys stop, its invitations are revoked, and its grant at the repository host is
 * ended soon. Everything it recorded stays. A disabled account stays as it is.
 * @throws DomainError `forbidden`, `not-found`, `last-administrator`
 */
export async function disablePerson(
  ports: ChangePorts & Pick<Ports, 'repositoryHost'>,
  command: AboutPerson,
): Promise<User> {
  const { userId } = command;
  const host = ports.repositoryHost?.name;
  if (host !== undefined) await markStaleBefore(ports, command, host);
  const user = await changePerson(ports, command, 'person.disable', async ({ stores, now }, found) => {
    await requireAdministratorLeft(stores, found);
    if (found.disabledAt !== null) return found;
    await stores.users.setDisabled(userId, now);
    await stores.sessions.removeOthers(userId, null);
    await stores.invitations.revokeMadeBy({ userId }, now);
    const connection = host === undefined ? undefined : await stores.hostConnections.of(userId, host);
    if (connection !== undefined) await markRevoking(stores, connection);
    return { ...found, disabledAt: now };
  });
  // An import may have completed between the first mark and the change of the connection.
  if (host !== undefined) await markIssuesStale(ports, { userId, host });
  return user;
}

/** Enables a disabled account: its password and its keys work again. @throws DomainError `forbidden`, `not-found` */
export function enablePerson(ports: ChangePorts, command: AboutPerson): Promise<User> {
  return changePerson(ports, command, 'person.enable', async ({ stores }, found) => {
    if (found.disabledAt === null) return found;
    await stores.users.setDisabled(found.id, null);
    // Ends a session that was being opened while the account was disabled.
    await stores.sessions.removeOthers(found.id, null);
    return { ...found, disabledAt: null };
  });
}

/** Notes that an administrator vouches for the address of an account. @throws DomainError `forbidden`, `not-found` */
export function vouchForPerson(ports: ChangePorts, command: AboutPerson): Promise<User> {
  return changePerson(ports, command, 'person.vouch', async ({ stores }, found) => {
    if (found.emailVerified) return found;
    await stores.users.verifyEmail(found.id);
    return { ...found, emailVerified: true };
  });
}

/** A team whose owners' accounts are all disabled, with the members who can own it. */
export interface OwnerlessTeam {
  readonly team: Team;
  readonly members: readonly Member[];
}

/** The teams that have no owner whose account is not disabled, by name, for administrators. @throws DomainError `forbidden` */
export async function ownerlessTeams(
  { stores }: Pick<Ports, 'stores'>,
  { by }: Pick<AboutPerson, 'by'>,
): Promise<readonly OwnerlessTeam[]> {
  requireAdministrator(by);
  const found: OwnerlessTeam[] = [];
  for (const team of await stores.teams.ownerless())
    found.push({ team, members: (await stores.teams.members(team.id)).filter(({ disabled }) => !disabled) });
  return found;
}

/**
 * Makes a member the owner of a team whose owners' accounts are all disabled: all that an administrator may do in a team of
 * others. @throws DomainError `forbidden`, `not-found` for other teams and for a person who is no member
 */
export async function appointOwner(
  ports: ChangePorts,
  { by, userId, teamId }: AboutPerson & { readonly teamId: string },
): Promise<Member> {
  requireAdministrator(by);
  const hold = async (stores: Stores): Promise<void> => {
    await holdAdministrators(stores);
    await stores.teams.lock(teamId);
  };
  const appoint = async ({ stores, note }: Change): Promise<Member> => {
    await requireAdministratorNow(stores, by);
    const members = await stores.teams.members(teamId);
    const isOwned = members.some(({ role, disabled }) => role === 'owner' && !disabled);
    if (members.length === 0 || isOwned) throw notFound('team without an owner');
    const member = members.find((each) => each.userId === userId && !each.disabled);
    if (member === undefined) throw notFound('member');
    await stores.teams.changeRole(teamId, userId, 'owner');
    const detail = { name: member.name, from: member.role, to: 'owner' };
    await note({ teamId, action: 'member.change_role', resource: { type: 'user', id: userId }, detail });
    return { ...member, role: 'owner' };
  };
  return change(ports, by, appoint, hold);
}
