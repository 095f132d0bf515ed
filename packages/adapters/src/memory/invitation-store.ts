import type { InvitationStore } from '@shipworthy/domain';
import type { TableAccess } from './table-access.js';

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
});
