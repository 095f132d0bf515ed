import { DomainError, notFound } from '../errors.js';
import { atLeast, type Role } from '../team/team.js';
import type { Principal } from './principal.js';

/** Ids of the teams the principal sees, sorted. */
export const teamsInSight = (principal: Principal): readonly string[] => [...principal.roles.keys()].sort();

/**
 * Demands a role in a team.
 * @throws DomainError `not-found` when the team is out of sight, `forbidden` when the role there is too weak
 */
export const requireRole = (principal: Principal, teamId: string, needed: Role): void => {
  const role = principal.roles.get(teamId);
  if (role === undefined) throw notFound('team');
  if (atLeast(role, needed)) return;
  throw new DomainError('forbidden', `This needs the role ${needed} in the team; yours is ${role}.`, { needed, role });
};
