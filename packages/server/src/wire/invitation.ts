import type {
  InvitationPurpose,
  Invitation as WireInvitation,
  PendingInvitation as WirePending,
  ReceivedInvitation as WireReceived,
} from '@shipworthy/client/contract';
import {
  type CreatedInvitation,
  mixesScripts,
  type PendingInvitation,
  type ReadInvitation,
  type ReceivedInvitation,
} from '@shipworthy/domain';
import { wireMoment } from './moment.js';

/** An invitation as it is answered once, when it is made. `page` is the address where a person accepts. */
export const wireInvitation = ({ invitation, secret }: CreatedInvitation, page: string): WireInvitation => ({
  id: invitation.id,
  token: secret,
  // Behind the hash, which no browser sends and no server logs.
  url: `${page}#${secret}`,
  team_id: invitation.team?.id ?? null,
  role: invitation.team?.role ?? null,
  email: invitation.email,
  mixed_scripts: mixesScripts(invitation.email),
  expires_at: wireMoment(invitation.expiresAt),
});

/** A pending invitation into a team. */
export const wirePendingInvitation = ({ role, ...pending }: PendingInvitation): WirePending => ({
  id: pending.id,
  // Into a team there is a role always.
  role: role ?? 'viewer',
  email: pending.email,
  mixed_scripts: mixesScripts(pending.email),
  created_by: pending.createdBy,
  created_at: wireMoment(pending.createdAt),
  expires_at: wireMoment(pending.expiresAt),
});

/** What an invitation is for, to whoever has its link. */
export const wireInvitationPurpose = (read: ReadInvitation): InvitationPurpose => {
  const { state } = read;
  if (state !== 'open') return { state, team: null, role: null, invited_by: null, email: null, expires_at: null };
  const { invitation, teamName, createdBy } = read;
  return {
    state,
    team: teamName,
    role: invitation.team?.role ?? null,
    invited_by: createdBy,
    email: invitation.email,
    expires_at: wireMoment(invitation.expiresAt),
  };
};

export const wireReceivedInvitation = (received: ReceivedInvitation): WireReceived => ({
  id: received.id,
  team: received.team,
  role: received.role,
  invited_by: received.createdBy,
  created_at: wireMoment(received.createdAt),
  expires_at: wireMoment(received.expiresAt),
});
