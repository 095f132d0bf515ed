import { DeploymentFinish, DeploymentRequest, TestRunRequest } from '@shipworthy/client/contract';
import { checkedAnswer } from './answers.js';
import { APP, PLACE_ARGUMENTS, tool } from './tool.js';

const { environment, commit_sha, version, deployed_by, status, started_at, finished_at, duration_seconds, url } =
  DeploymentRequest.properties;

export const recordDeploymentTool = tool({
  name: 'record_deployment',
  title: 'Record a deployment',
  description:
    'Stores a deployment that really began (status started) or really ended (success, failure). Never report one that did not happen. Each call stores one more deployment.',
  effect: 'records',
  input: {
    type: 'object',
    properties: {
      ...APP,
      environment,
      commit_sha,
      version,
      deployed_by,
      status,
      started_at,
      finished_at,
      duration_seconds,
      url,
    },
    required: ['environment', 'commit_sha', 'status'],
    additionalProperties: false,
  },
  run: async (desk, { app, ...deployment }) => {
    const { client, project } = await desk.project({ app });
    const body = { ...deployment, app_name: project.name, project_id: project.id };
    const answer = await client.recordDeployment({ body, signal: desk.signal });
    const { id, status: said, environment: where } = checkedAnswer('recordDeployment', answer.body).data;
    return {
      text: `Recorded the deployment of ${project.name} to ${where} as ${said} (deployment ${id}).`,
      structured: answer.body,
    };
  },
});

const END = DeploymentFinish.properties;

export const finishDeploymentTool = tool({
  name: 'finish_deployment',
  title: 'Finish a deployment',
  description:
    'Stores how a deployment that was recorded as started really ended. Final: the other status is refused afterwards.',
  effect: 'settles',
  input: {
    type: 'object',
    properties: {
      deployment_id: { type: 'string', format: 'uuid', description: 'As record_deployment answered it.' },
      status: END.status,
      duration_seconds: END.duration_seconds,
    },
    required: ['deployment_id', 'status'],
    additionalProperties: false,
  },
  run: async ({ connect, signal }, { deployment_id, ...body }) => {
    const { client } = await connect();
    const answer = await client.finishDeployment({ path: { deployment_id }, body, signal });
    const { app_name, environment, status: said } = checkedAnswer('finishDeployment', answer.body).data;
    return { text: `The deployment of ${app_name} to ${environment} ended as ${said}.`, structured: answer.body };
  },
});

const RUN = TestRunRequest.properties;

export const recordTestRunTool = tool({
  name: 'record_test_run',
  title: 'Record a test run',
  description:
    'Stores the counts of a test run that really ran, taken from its report. Never guess them, and never record a run twice. Each call stores one more run.',
  effect: 'records',
  input: {
    type: 'object',
    properties: {
      ...PLACE_ARGUMENTS,
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
