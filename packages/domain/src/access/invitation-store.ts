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

export interface InvitationStore {
  create(invitation: Invitation): Promise<void>;
  bySecretHash(secretHash: string): Promise<Invitation | undefined>;
  /** Marks it used by one conditional update; false when it was used or expires at or before `at`. */
  accept(invitationId: string, at: Instant): Promise<boolean>;
}
