import type { Actor } from '../access/actor.js';
import { requireRole } from '../access/permission.js';
import { notFound } from '../errors.js';
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
    return work({ ...changing, team });
  });
};
