import { DomainError } from '../errors.js';
import type { Role } from './team.js';

/**
 * Demands that an owner whose account is not disabled is left when an owner takes another role (null: leaves). Others are free to,
 * also in a team whose owners are all disabled. @throws DomainError `last-owner`
 */
export const requireOwnerLeft = (
  members: readonly { readonly userId: string; readonly role: Role; readonly disabled: boolean }[],
  userId: string,
  role: Role | null,
): void => {
  const isOwner = members.some((member) => member.userId === userId && member.role === 'owner');
  const stays = members.some((member) => member.role === 'owner' && member.userId !== userId && !member.disabled);
  if (role === 'owner' || !isOwner || stays) return;
  throw new DomainError('last-owner', 'The last owner of a team stays its owner.');
};
