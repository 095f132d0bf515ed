import type { Instant } from '../instant.js';
import type { Role } from '../team/team.js';
import { addressKey } from './email-address.js';

/** What a person is asked to join by accepting; only the hash of its link's secret is kept. */
export interface Invitation {
  readonly id: string;
  readonly secretHash: string;
  /** null: an account without a team. */
  readonly team: { readonly id: string; readonly role: Role } | null;
  /** The address it is bound to, as given: only an account with that address accepts it. null: whoever has the link. */
  readonly email: string | null;
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly acceptedAt: Instant | null;
  /** When an owner or an administrator revoked it, or the person declined it. */
  readonly revokedAt: Instant | null;
}

/** Whether an invitation can be accepted, or why not any more. */
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
