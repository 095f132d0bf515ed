import { useLocation } from 'preact-iso';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { reaches } from '../../api/role.js';
import { navigate } from '../../navigation/navigate.js';
import { WELCOME } from '../../navigation/places.js';
import { Page } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { KeyStep } from './key-step.js';
import { ProjectStep } from './project-step.js';
import { TeamStep } from './team-step.js';
import './welcome.css';

/** How far the journey is; it stands in the address, so that a reload does not begin it anew. */
const goOn = (teamId: string, projectId?: string): void =>
  navigate(`${WELCOME}?team=${teamId}${projectId === undefined ? '' : `&project=${projectId}`}`, { replace: true });

/** The teams the person may make a project in; what is made in the demo would be removed with it. */
const readOwnTeams = async (signal: AbortSignal) => {
  const [teams, caller] = await Promise.all([client.listTeams({ signal }), client.whoAmI({ signal })]);
  const isMember = (teamId: string): boolean =>
    reaches(caller.body.data.teams.find(({ id }) => id === teamId)?.role, 'member');
  return teams.body.data.filter(({ id, demo }) => !demo && isMember(id));
};

/** From nothing to the first report: a team, a project with its first release, a key, and listening. */
export const Welcome = () => {
  const { query } = useLocation();
  const teams = useResource('welcome/teams', readOwnTeams);
  return (
    <div class="journey">
      <Page
        title="A new project"
        lead="Four steps to the first score. Nothing here is final: everything can be renamed later."
      >
        <Shown of={teams}>
          {(own) => {
            const team = own.find(({ id }) => id === query.team);
            const project = team?.projects.find(({ id }) => id === query.project);
            const again = (teamId: string, projectId?: string) => {
              void teams.refresh();
              goOn(teamId, projectId);
            };
            return (
              <ol class="stack">
                <TeamStep teams={own} chosen={team} onDone={(teamId) => again(teamId)} />
                <ProjectStep team={team} chosen={project} onDone={again} />
                <KeyStep team={team} project={project} />
              </ol>
            );
          }}
        </Shown>
      </Page>
    </div>
  );
};
