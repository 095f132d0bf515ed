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
 * Demands the role as it is stored: what was known of the principal may be a second old, and a role that it gives to others in
 * that second would stay. Who has no account here, as with an embedder's own authentication, is taken at the principal's word.
 * @throws DomainError `not-found`, `forbidden`
 */
export const requireRoleNow = async (
  { teams, users }: Pick<Stores, 'teams' | 'users'>,
  { principal }: Actor,
  teamId: string,
  needed: Role,
): Promise<void> => {
  const { userId } = principal;
  const member = (await teams.members(teamId)).find((one) => one.userId === userId);
  if (member === undefined && (await users.byId(userId)) === undefined) return;
  const roles = new Map(member === undefined || member.disabled ? [] : [[teamId, member.role]]);
  requireRole({ ...principal, roles }, teamId, needed);
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
    await requireRoleNow(changing.stores, by, teamId, needed);
    return work({ ...changing, team });
  });
};
