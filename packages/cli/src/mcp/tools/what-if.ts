import { WhatIfRequest } from '@shipworthy/client/contract';
import { requireReadings } from '../../verdict/used-report.js';
import { PLACE } from '../inputs.js';
import { tool } from '../tool.js';
import { checkedAnswer } from '../used-answers.js';
import { axisLines, gateLines, scoreWords, section, shownCoverage } from '../words.js';

export const whatIf = tool({
  name: 'what_if',
  title: 'What if',
  description:
    'Answers how a release would stand if facts or demands were other ones, for example 412 of 412 tests passed. Changes nothing. Say clearly that the answer is supposed, not measured.',
  effect: 'reads',
  input: {
    type: 'object',
    properties: { ...PLACE, ...WhatIfRequest.properties },
    required: [],
    additionalProperties: false,
  },
  run: async (desk, { facts, policy, ...place }) => {
    const { client, project, release, path } = await desk.release(place);
    const body = { ...(facts && { facts }), ...(policy && { policy }) };
    const answer = await client.askWhatIf({ path, body, signal: desk.signal });
    checkedAnswer('askWhatIf', answer.body);
    requireReadings('askWhatIf', answer.body.data.report.axes, '/data/report/axes');
    const { report, before } = answer.body.data;
    const stands = `It stands at ${before.decision}, score ${scoreWords(before.score)}, ${shownCoverage(before.coverage)}.`;
    const would = `In that case: ${report.gate.decision}, score ${scoreWords(report.score)}, ${shownCoverage(report.coverage)}.`;
    const text = [
      `${project.name} ${release.name}, supposed and not measured. ${stands} ${would}`,
      ...section('Axes in that case:', axisLines(report.axes)),
      ...gateLines(report.gate.reasons, report.gate.next_steps),
    ];
    return { text: text.join('\n'), structured: answer.body };
  },
});
