import { DomainError } from '../errors.js';
import type { Role } from './team.js';

/** Demands that an owner is left when a member takes another role (null: leaves). @throws DomainError `last-owner` */
export const requireOwnerLeft = (
  members: readonly { readonly userId: string; readonly role: Role }[],
  userId: string,
  role: Role | null,
): void => {
  if (role === 'owner' || members.some((member) => member.role === 'owner' && member.userId !== userId)) return;
  throw new DomainError('last-owner', 'The last owner of a team stays its owner.');
};
