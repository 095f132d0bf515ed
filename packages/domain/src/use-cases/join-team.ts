import type { Actor } from '../access/actor.js';
import { addressKey } from '../access/email-address.js';
import { type Invitation, invitationState, isFor } from '../access/invitation.js';
import type { ReceivedInvitation } from '../access/invitation-store.js';
import type { User } from '../access/user.js';
import { DomainError, notFound } from '../errors.js';
import type { Ports, Stores } from '../ports.js';
import type { Role } from '../team/team.js';
import { joined, requireInvitation, spendInvitation } from './accept-invitation.js';
import { type ChangePorts, change } from './change.js';

/** The team a person joined, with the role there. */
export interface JoinedTeam {
  readonly teamId: string;
  readonly role: Role;
}

const personOf = async ({ users }: Pick<Stores, 'users'>, { principal }: Actor): Promise<User> => {
  const user = await users.byId(principal.userId);
  if (user === undefined) throw notFound('user');
  return user;
};

const join = (ports: ChangePorts, by: Actor, user: User, invitation: Invitation): Promise<JoinedTeam> =>
  change(ports, by, async ({ stores, now, note }) => {
    const { team } = invitation;
    if (team === null)
      throw new DomainError('invitation-unusable', 'The invitation is for a new account, and you have one already.');
    const provesAddress = await spendInvitation(stores, invitation, now);
    if (provesAddress && !user.emailVerified) await stores.users.verifyEmail(user.id);
    if (!(await stores.teams.addMember({ teamId: team.id, userId: user.id, role: team.role, createdAt: now })))
      throw new DomainError('already-member', 'You are a member of this team already.');
    await note(joined(team, user));
    return { teamId: team.id, role: team.role };
  });

/**
 * Takes the caller into the team of an invitation by its link; one that is bound to an address only with that address.
 * @throws DomainError `invitation-unusable`, `invitation-for-another-address`, `already-member`
 */
export const joinByLink =
  (ports: ChangePorts & Pick<Ports, 'secrets'>) =>
  async ({ by, secret }: { readonly by: Actor; readonly secret: string }): Promise<JoinedTeam> => {
    const user = await personOf(ports.stores, by);
    return join(ports, by, user, await requireInvitation(ports, secret, user.email));
  };

/** The invitations that are bound to the caller's address; none as long as that address is not verified. */
export const receivedInvitations =
  ({ stores, clock }: Pick<Ports, 'stores' | 'clock'>) =>
  async ({ by }: { readonly by: Actor }): Promise<readonly ReceivedInvitation[]> => {
    const { email, emailVerified } = await personOf(stores, by);
    return emailVerified ? stores.invitations.received(addressKey(email), clock()) : [];
  };

export interface Received {
  readonly by: Actor;
  readonly invitationId: string;
}

/** The invitation, if it is open and bound to the caller's verified address. @throws DomainError `not-found` */
const requireReceived = async (
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { by, invitationId }: Received,
): Promise<{ readonly user: User; readonly invitation: Invitation }> => {
  const user = await personOf(stores, by);
  const invitation = await stores.invitations.byId(invitationId);
  const isTheirs = user.emailVerified && invitation?.email != null && isFor(invitation, user.email);
  if (invitation === undefined || !isTheirs || invitationState(invitation, clock()) !== 'open')
    throw notFound('invitation');
  return { user, invitation };
};

/** Takes the caller into the team of an invitation that is bound to their address. @throws DomainError `not-found`, `invitation-unusable`, `already-member` */
export const acceptReceived =
  (ports: ChangePorts) =>
  async (command: Received): Promise<JoinedTeam> => {
    const { user, invitation } = await requireReceived(ports, command);
    return join(ports, command.by, user, invitation);
  };

/** Declines an invitation that is bound to the caller's address: it can be accepted no more. @throws DomainError `not-found` */
export const declineReceived =
  (ports: ChangePorts) =>
  async (command: Received): Promise<void> => {
    const { invitation } = await requireReceived(ports, command);
    await change(ports, command.by, async ({ stores, now, note }) => {
      const teamId = invitation.team?.id ?? null;
      if (!(await stores.invitations.revoke(teamId, invitation.id, now))) throw notFound('invitation');
      const resource = { type: 'invitation', id: invitation.id };
      await note({ teamId, action: 'invitation.decline', resource, detail: { email: invitation.email } });
    });
  };
