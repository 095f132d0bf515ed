import type { Actor } from '../access/actor.js';
import { requireRole } from '../access/permission.js';
import { notFound } from '../errors.js';
import type { Stores } from '../ports.js';
import type { Role, Team } from '../team/team.js';
import { type Change, type ChangePorts, change } from './change.js';

/** A command that concerns one team. */
export interface InTeam {
  readonly by: Actor;
  readonly teamId: string;
}

export interface TeamChange extends Change {
  readonly team: Team;
}

/**
 * The caller's role as it is stored: what was known of the principal may be a second old, and what it does in that second may
 * stay. Who has no account here, as with an embedder's own authentication, is taken at the principal's word.
 */
export const storedRole = async (
  { teams, users }: Pick<Stores, 'teams' | 'users'>,
  { principal }: Actor,
  teamId: string,
): Promise<Role | undefined> => {
  const { userId } = principal;
  const member = (await teams.members(teamId)).find((one) => one.userId === userId);
  if (member === undefined && (await users.byId(userId)) === undefined) return principal.roles.get(teamId);
  return member === undefined || member.disabled ? undefined : member.role;
};

/** Demands the role as it is stored. @throws DomainError `not-found`, `forbidden` */
export const requireStoredRole = async (
  stores: Pick<Stores, 'teams' | 'users'>,
  by: Actor,
  teamId: string,
  needed: Role,
): Promise<void> => {
  const role = await storedRole(stores, by, teamId);
  const roles = new Map(role === undefined ? [] : [[teamId, role]]);
  requireRole({ ...by.principal, roles }, teamId, needed);
};

/**
 * Runs a change of a team with its membership held still.
 * @throws DomainError `not-found` when the team is out of sight, `forbidden` when the role is too weak
 */
export const changeTeam = async <Result>(
  ports: ChangePorts,
  { by, teamId }: InTeam,
  needed: Role,
  work: (change: TeamChange) => Promise<Result>,
): Promise<Result> => {
  requireRole(by.principal, teamId, needed);
  return change(ports, by, async (changing) => {
    await changing.stores.teams.lock(teamId);
    const team = await changing.stores.teams.byId(teamId);
    if (team === undefined) throw notFound('team');
    await requireStoredRole(changing.stores, by, teamId, needed);
    return work({ ...changing, team });
  });
};
