import { seesProject, teamsInSight } from '../access/permission.js';
import type { Principal } from '../access/principal.js';
import type { Stores } from '../ports.js';
import type { TeamOverview } from '../team/team-store.js';

/** The teams in sight with the projects in sight, by names. */
export const readTeams = async (
  { teams }: Pick<Stores, 'teams'>,
  principal: Principal,
): Promise<readonly TeamOverview[]> => {
  const overviews = await teams.overview(teamsInSight(principal));
  return overviews.map(({ team, projects }) => ({
    team,
    projects: projects.filter(({ id }) => seesProject(principal, { id, teamId: team.id })),
  }));
};
