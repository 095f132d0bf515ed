import type { Instant } from '../instant.js';
import type { Role } from '../team/team.js';

/** A one-time link for a new person; only the hash of its secret is kept. */
export interface Invitation {
  readonly id: string;
  readonly secretHash: string;
  /** null: an account without a team. */
  readonly team: { readonly id: string; readonly role: Role } | null;
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly acceptedAt: Instant | null;
}

/** An invitation into a team that can still be accepted, as owners see it. */
export interface PendingInvitation {
  readonly id: string;
  readonly role: Role;
  /** Who made it, by name. */
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export interface InvitationStore {
  create(invitation: Invitation): Promise<void>;
  bySecretHash(secretHash: string): Promise<Invitation | undefined>;
  /** Marks it used by one conditional update; false when it was used or expires at or before `at`. */
  accept(invitationId: string, at: Instant): Promise<boolean>;
  /** Those into the team that can be accepted at that moment: not used, not expired, made by one of its owners. Oldest first. */
  pending(teamId: string, at: Instant): Promise<readonly PendingInvitation[]>;
  /** Removes one into the team that was not used; false when there is none. */
  remove(teamId: string, invitationId: string): Promise<boolean>;
}
