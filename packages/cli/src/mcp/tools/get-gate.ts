import { AsOf, View } from '@shipworthy/client/contract';
import { PLACE } from '../inputs.js';
import { tool } from '../tool.js';
import { checkedAnswer } from '../used-answers.js';
import { gateLines } from '../words.js';

export const getGate = tool({
  name: 'get_gate',
  title: 'What still holds a release',
  description:
    'Answers whether a release may ship: go, hold or unknown, with every reason and the least that would clear each. Ask this before saying that something is ready.',
  effect: 'reads',
  input: {
    type: 'object',
    properties: { ...PLACE, view: View, as_of: AsOf },
    required: [],
    additionalProperties: false,
  },
  run: async (desk, { view, as_of, ...place }) => {
    const { client, project, release, path } = await desk.release(place);
    const query = { ...(view && { view }), ...(as_of && { as_of }) };
    const body = checkedAnswer('readGate', (await client.readGate({ path, query, signal: desk.signal })).body);
    const { decision, decision_without_waivers, reasons, next_steps, frozen_at } = body.data;
    const waived = decision === decision_without_waivers ? '' : ` (${decision_without_waivers} without waivers)`;
    const frozen = frozen_at === undefined ? '' : ` As decided when it shipped at ${frozen_at}.`;
    const first = `${project.name} ${release.name}: ${decision}${waived}, as of ${body.data.as_of}.${frozen}`;
    return { text: [first, ...gateLines(reasons, next_steps)].join('\n'), structured: body };
  },
});
