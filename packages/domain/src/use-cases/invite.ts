import type { Actor } from '../access/actor.js';
import type { Invitation } from '../access/invitation-store.js';
import { requireRole } from '../access/permission.js';
import { DomainError } from '../errors.js';
import type { Ports } from '../ports.js';
import type { Role } from '../team/team.js';
import { change } from './change.js';

/** How long an invitation is good for, in milliseconds: 7 days. */
export const INVITATION_LIFE = 7 * 24 * 3_600_000;

export interface Invite {
  readonly by: Actor;
  /** Where the person goes; null: an account without a team. */
  readonly team: { readonly id: string; readonly role: Role } | null;
}

export interface CreatedInvitation {
  readonly invitation: Invitation;
  /** For the one-time link; shown once. */
  readonly secret: string;
}

/** Invites a new person: an owner into the team, an administrator without one. @throws DomainError `not-found`, `forbidden` */
export const invite =
  (ports: Pick<Ports, 'stores' | 'clock' | 'newId' | 'secrets'>) =>
  async ({ by, team }: Invite): Promise<CreatedInvitation> => {
    if (team !== null) requireRole(by.principal, team.id, 'owner');
    else if (!by.principal.administrator)
      throw new DomainError('forbidden', 'Only an administrator invites people without a team.');
    return change(ports, by, async ({ stores, now, newId, note }) => {
      const secret = ports.secrets.newToken();
      const times = { createdAt: now, expiresAt: now + INVITATION_LIFE, acceptedAt: null };
      const maker = { secretHash: ports.secrets.hash(secret), createdBy: by.principal.userId };
      const invitation = { id: newId(), team, ...maker, ...times };
      await stores.invitations.create(invitation);
      const detail = team === null ? {} : { role: team.role };
      const resource = { type: 'invitation', id: invitation.id };
      await note({ teamId: team?.id ?? null, action: 'person.invite', resource, detail });
      return { invitation, secret };
    });
  };
