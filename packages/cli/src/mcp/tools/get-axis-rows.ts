import { AxisName } from '@shipworthy/client/contract';
import { PAGE, PLACE, pageOf } from '../inputs.js';
import { tool } from '../tool.js';
import { checkedRows } from '../used-answers.js';
import { listing, rowLine } from '../words.js';

export const getAxisRows = tool({
  name: 'get_axis_rows',
  title: 'Records under one axis',
  description:
    'Lists what an axis is computed from: issues under scope, bugs under quality, checklist items under ops, test runs under verification, deployments under stability; each with whether it counts.',
  effect: 'reads',
  input: {
    type: 'object',
    properties: { ...PLACE, axis: AxisName, ...PAGE },
    required: ['axis'],
    additionalProperties: false,
  },
  run: async (desk, { axis, limit, cursor, ...place }) => {
    const { client, project, release, path } = await desk.release(place);
    const query = pageOf({ limit, cursor });
    const answer = await client.listAxisRows({ path: { ...path, axis }, query, signal: desk.signal });
    const body = checkedRows(axis, answer.body);
    const heading = `${axis} of ${project.name} ${release.name}${body.next_cursor === null ? '' : ' (more with the cursor)'}:`;
    const none = `${axis} of ${project.name} ${release.name} has no record.`;
    return { text: listing(heading, body.data.map(rowLine), none), structured: body };
  },
});
