import { DeploymentRequest } from '@shipworthy/client/contract';
import { APP } from '../inputs.js';
import { tool } from '../tool.js';
import { checkedAnswer } from '../used-answers.js';

const { environment, commit_sha, version, deployed_by, status, started_at, finished_at, duration_seconds, url } =
  DeploymentRequest.properties;

export const recordDeployment = tool({
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
