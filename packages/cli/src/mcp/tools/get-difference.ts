import { DifferenceQuery } from '@shipworthy/client/contract';
import { PLACE } from '../inputs.js';
import { tool } from '../tool.js';
import { checkedAnswer } from '../used-answers.js';
import { scoreWords, section } from '../words.js';

export const getDifference = tool({
  name: 'get_difference',
  title: 'What changed',
  description: 'Answers what changed in a release between two moments, down to the records that moved it.',
  effect: 'reads',
  input: {
    type: 'object',
    properties: { ...PLACE, ...DifferenceQuery.properties },
    required: ['from'],
    additionalProperties: false,
  },
  run: async (desk, { from, to, limit, cursor, ...place }) => {
    const { client, project, release, path } = await desk.release(place);
    const query = { from, ...(to && { to }), ...(limit && { limit }), ...(cursor && { cursor }) };
    const body = checkedAnswer(
      'readDifference',
      (await client.readDifference({ path, query, signal: desk.signal })).body,
    );
    const { axes, reasons, data, record_count, next_cursor } = body;
    const reading = ({ decision, score }: typeof body.from) => `${decision}, score ${scoreWords(score)}`;
    const moved = axes.filter(({ before, after }) => before.score !== after.score || before.state !== after.state);
    const text = [
      `${project.name} ${release.name}: from ${reading(body.from)} to ${reading(body.to)}; ${record_count} changes.`,
      ...section(
        'Axes that moved:',
        moved.map(({ axis, before, after }) => `${axis}: ${scoreWords(before.score)} to ${scoreWords(after.score)}`),
      ),
      ...section(
        'Reasons that are gone:',
        reasons.gone.map(({ message }) => message),
      ),
      ...section(
        'Reasons that came:',
        reasons.come.map(({ message }) => message),
      ),
      ...section(
        'Records:',
        data.map(({ kind, id, at, title, what }) => `${at} ${kind} ${title ?? id}: ${what.join(', ')}`),
      ),
      ...(next_cursor === null ? [] : [`There are more records: ask again with cursor ${next_cursor}.`]),
    ];
    return { text: text.join('\n'), structured: body };
  },
});
