import type { Actor } from '../access/actor.js';
import { addressKey } from '../access/email-address.js';
import type { Invitation } from '../access/invitation.js';
import { requireRole } from '../access/permission.js';
import type { Principal } from '../access/principal.js';
import { DomainError, invalid, notFound } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Ports } from '../ports.js';
import type { Role } from '../team/team.js';
import { type Change, type ChangePorts, change } from './change.js';

const DAY = 24 * 3_600_000;
/** How long an invitation is good for unless said otherwise, in milliseconds: 7 days. */
export const INVITATION_LIFE = 7 * DAY;
/** Longest life of an invitation, in milliseconds: 30 days. */
export const LONGEST_INVITATION_LIFE = 30 * DAY;

export interface Invite {
  readonly by: Actor;
  /** Where the person goes; null: an account without a team. */
  readonly team: { readonly id: string; readonly role: Role } | null;
  /** Binds it to this address; null or left out: whoever has the link accepts it. */
  readonly email?: string | null;
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

/** Demands that the person may invite there. @throws DomainError `not-found`, `forbidden` */
const requireInviter = (principal: Principal, teamId: string | null): void => {
  if (teamId !== null) requireRole(principal, teamId, 'owner');
  else if (!principal.administrator)
    throw new DomainError('forbidden', 'Only an administrator invites people without a team.');
};

/** Makes room for an invitation of that address: a member needs none, and an earlier one is replaced. @throws DomainError `already-member` */
const replaceEarlier = async ({ stores, now }: Change, teamId: string | null, email: string): Promise<void> => {
  const key = addressKey(email);
  if (teamId !== null) {
    await stores.teams.lock(teamId);
    const member = (await stores.teams.members(teamId)).find((each) => addressKey(each.email) === key);
    if (member !== undefined) throw new DomainError('already-member', `${member.name} is a member already.`);
  }
  for (const earlier of await stores.invitations.pending(teamId, now))
    if (earlier.email !== null && addressKey(earlier.email) === key)
      await stores.invitations.revoke(teamId, earlier.id, now);
};

/**
 * Invites a person: an owner into the team, an administrator to an account without one. With an address, only an account of
 * that address accepts it; whether there is one changes nothing in the answer.
 * @throws DomainError `not-found`, `forbidden`, `invalid`, `already-member`
 */
export const invite =
  (ports: Pick<Ports, 'stores' | 'clock' | 'newId' | 'secrets'>) =>
  async ({ by, team, email = null, expiresAt = null }: Invite): Promise<CreatedInvitation> => {
    requireInviter(by.principal, team?.id ?? null);
    return change(ports, by, async (changing) => {
      const { stores, now, newId, note } = changing;
      if (expiresAt !== null) requireExpiry(expiresAt, now);
      if (email !== null) await replaceEarlier(changing, team?.id ?? null, email);
      const secret = ports.secrets.newToken();
      const times = {
        createdAt: now,
        expiresAt: expiresAt ?? now + INVITATION_LIFE,
        acceptedAt: null,
        revokedAt: null,
      };
      const maker = { secretHash: ports.secrets.hash(secret), createdBy: by.principal.userId };
      const invitation = { id: newId(), team, email, ...maker, ...times };
      await stores.invitations.create(invitation);
      const detail = { ...(team === null ? {} : { role: team.role }), ...(email === null ? {} : { email }) };
      const resource = { type: 'invitation', id: invitation.id };
      await note({ teamId: team?.id ?? null, action: 'person.invite', resource, detail });
      return { invitation, secret };
    });
  };

export interface RevokeInvitation {
  readonly by: Actor;
  /** null: one into no team. */
  readonly teamId: string | null;
  readonly invitationId: string;
}

/** Makes an invitation unusable before it was used: role owner, or an administrator where it is into no team. @throws DomainError `not-found`, `forbidden` */
export const revokeInvitation =
  (ports: ChangePorts) =>
  async ({ by, teamId, invitationId }: RevokeInvitation): Promise<void> => {
    requireInviter(by.principal, teamId);
    await change(ports, by, async ({ stores, now, note }) => {
      if (!(await stores.invitations.revoke(teamId, invitationId, now))) throw notFound('invitation');
      const resource = { type: 'invitation', id: invitationId };
      await note({ teamId, action: 'invitation.revoke', resource, detail: {} });
    });
  };
