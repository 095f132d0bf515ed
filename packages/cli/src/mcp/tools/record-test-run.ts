import { TestRunRequest } from '@shipworthy/client/contract';
import { PLACE } from '../inputs.js';
import { tool } from '../tool.js';
import { checkedAnswer } from '../used-answers.js';

const RUN = TestRunRequest.properties;

export const recordTestRun = tool({
  name: 'record_test_run',
  title: 'Record a test run',
  description:
    'Stores the counts of a test run that really ran, taken from its report. Never guess them, and never record a run twice. Each call stores one more run.',
  effect: 'records',
  input: {
    type: 'object',
    properties: {
      ...PLACE,
      total: RUN.total,
      passed: RUN.passed,
      failed: RUN.failed,
      suite: RUN.suite,
      commit_sha: RUN.commit_sha,
      url: RUN.url,
      duration_seconds: RUN.duration_seconds,
      skipped: RUN.skipped,
      ran_at: RUN.ran_at,
    },
    required: ['total', 'passed', 'failed'],
    additionalProperties: false,
  },
  run: async (desk, { app, release: wanted, ...counts }) => {
    const { client, project, release, path } = await desk.release({ app, release: wanted });
    const { release_id, ...at } = path;
    const answer = await client.recordTestRun({ path: at, body: { ...counts, release_id }, signal: desk.signal });
    const body = checkedAnswer('recordTestRun', answer.body);
    const { id, passed: good, total: all } = body.data;
    return {
      text: `Recorded ${good} of ${all} tests passed for ${project.name} ${release.name} (test run ${id}).`,
      structured: body,
    };
  },
});
