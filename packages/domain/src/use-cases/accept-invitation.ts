import { auditEntry } from '../access/actor.js';
import { type Invitation, type InvitationState, invitationState, isFor } from '../access/invitation.js';
import { networkOf, type Origin } from '../access/origin.js';
import { passwordFaults } from '../access/password.js';
import { sessionPrincipal } from '../access/principals.js';
import { waitBeforeTry } from '../access/sign-in-limits.js';
import type { User } from '../access/user.js';
import { DomainError, invalid } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Ports, Stores } from '../ports.js';
import type { Role } from '../team/team.js';
import { type OpenedSession, openSession } from './open-session.js';

export interface AcceptInvitation {
  readonly secret: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly origin: Origin;
}

const UNUSABLE: Readonly<Record<Exclude<InvitationState, 'open'> | 'unknown', string>> = {
  unknown: 'There is no such invitation. Copy the whole link, or ask for another one.',
  used: 'The invitation was used already. Ask for another one.',
  revoked: 'The invitation was revoked, declined or replaced, or its maker may no longer invite. Ask for another one.',
  expired: 'The invitation has expired. Ask for another one.',
};
const unusable = (why: keyof typeof UNUSABLE): DomainError => new DomainError('invitation-unusable', UNUSABLE[why]);

/** The person who made the invitation, if they could make it now. Holds the team's membership still, so that this stays true. */
const makerOf = async (inside: Stores, { team, createdBy }: Invitation): Promise<User | undefined> => {
  if (team !== null) await inside.teams.lock(team.id);
  const maker = await inside.users.byId(createdBy);
  if (maker === undefined || maker.disabledAt !== null) return undefined;
  if (team === null) return maker.administrator ? maker : undefined;
  const members = await inside.teams.members(team.id);
  return members.some(({ userId, role }) => userId === createdBy && role === 'owner') ? maker : undefined;
};

/** Demands an invitation that is open for an account with that address. @throws DomainError `invitation-unusable`, `invitation-for-another-address` */
const requireOpen = (invitation: Invitation | undefined, email: string, now: Instant): Invitation => {
  if (invitation === undefined) throw unusable('unknown');
  const state = invitationState(invitation, now);
  if (state !== 'open') throw unusable(state);
  if (isFor(invitation, email)) return invitation;
  const message = 'The invitation is for another email address. Accept it with an account of that address.';
  throw new DomainError('invitation-for-another-address', message);
};

/**
 * Uses the invitation up, inside the accepting transaction. Answers whether it proves the address of who accepts it: it is
 * bound to that address, and an administrator made it. @throws DomainError `invitation-unusable`
 */
export const spendInvitation = async (inside: Stores, invitation: Invitation, now: Instant): Promise<boolean> => {
  const maker = await makerOf(inside, invitation);
  if (maker === undefined) throw unusable('revoked');
  if (!(await inside.invitations.accept(invitation.id, now))) throw unusable('used');
  return invitation.email !== null && maker.administrator;
};

/** The deed of joining a team, for its audit log. */
export const joined = (team: { readonly id: string; readonly role: Role }, user: Pick<User, 'id' | 'name'>) => ({
  teamId: team.id,
  action: 'member.add',
  resource: { type: 'user', id: user.id },
  detail: { name: user.name, role: team.role },
});

/**
 * Gives an invited person an account and their place in the team, and signs them in; a link works once, only as long as its
 * maker may invite, and only with the address it is bound to.
 * @throws DomainError `invalid`, `invitation-unusable`, `invitation-for-another-address`, `email-taken`
 */
export const acceptInvitation =
  (ports: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>) =>
  async ({ secret, email, name, password, origin }: AcceptInvitation): Promise<OpenedSession> => {
    const { stores, secrets, clock, newId } = ports;
    const faults = passwordFaults(password);
    if (faults.length > 0) throw invalid(faults);
    const found = await stores.invitations.bySecretHash(secrets.hash(secret));
    const invitation = requireOpen(found, email, clock());
    const passwordHash = await secrets.hashPassword(password);
    return stores.transaction(async (inside) => {
      const now = clock();
      const emailVerified = await spendInvitation(inside, invitation, now);
      const made = { createdAt: now, disabledAt: null };
      const user = { id: newId(), email, emailVerified, name, administrator: false, ...made };
      await inside.users.create(user, passwordHash);
      const opened = await openSession(ports, inside, { user, now, action: 'invitation.accept', origin });
      if (invitation.team === null) return opened;
      const { id: teamId, role } = invitation.team;
      await inside.teams.addMember({ teamId, userId: user.id, role, createdAt: now });
      const by = { principal: sessionPrincipal(opened.session, user, new Map()), ...origin };
      await inside.audit.append(auditEntry(newId(), now, by, joined(invitation.team, user)));
      return opened;
    });
  };

/** What an invitation is for; of one that cannot be accepted only why. */
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

/** Tries to read are counted like those to sign in, under a name that no address can be. */
const ACCOUNT = 'an invitation';

/**
 * Reads what the invitation with that secret is for, without using it. Wrong secrets count as failed tries of their network.
 * @throws DomainError `too-many-attempts` with `retryAfterMs`, `invitation-unusable` for an unknown secret
 */
export const readInvitation =
  ({ stores, secrets, clock, newId }: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>) =>
  async ({ secret, origin }: Pick<AcceptInvitation, 'secret' | 'origin'>): Promise<ReadInvitation> => {
    const attempt = { id: newId(), account: ACCOUNT, address: networkOf(origin.address), at: clock() };
    const counts = await stores.signIns.attempt(attempt);
    // All people share the one account here, so only the limit of the network says anything about the caller.
    const retryAfterMs = waitBeforeTry({ ...counts, pair: 0, account: 0 });
    if (retryAfterMs !== null)
      throw new DomainError('too-many-attempts', 'Too many tries; wait before the next.', { retryAfterMs });
    const invitation = await stores.invitations.bySecretHash(secrets.hash(secret));
    if (invitation === undefined) throw unusable('unknown');
    await stores.signIns.succeeded(attempt);
    const state = invitationState(invitation, clock());
    if (state !== 'open') return { state };
    return stores.transaction(async (inside) => {
      const maker = await makerOf(inside, invitation);
      if (maker === undefined) return { state: 'revoked' };
      const team = invitation.team === null ? undefined : await inside.teams.byId(invitation.team.id);
      return { state, invitation, teamName: team?.name ?? null, createdBy: maker.name };
    });
  };

/** Demands an open invitation by its secret, for an account with that address. @throws DomainError `invitation-unusable`, `invitation-for-another-address` */
export const requireInvitation = async (
  { stores, secrets, clock }: Pick<Ports, 'stores' | 'secrets' | 'clock'>,
  secret: string,
  email: string,
): Promise<Invitation> => requireOpen(await stores.invitations.bySecretHash(secrets.hash(secret)), email, clock());
