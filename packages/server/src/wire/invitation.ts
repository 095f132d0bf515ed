import type { Invitation as WireInvitation, PendingInvitation as WirePending } from '@shipworthy/client/contract';
import type { CreatedInvitation, PendingInvitation } from '@shipworthy/domain';
import { wireMoment } from './moment.js';

/** The page where a person accepts. The token stands behind the hash, which no browser sends and no server logs. */
const pageOf = (baseUrl: URL, token: string): string => new URL(`/invitation#${token}`, baseUrl).href;

/** An invitation as it is answered once, when it is made. */
export const wireInvitation = ({ invitation, secret }: CreatedInvitation, baseUrl: URL): WireInvitation => ({
  id: invitation.id,
  token: secret,
  url: pageOf(baseUrl, secret),
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
