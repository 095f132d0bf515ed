import { operations } from '@shipworthy/client/contract';
import { APP, PAGE, pageOf } from '../inputs.js';
import { tool } from '../tool.js';
import { checkedAnswer } from '../used-answers.js';
import { listing } from '../words.js';

const { kind } = operations.listNotCounted.query.properties;

export const listNotCounted = tool({
  name: 'list_not_counted',
  title: 'Reported but not counted',
  description: 'Lists deployments or test runs that were accepted and count for no release, each with the reason.',
  effect: 'reads',
  input: { type: 'object', properties: { ...APP, kind, ...PAGE }, required: ['kind'], additionalProperties: false },
  run: async (desk, { kind: wanted, limit, cursor, ...place }) => {
    const { client, project, path } = await desk.project(place);
    const query = { kind: wanted, ...pageOf({ limit, cursor }) };
    const answer = await client.listNotCounted({ path, query, signal: desk.signal });
    const body = checkedAnswer(
      `listNotCounted of ${wanted === 'deployment' ? 'deployments' : 'test runs'}`,
      answer.body,
    );
    const lines = body.data.map((row) =>
      'deployment' in row
        ? `${row.deployment.commit_sha} to ${row.deployment.environment} (${row.deployment.status}): ${row.reason}`
        : `${row.test_run.suite ?? 'no suite'}, ran ${row.test_run.ran_at}: ${row.reason}`,
    );
    const heading = `Reported for ${project.name} and not counted:`;
    return { text: listing(heading, lines, `Nothing reported for ${project.name} is left out.`), structured: body };
  },
});
