import { PAGE, PLACE, pageOf } from '../inputs.js';
import { tool } from '../tool.js';
import { checkedAnswer } from '../used-answers.js';
import { listing, pointLine } from '../words.js';

export const getHistory = tool({
  name: 'get_history',
  title: 'History of a release',
  description: 'Lists the points of a release’s past, oldest first: score, decision and what moved them.',
  effect: 'reads',
  input: { type: 'object', properties: { ...PLACE, ...PAGE }, required: [], additionalProperties: false },
  run: async (desk, { limit, cursor, ...place }) => {
    const { client, project, release, path } = await desk.release(place);
    const query = pageOf({ limit, cursor });
    const body = checkedAnswer('listHistory', (await client.listHistory({ path, query, signal: desk.signal })).body);
    const heading = `${project.name} ${release.name}${body.next_cursor === null ? '' : ' (more with the cursor)'}:`;
    const none = `${project.name} ${release.name} has no history yet.`;
    return { text: listing(heading, body.data.map(pointLine), none), structured: body };
  },
});
