import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { projectAddress, WELCOME } from '../../navigation/places.js';
import { Panel } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';

/** The projects a person may link a repository to: those of teams they own. */
export const LinkPlaces = () => {
  const teams = useResource('link-places', async (signal) => {
    const [{ body: list }, { body: caller }] = await Promise.all([
      client.listTeams({ signal }),
      client.whoAmI({ signal }),
    ]);
    const owned = new Set(caller.data.teams.filter(({ role }) => role === 'owner').map(({ id }) => id));
    return list.data.filter(({ id }) => owned.has(id));
  });
  return (
    <Panel title="Link a repository to a project">
      <Shown of={teams} lines={2}>
        {(known) =>
          known.every(({ projects }) => projects.length === 0) ? (
            <p class="soft">
              You own no project yet. <a href={WELCOME}>Create a project</a>, then link its repository.
            </p>
          ) : (
            <ul class="stack tight">
              {known.flatMap((team) =>
                team.projects.map((project) => (
                  <li key={project.id}>
                    <a href={`${projectAddress({ teamId: team.id, projectId: project.id })}/settings/repository`}>
                      {project.name}
                    </a>{' '}
                    <span class="soft small">{team.name}</span>
                  </li>
                )),
              )}
            </ul>
          )
        }
      </Shown>
    </Panel>
  );
};
