import {
  addressKey,
  emailFaults,
  type Invitation,
  type InvitationState,
  invitationState,
  mayBeAcceptedBy,
  passwordFaults,
  type SignInAttempt,
  sessionPrincipal,
  waitBeforeTry,
} from '../access/person.js';
import {
  type Actor,
  auditEntry,
  networkOf,
  type Origin,
  type Principal,
  requireRole,
  type User,
} from '../access/principal.js';
import { DomainError, invalid, notFound } from '../errors.js';
import { nameFaults } from '../names.js';
import type { Ports, Stores } from '../ports.js';
import { MOST_MEMBERS, type Role } from '../team.js';
import type { Instant } from '../time.js';
import { type OpenedSession, openSession } from './account.js';
import { type Change, type ChangePorts, change, requireStoredRole } from './change.js';
import { holdAdministrators, requireAdministratorNow } from './person.js';

const DAY = 24 * 3_600_000;
/** How long an invitation is good for unless said otherwise, in milliseconds: 7 days. */
export const INVITATION_LIFE = 7 * DAY;
/** Longest life of an invitation, in milliseconds: 30 days. */
export const LONGEST_INVITATION_LIFE = 30 * DAY;
/** Most pending invitations of a team; bounded because they are listed in one answer. */
const MOST_PENDING_INVITATIONS = 500;

interface Invite {
  readonly by: Actor;
  /** Where the person goes; null: an account without a team. */
  readonly team: { readonly id: string; readonly role: Role } | null;
  /** Binds it to this address; null or left out: anyone who has the link can accept it. */
  readonly email?: string | null;
  /** When it expires: after now and within 30 days; null or left out: in 7 days. */
  readonly expiresAt?: Instant | null;
}

export interface CreatedInvitation {
  readonly invitation: Invitation;
  /** The secret of the one-time link; shown once. */
  readonly secret: string;
}

const requireExpiry = (expiresAt: Instant, now: Instant): void => {
  if (expiresAt > now && expiresAt <= now + LONGEST_INVITATION_LIFE) return;
  const message = 'An invitation expires after now and within 30 days.';
  throw invalid([{ pointer: '/expires_at', code: 'out-of-range', message }]);
};

/**
 * The role that inviting into a team needs. It is here, not in the table of operations, since the operation can also invite
 * into no team.
 */
const INVITING: Role = 'owner';

/** Demands that the person may invite there. @throws DomainError `not-found`, `forbidden` */
const requireInviter = (principal: Principal, teamId: string | null): void => {
  if (teamId !== null) requireRole(principal, teamId, INVITING);
  else if (!principal.administrator)
    throw new DomainError('forbidden', 'Only an administrator invites people without a team.');
};

/**
 * Demands inside a transaction that the caller may invite, by the stored roles: those of the principal may be a second
 * old. The caller holds the lock.
 */
const requireStoredInviter = async (stores: Stores, by: Actor, teamId: string | null): Promise<void> => {
  if (teamId === null) return requireAdministratorNow(stores, by);
  await requireStoredRole(stores, { ...by, needs: INVITING }, teamId);
};

/**
 * Runs a change of invitations and locks who may invite: the members of the team, or the administrators where there is no team.
 * @throws DomainError `not-found`, `forbidden`
 */
const changeInvitations = <Result>(
  ports: ChangePorts,
  by: Actor,
  teamId: string | null,
  work: (changing: Change) => Promise<Result>,
): Promise<Result> => {
  requireInviter(by.principal, teamId);
  const changeHeld = async (changing: Change): Promise<Result> => {
    await requireStoredInviter(changing.stores, by, teamId);
    return work(changing);
  };
  const hold = (stores: Stores) => (teamId === null ? holdAdministrators(stores) : stores.teams.lock(teamId));
  return change(ports, by, changeHeld, hold);
};

/** Revokes the pending invitations that are bound to the address: a member needs none, and a removed member must not return by one. */
export async function revokeBoundTo(
  { stores: { invitations }, now }: Pick<Change, 'stores' | 'now'>,
  teamId: string | null,
  email: string,
): Promise<void> {
  const key = addressKey(email);
  for (const { id, email: bound } of await invitations.pending(teamId, now))
    if (bound !== null && addressKey(bound) === key) await invitations.revoke(teamId, id, now);
}

/** Makes room for an invitation of that address: a member needs none, and an earlier one is replaced. @throws DomainError `already-member` */
const replaceEarlier = async (changing: Change, teamId: string | null, email: string): Promise<void> => {
  if (teamId !== null) {
    const members = await changing.stores.teams.members(teamId);
    const member = members.find((each) => addressKey(each.email) === addressKey(email));
    if (member !== undefined) throw new DomainError('already-member', `${member.name} is a member already.`);
  }
  await revokeBoundTo(changing, teamId, email);
};

/** Demands that there is room for one more invitation into the team. @throws DomainError `invalid` */
const requireRoom = async ({ stores, now }: Change, teamId: string): Promise<void> => {
  if ((await stores.invitations.pending(teamId, now)).length < MOST_PENDING_INVITATIONS) return;
  const message = `A team has ${MOST_PENDING_INVITATIONS} open invitations at most: revoke some first.`;
  throw invalid([{ pointer: '', code: 'too-many', message }]);
};

/**
 * Invites a person: an owner into the team, an administrator to an account without one. With an address, only an account of
 * that address accepts it; whether there is one changes nothing in the answer.
 * @throws DomainError `not-found`, `forbidden`, `invalid`, `already-member`
 */
export async function invite(
  ports: Pick<Ports, 'stores' | 'clock' | 'newId' | 'secrets'>,
  { by, team, email = null, expiresAt = null }: Invite,
): Promise<CreatedInvitation> {
  return changeInvitations(ports, by, team?.id ?? null, async (changing) => {
    const { stores, now, newId, note } = changing;
    const faults = email === null ? [] : emailFaults(email);
    if (faults.length > 0) throw invalid(faults);
    if (expiresAt !== null) requireExpiry(expiresAt, now);
    if (email !== null) await replaceEarlier(changing, team?.id ?? null, email);
    if (team !== null) await requireRoom(changing, team.id);
    const secret = ports.secrets.newToken();
    const times = {
      createdAt: now,
      expiresAt: expiresAt ?? now + INVITATION_LIFE,
      acceptedAt: null,
      revokedAt: null,
    };
    const maker = { secretHash: ports.secrets.hash(secret), createdBy: by.principal.userId };
    const invitation = { id: newId(), team, email, ...maker, ...times };
    await stores.invitations.create(invitation);
    const detail = { ...(team === null ? {} : { role: team.role }), ...(email === null ? {} : { email }) };
    const resource = { type: 'invitation', id: invitation.id };
    await note({ teamId: team?.id ?? null, action: 'person.invite', resource, detail });
    return { invitation, secret };
  });
}

interface RevokeInvitation {
  readonly by: Actor;
  /** null: one into no team. */
  readonly teamId: string | null;
  readonly invitationId: string;
}

/** Makes an invitation unusable before it was used: role owner, or an administrator where it is into no team. @throws DomainError `not-found`, `forbidden` */
export async function revokeInvitation(
  ports: ChangePorts,
  { by, teamId, invitationId }: RevokeInvitation,
): Promise<void> {
  await changeInvitations(ports, by, teamId, async ({ stores, now, note }) => {
    if (!(await stores.invitations.revoke(teamId, invitationId, now))) throw notFound('invitation');
    const resource = { type: 'invitation', id: invitationId };
    await note({ teamId, action: 'invitation.revoke', resource, detail: {} });
  });
}

interface AcceptInvitation {
  readonly secret: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly origin: Origin;
  /** The session the browser presented, which ends; null or left out: none. */
  readonly replaces?: string | null;
}

const UNUSABLE: Readonly<Record<Exclude<InvitationState, 'open'> | 'unknown' | 'address', string>> = {
  unknown: 'There is no such invitation. Copy the whole link, or ask for another one.',
  used: 'The invitation was used already. Ask for another one.',
  revoked: 'The invitation was revoked, declined or replaced, or its maker may no longer invite. Ask for another one.',
  expired: 'The invitation has expired. Ask for another one.',
  address:
    'The invitation cannot make an account with this address. With an account, sign in, then open the link again; else use another address.',
};
const unusable = (why: keyof typeof UNUSABLE): DomainError => new DomainError('invitation-unusable', UNUSABLE[why]);

/** Locks the members of the invitation's team, so that its maker cannot lose the right to invite before the transaction ends. */
export async function holdTeamOf({ teams }: Pick<Stores, 'teams'>, { team }: Invitation): Promise<void> {
  if (team !== null) await teams.lock(team.id);
}

/** The person who made the invitation, if they could make it now. */
const makerOf = async (inside: Stores, { team, createdBy }: Invitation): Promise<User | undefined> => {
  const maker = await inside.users.byId(createdBy);
  if (maker === undefined || maker.disabledAt !== null) return undefined;
  if (team === null) return maker.administrator ? maker : undefined;
  const members = await inside.teams.members(team.id);
  return members.some(({ userId, role }) => userId === createdBy && role === 'owner') ? maker : undefined;
};

/**
 * Demands an invitation that is open for an account with that address.
 * @throws DomainError `invitation-unusable`, `invitation-for-another-address`
 */
const requireOpen = (invitation: Invitation | undefined, email: string, now: Instant): Invitation => {
  if (invitation === undefined) throw unusable('unknown');
  const state = invitationState(invitation, now);
  if (state !== 'open') throw unusable(state);
  if (mayBeAcceptedBy(invitation, email)) return invitation;
  const message = 'The invitation is for another email address. Accept it with an account of that address.';
  throw new DomainError('invitation-for-another-address', message);
};

/** Demands room for one more member. @throws DomainError `invalid` */
const requireRoomForMember = async ({ teams }: Pick<Stores, 'teams'>, teamId: string): Promise<void> => {
  if ((await teams.members(teamId)).length < MOST_MEMBERS) return;
  throw invalid([{ pointer: '', code: 'too-many', message: `A team has ${MOST_MEMBERS} members at most.` }]);
};

/**
 * Uses the invitation up, inside the accepting transaction, which has locked its team. Returns whether it proves the accepting
 * person's address: it is bound to that address, and an administrator made it.
 * @throws DomainError `invitation-unusable`; `invalid` when the team is full
 */
export async function spendInvitation(inside: Stores, invitation: Invitation, now: Instant): Promise<boolean> {
  const maker = await makerOf(inside, invitation);
  if (maker === undefined) throw unusable('revoked');
  if (!(await inside.invitations.accept(invitation.id, now))) throw unusable('used');
  if (invitation.team !== null) await requireRoomForMember(inside, invitation.team.id);
  return invitation.email !== null && maker.administrator;
}

/** The action of joining a team, for the team's audit log. */
export const joinAction = (team: { readonly id: string; readonly role: Role }, user: Pick<User, 'id' | 'name'>) => ({
  teamId: team.id,
  action: 'member.add',
  resource: { type: 'user', id: user.id },
  detail: { name: user.name, role: team.role },
});

/** Tries with links are counted like those to sign in, under a name that no address can be. */
const INVITATION_TRIES_ACCOUNT = 'an invitation';

/**
 * Counts a try to use a link, for its network and, where one was found, for the invitation. The limit on the two together is
 * not applied: several people of one network may share a link. @throws DomainError `too-many-attempts` with `retryAfterMs`
 */
const noteTry = async (
  { stores, clock, newId }: Pick<Ports, 'stores' | 'clock' | 'newId'>,
  address: string,
  invitation?: Invitation,
): Promise<SignInAttempt> => {
  const account = invitation === undefined ? INVITATION_TRIES_ACCOUNT : `${INVITATION_TRIES_ACCOUNT} ${invitation.id}`;
  const attempt = { id: newId(), account, address: networkOf(address), at: clock() };
  const counts = await stores.signIns.attempt(attempt);
  // All unknown links are counted under one name, so that count says nothing about this caller.
  const ofLink = invitation === undefined ? 0 : counts.account;
  const retryAfterMs = waitBeforeTry({ ...counts, pair: 0, account: ofLink });
  if (retryAfterMs !== null)
    throw new DomainError('too-many-attempts', 'Too many tries; wait before the next.', { retryAfterMs });
  return attempt;
};

/**
 * Gives an invited person an account and their place in the team, and signs them in; a link works once, only as long as its
 * maker may invite, and only with the address it is bound to. What is refused counts as a failed try, of the network and of the link.
 * @throws DomainError `invalid`, `too-many-attempts` with `retryAfterMs`, `invitation-unusable`, `invitation-for-another-address`;
 * `email-taken` where it is bound to that address
 */
export async function acceptInvitation(
  ports: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>,
  { secret, email, name, password, origin, replaces = null }: AcceptInvitation,
): Promise<OpenedSession> {
  const { stores, secrets, clock, newId } = ports;
  const faults = [...emailFaults(email), ...nameFaults(name), ...passwordFaults(password)];
  if (faults.length > 0) throw invalid(faults);
  const find = () => stores.invitations.bySecretHash(secrets.hash(secret));
  const found = await find();
  const attempt = await noteTry(ports, origin.address, found);
  const invitation = requireOpen(found, email, clock());
  // The invitation is checked again before the hash: of many that use one link at once, those that are too late must
  // not keep others waiting.
  const passwordHash = await secrets.hashPassword(
    password,
    { name: networkOf(origin.address), known: false },
    async () => void requireOpen(await find(), email, clock()),
  );
  const accepted = stores.transaction(async (inside) => {
    await holdTeamOf(inside, invitation);
    const now = clock();
    await inside.signIns.succeeded({ ...attempt, account: addressKey(email) });
    const emailVerified = await spendInvitation(inside, invitation, now);
    const made = { createdAt: now, disabledAt: null };
    const user = { id: newId(), email, emailVerified, name, administrator: false, ...made };
    await inside.users.create(user, passwordHash);
    if (replaces !== null) await inside.sessions.remove(replaces);
    const opened = await openSession(ports, inside, { user, now, action: 'invitation.accept', origin });
    if (invitation.team === null) return opened;
    const { id: teamId, role } = invitation.team;
    await inside.teams.addMember({ teamId, userId: user.id, role, createdAt: now });
    await revokeBoundTo({ stores: inside, now }, teamId, email);
    const by = { principal: sessionPrincipal(opened.session, user, new Map()), ...origin };
    await inside.audit.append(auditEntry(newId(), now, by, joinAction(invitation.team, user)));
    return opened;
  });
  return accepted.catch((error: unknown) => {
    // A person with an unbound link must not learn from repeated tries which addresses have an account.
    const isTaken = error instanceof DomainError && error.code === 'email-taken';
    throw isTaken && invitation.email === null ? unusable('address') : error;
  });
}

/** What an invitation is for; where it cannot be accepted, only why. */
export type ReadInvitation =
  | { readonly state: Exclude<InvitationState, 'open'> }
  | {
      readonly state: 'open';
      readonly invitation: Invitation;
      /** Name of the team; null: into none. */
      readonly teamName: string | null;
      /** Who made it, by name. */
      readonly createdBy: string;
    };

/**
 * Reads what the invitation with that secret is for, without using it. Wrong secrets count as failed tries of their network.
 * @throws DomainError `too-many-attempts` with `retryAfterMs`, `invitation-unusable` for an unknown secret
 */
export async function readInvitation(
  { stores, secrets, clock, newId }: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>,
  { secret, origin }: Pick<AcceptInvitation, 'secret' | 'origin'>,
): Promise<ReadInvitation> {
  const attempt = await noteTry({ stores, clock, newId }, origin.address);
  const invitation = await stores.invitations.bySecretHash(secrets.hash(secret));
  if (invitation === undefined) throw unusable('unknown');
  await stores.signIns.succeeded(attempt);
  const state = invitationState(invitation, clock());
  if (state !== 'open') return { state };
  const maker = await makerOf(stores, invitation);
  if (maker === undefined) return { state: 'revoked' };
  const team = invitation.team === null ? undefined : await stores.teams.byId(invitation.team.id);
  return { state, invitation, teamName: team?.name ?? null, createdBy: maker.name };
}

/** Demands an open invitation by its secret, for an account with that address. @throws DomainError `invitation-unusable`, `invitation-for-another-address` */
export async function requireInvitation(
  { stores, secrets, clock }: Pick<Ports, 'stores' | 'secrets' | 'clock'>,
  secret: string,
  email: string,
): Promise<Invitation> {
  return requireOpen(await stores.invitations.bySecretHash(secrets.hash(secret)), email, clock());
}
