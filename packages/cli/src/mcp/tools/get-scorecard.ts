import { AsOf, View } from '@shipworthy/client/contract';
import { requireExplained } from '../../verdict/used-report.js';
import { PLACE } from '../inputs.js';
import { tool } from '../tool.js';
import { checkedAnswer } from '../used-answers.js';
import { axisLines, gateLines, scoreWords, section, shownCoverage } from '../words.js';

export const getScorecard = tool({
  name: 'get_scorecard',
  title: 'Readiness of a release',
  description:
    'Answers the readiness score of a release with its five axes (scope, quality, ops, verification, stability), the numbers behind each, and the ship gate.',
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
    const body = checkedAnswer(
      'readReadiness',
      (await client.readReadiness({ path, query, signal: desk.signal })).body,
    );
    requireExplained('readReadiness', body.data);
    const { score, coverage, axes, gate, silent_sources } = body.data;
    const text = [
      `${project.name} ${release.name}: score ${scoreWords(score)}, ${shownCoverage(coverage)}, gate ${gate.decision}, as of ${body.data.as_of}.`,
      ...section('Axes:', axisLines(axes)),
      ...gateLines(gate.reasons, gate.next_steps),
      ...section(
        'Sources that fell silent:',
        silent_sources.map(({ source }) => source),
      ),
    ];
    return { text: text.join('\n'), structured: body };
  },
});
