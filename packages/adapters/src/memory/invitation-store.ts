import { addressKey, type Instant, type Invitation, type InvitationStore, invitationState } from '@shipworthy/domain';
import { ascending } from './order.js';
import type { TableAccess } from './table-access.js';
import { keyOf, type Tables } from './tables.js';

/** The pending invitations, each with its maker's name. */
const pendingOf = ({ invitations, memberships, users }: Tables, at: Instant) => {
  const found = invitations.all().flatMap((invitation) => {
    const maker = users.get(invitation.createdBy)?.user;
    if (maker === undefined || maker.disabledAt !== null || invitationState(invitation, at) !== 'open') return [];
    const { team, createdBy } = invitation;
    const mayInvite =
      team === null ? maker.administrator : memberships.get(keyOf(team.id, createdBy))?.role === 'owner';
    return mayInvite ? [{ invitation, maker: maker.name }] : [];
  });
  return ascending(found, ({ invitation: { createdAt, id } }) => [createdAt, id]);
};

const canBeRevoked = ({ acceptedAt, revokedAt }: Invitation): boolean => acceptedAt === null && revokedAt === null;

export const invitationStore = ({ read, change }: TableAccess): InvitationStore => ({
  create: (invitation) => change(({ invitations }) => invitations.put(invitation.id, invitation)),
  byId: (invitationId) => read(({ invitations }) => invitations.get(invitationId)),
  bySecretHash: (secretHash) => read(({ invitations }) => invitations.where('secretHash', secretHash)[0]),
  accept: (invitationId, at) =>
    change(({ invitations }) => {
      const invitation = invitations.get(invitationId);
      if (invitation === undefined || invitationState(invitation, at) !== 'open') return false;
      invitations.put(invitationId, { ...invitation, acceptedAt: at });
      return true;
    }),
  pending: (teamId, at) =>
    read((tables) =>
      pendingOf(tables, at).flatMap(({ invitation: { id, team, email, createdAt, expiresAt }, maker }) =>
        (team?.id ?? null) === teamId
          ? [{ id, role: team?.role ?? null, email, createdBy: maker, createdAt, expiresAt }]
          : [],
      ),
    ),
  received: (key, at) =>
    read((tables) =>
      pendingOf(tables, at).flatMap(({ invitation: { id, team: to, email, createdAt, expiresAt }, maker }) => {
        const team = to === null ? undefined : tables.teams.get(to.id);
        if (to === null || team === undefined || email === null || addressKey(email) !== key) return [];
        return [{ id, team: { id: team.id, name: team.name }, role: to.role, createdBy: maker, createdAt, expiresAt }];
      }),
    ),
  revoke: (teamId, invitationId, at) =>
    change(({ invitations }) => {
      const found = invitations.get(invitationId);
      if (found === undefined || (found.team?.id ?? null) !== teamId || !canBeRevoked(found)) return false;
      invitations.put(invitationId, { ...found, revokedAt: at });
      return true;
    }),
  revokeMadeBy: ({ userId, teamId }, at) =>
    change(({ invitations }) => {
      for (const found of invitations.all()) {
        const isMeant = found.createdBy === userId && (teamId === undefined || found.team?.id === teamId);
        if (isMeant && canBeRevoked(found)) invitations.put(found.id, { ...found, revokedAt: at });
      }
    }),
});
