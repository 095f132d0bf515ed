import { DeploymentFinish } from '@shipworthy/client/contract';
import { tool } from '../tool.js';
import { checkedAnswer } from '../used-answers.js';

const END = DeploymentFinish.properties;

export const finishDeployment = tool({
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
