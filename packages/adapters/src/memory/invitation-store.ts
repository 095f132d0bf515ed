import type { InvitationStore } from '@shipworthy/domain';
import { ascending } from './order.js';
import type { TableAccess } from './table-access.js';
import { keyOf } from './tables.js';

export const invitationStore = ({ read, change }: TableAccess): InvitationStore => ({
  create: (invitation) => change(({ invitations }) => invitations.put(invitation.id, invitation)),
  bySecretHash: (secretHash) => read(({ invitations }) => invitations.where('secretHash', secretHash)[0]),
  accept: (invitationId, at) =>
    change(({ invitations }) => {
      const invitation = invitations.get(invitationId);
      if (invitation === undefined || invitation.acceptedAt !== null || invitation.expiresAt <= at) return false;
      invitations.put(invitationId, { ...invitation, acceptedAt: at });
      return true;
    }),
  pending: (teamId, at) =>
    read(({ invitations, memberships, users }) => {
      const found = invitations.all().flatMap(({ id, team, createdBy, createdAt, expiresAt, acceptedAt }) => {
        const maker = users.get(createdBy)?.user;
        const mayInvite = memberships.get(keyOf(teamId, createdBy))?.role === 'owner';
        if (team?.id !== teamId || acceptedAt !== null || expiresAt <= at || !mayInvite || maker === undefined)
          return [];
        return [{ id, role: team.role, createdBy: maker.name, createdAt, expiresAt }];
      });
      return ascending(found, ({ createdAt, id }) => [createdAt, id]);
    }),
  remove: (teamId, invitationId) =>
    change(({ invitations }) => {
      const found = invitations.get(invitationId);
      if (found === undefined || found.team?.id !== teamId || found.acceptedAt !== null) return false;
      invitations.remove(invitationId);
      return true;
    }),
});
