import { tool } from '../tool.js';
import { section } from '../words.js';

export const listProjects = tool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the teams and projects the key can see, with the active release of each.',
  effect: 'reads',
  input: { type: 'object', properties: {}, required: [], additionalProperties: false },
  run: async ({ connect, signal }) => {
    const { client } = await connect();
    const { body } = await client.listTeams({ signal });
    const lines = body.data.flatMap((team) =>
      team.projects.map(({ name, active_release }) =>
        active_release === null
          ? `${name} (team ${team.name}): no active release`
          : `${name} (team ${team.name}): active release ${active_release.name}`,
      ),
    );
    const text = lines.length === 0 ? 'The key sees no project.' : section('Projects:', lines).join('\n');
    return { text, structured: body };
  },
});
