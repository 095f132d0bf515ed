import { visibleTeams } from '../../project/find-project.js';
import { tool } from '../tool.js';
import { listing } from '../words.js';

export const listProjects = tool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the teams and projects the key can see, with the active release of each.',
  effect: 'reads',
  input: { type: 'object', properties: {}, required: [], additionalProperties: false },
  run: async ({ connect, signal }) => {
    const { client } = await connect();
    const data = await visibleTeams(client, { signal });
    const lines = data.flatMap((team) =>
      team.projects.map(({ name, active_release }) =>
        active_release === null
          ? `${name} (team ${team.name}): no active release`
          : `${name} (team ${team.name}): active release ${active_release.name}`,
      ),
    );
    return { text: listing('Projects:', lines, 'The key sees no project.'), structured: { data } };
  },
});
