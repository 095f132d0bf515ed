import type { Role } from '../team.js';
import type { Instant } from '../time.js';
import { addressKey } from './person.js';

/** An invitation that can still be accepted, as shown to the people who may create such invitations. */
export interface PendingInvitation {
  readonly id: string;
  /** The role in the team; null: it leads to an account without a team. */
  readonly role: Role | null;
  /** The address that the invitation is bound to; null: none. */
  readonly email: string | null;
  /** Who made it, by name. */
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** An invitation into a team that is bound to a person's address, as that person sees it. */
export interface ReceivedInvitation {
  readonly id: string;
  readonly team: { readonly id: string; readonly name: string };
  readonly role: Role;
  /** Who made it, by name. */
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/**
 * Pending is an invitation that is not used, not revoked, not expired, and whose maker may still invite: an owner of the team,
 * or an administrator where there is no team, whose account is not disabled.
 */
export interface InvitationStore {
  create(invitation: Invitation): Promise<void>;
  byId(invitationId: string): Promise<Invitation | undefined>;
  bySecretHash(secretHash: string): Promise<Invitation | undefined>;
  /** Marks it used by one conditional update; false when it was used, was revoked or expires at or before `at`. */
  accept(invitationId: string, at: Instant): Promise<boolean>;
  /** The invitations into the team, or into no team (null), that are pending at that moment. Oldest first. */
  pending(teamId: string | null, at: Instant): Promise<readonly PendingInvitation[]>;
  /** The invitations into teams that are bound to the address with that key and pending at that moment. Oldest first. */
  received(addressKey: string, at: Instant): Promise<readonly ReceivedInvitation[]>;
  /** Revokes an invitation into the team, or into no team (null); false when there is none, or it was used or revoked before. */
  revoke(teamId: string | null, invitationId: string, at: Instant): Promise<boolean>;
  /** Revokes the invitations that the person made and that are neither used nor revoked; with a team, only those into it. */
  revokeMadeBy(maker: { readonly userId: string; readonly teamId?: string }, at: Instant): Promise<void>;
}

/** What a person is asked to join by accepting; only the hash of its link's secret is kept. */
export interface Invitation {
  readonly id: string;
  readonly secretHash: string;
  /** null: an account without a team. */
  readonly team: { readonly id: string; readonly role: Role } | null;
  /** The address it is bound to, as given: only an account with that address accepts it. null: anyone who has the link. */
  readonly email: string | null;
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly acceptedAt: Instant | null;
  /** When an owner or an administrator revoked it, or the person declined it. */
  readonly revokedAt: Instant | null;
}

/** Whether an invitation can be accepted, or why it no longer can. */
export type InvitationState = 'open' | 'used' | 'revoked' | 'expired';

/** The state of an invitation at that moment. An open one also needs a maker who may still invite. */
export const invitationState = ({ acceptedAt, revokedAt, expiresAt }: Invitation, now: Instant): InvitationState => {
  if (acceptedAt !== null) return 'used';
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= now ? 'expired' : 'open';
};

/** Whether an account with that address may accept the invitation. */
export const isFor = ({ email }: Pick<Invitation, 'email'>, address: string): boolean =>
  email === null || addressKey(email) === addressKey(address);
