import type { Invitation as WireInvitation, PendingInvitation as WirePending } from '@shipworthy/client/contract';
import type { CreatedInvitation, PendingInvitation } from '@shipworthy/domain';
import { wireMoment } from './moment.js';

/** An invitation as it is answered once, when it is made. `page` is the address where a person accepts. */
export const wireInvitation = ({ invitation, secret }: CreatedInvitation, page: string): WireInvitation => ({
  id: invitation.id,
  token: secret,
  // Behind the hash, which no browser sends and no server logs.
  url: `${page}#${secret}`,
  team_id: invitation.team?.id ?? null,
  role: invitation.team?.role ?? null,
  expires_at: wireMoment(invitation.expiresAt),
});

export const wirePendingInvitation = (pending: PendingInvitation): WirePending => ({
  id: pending.id,
  role: pending.role,
  created_by: pending.createdBy,
  created_at: wireMoment(pending.createdAt),
  expires_at: wireMoment(pending.expiresAt),
});
