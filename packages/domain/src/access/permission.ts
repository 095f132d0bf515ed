import { DomainError, notFound } from '../errors.js';
import { atLeast, type Role } from '../team/team.js';
import type { Principal } from './principal.js';

/** Ids of the teams the principal sees, sorted. */
export const teamsInSight = (principal: Principal): readonly string[] => [...principal.roles.keys()].sort();

/** Whether the principal sees the project: its team and, by a key of one project, that very project. */
export const seesProject = (
  { roles, home }: Principal,
  { id, teamId }: { readonly id: string; readonly teamId: string },
): boolean => roles.has(teamId) && (home?.projectId ?? id) === id;

/** The principal with its home alone in sight; the same principal when it has none. */
export const atHome = (principal: Principal): Principal => {
  const { home, roles } = principal;
  return home === undefined
    ? principal
    : { ...principal, roles: new Map([...roles].filter(([teamId]) => home.teamIds.includes(teamId))) };
};

/**
 * Whether names that its home does not know may mean projects of other teams in sight. Not while a team of its home is out of
 * sight: the name may be known there.
 */
export const mayLookBeyond = ({ home, roles }: Principal): boolean =>
  home !== undefined && roles.size > home.teamIds.length && home.teamIds.every((teamId) => roles.has(teamId));

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
