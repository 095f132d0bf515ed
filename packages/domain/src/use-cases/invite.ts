import type { Actor } from '../access/actor.js';
import type { Invitation } from '../access/invitation-store.js';
import { requireRole } from '../access/permission.js';
import { DomainError, invalid, notFound } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Ports } from '../ports.js';
import type { Role } from '../team/team.js';
import { type ChangePorts, change } from './change.js';
import { changeTeam, type InTeam } from './in-team.js';

const DAY = 24 * 3_600_000;
/** How long an invitation is good for unless said otherwise, in milliseconds: 7 days. */
export const INVITATION_LIFE = 7 * DAY;
/** Longest life of an invitation, in milliseconds: 30 days. */
export const LONGEST_INVITATION_LIFE = 30 * DAY;

export interface Invite {
  readonly by: Actor;
  /** Where the person goes; null: an account without a team. */
  readonly team: { readonly id: string; readonly role: Role } | null;
  /** After now and within 30 days; null or left out: in 7 days. */
  readonly expiresAt?: Instant | null;
}

export interface CreatedInvitation {
  readonly invitation: Invitation;
  /** For the one-time link; shown once. */
  readonly secret: string;
}

const requireExpiry = (expiresAt: Instant, now: Instant): void => {
  if (expiresAt > now && expiresAt <= now + LONGEST_INVITATION_LIFE) return;
  const message = 'An invitation expires after now and within 30 days.';
  throw invalid([{ pointer: '/expires_at', code: 'out-of-range', message }]);
};

/** Invites a new person: an owner into the team, an administrator without one. @throws DomainError `not-found`, `forbidden`, `invalid` */
export const invite =
  (ports: Pick<Ports, 'stores' | 'clock' | 'newId' | 'secrets'>) =>
  async ({ by, team, expiresAt = null }: Invite): Promise<CreatedInvitation> => {
    if (team !== null) requireRole(by.principal, team.id, 'owner');
    else if (!by.principal.administrator)
      throw new DomainError('forbidden', 'Only an administrator invites people without a team.');
    return change(ports, by, async ({ stores, now, newId, note }) => {
      if (expiresAt !== null) requireExpiry(expiresAt, now);
      const secret = ports.secrets.newToken();
      const times = { createdAt: now, expiresAt: expiresAt ?? now + INVITATION_LIFE, acceptedAt: null };
      const maker = { secretHash: ports.secrets.hash(secret), createdBy: by.principal.userId };
      const invitation = { id: newId(), team, ...maker, ...times };
      await stores.invitations.create(invitation);
      const detail = team === null ? {} : { role: team.role };
      const resource = { type: 'invitation', id: invitation.id };
      await note({ teamId: team?.id ?? null, action: 'person.invite', resource, detail });
      return { invitation, secret };
    });
  };

export interface RevokeInvitation extends InTeam {
  readonly invitationId: string;
}

/** Makes an invitation into the team unusable before it was used. Role owner. @throws DomainError `not-found`, `forbidden` */
export const revokeInvitation =
  (ports: ChangePorts) =>
  (command: RevokeInvitation): Promise<void> =>
    changeTeam(ports, command, 'owner', async ({ stores, team, note }) => {
      const { invitationId } = command;
      if (!(await stores.invitations.remove(team.id, invitationId))) throw notFound('invitation');
      const resource = { type: 'invitation', id: invitationId };
      await note({ teamId: team.id, action: 'invitation.revoke', resource, detail: {} });
    });
