import type { Role, User } from '@shipworthy/domain';
import type { Tables } from './tables.js';

/** A person with the roles of now. */
export const personWithRoles = (
  { users, memberships }: Tables,
  userId: string,
): { readonly user: User; readonly roles: ReadonlyMap<string, Role> } | undefined => {
  const found = users.get(userId);
  if (found === undefined) return undefined;
  const roles = new Map(memberships.where('user', userId).map(({ teamId, role }) => [teamId, role]));
  return { user: found.user, roles };
};
