import { PAGE, PLACE, pageOf } from '../inputs.js';
import { tool } from '../tool.js';
import { pointLine, section } from '../words.js';

export const getHistory = tool({
  name: 'get_history',
  title: 'History of a release',
  description: 'Lists the points of a release’s past, oldest first: score, decision and what moved them.',
  effect: 'reads',
  input: { type: 'object', properties: { ...PLACE, ...PAGE }, required: [], additionalProperties: false },
  run: async (desk, { limit, cursor, ...place }) => {
    const { client, project, release, path } = await desk.release(place);
    const query = pageOf({ ...(limit && { limit }), ...(cursor && { cursor }) });
    const { body } = await client.listHistory({ path, query, signal: desk.signal });
    const heading = `${project.name} ${release.name}${body.next_cursor === null ? '' : ' (more with the cursor)'}:`;
    const lines = body.data.map(pointLine);
    return {
      text:
        lines.length === 0 ? `${project.name} ${release.name} has no history yet.` : section(heading, lines).join('\n'),
      structured: body,
    };
  },
});
