import { APP, PAGE, pageOf } from '../inputs.js';
import { tool } from '../tool.js';
import { checkedAnswer } from '../used-answers.js';
import { listing } from '../words.js';

export const listReleases = tool({
  name: 'list_releases',
  title: 'List releases',
  description: 'Lists the releases of a project, newest first, with state and window.',
  effect: 'reads',
  input: { type: 'object', properties: { ...APP, ...PAGE }, required: [], additionalProperties: false },
  run: async (desk, args) => {
    const { client, project, path } = await desk.project(args);
    const answer = await client.listReleases({ path, query: pageOf(args), signal: desk.signal });
    const body = checkedAnswer('listReleases', answer.body);
    const lines = body.data.map(
      ({ name, state, starts_at, shipped_at }) =>
        `${name}: ${state}${starts_at ? `, since ${starts_at}` : ''}${shipped_at ? `, shipped ${shipped_at}` : ''}`,
    );
    const text = listing(`Releases of ${project.name}:`, lines, `${project.name} has no release.`);
    return { text, structured: body };
  },
});
