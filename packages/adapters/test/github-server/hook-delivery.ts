import { createHmac, randomUUID } from 'node:crypto';
import type { Addresses } from './addresses.js';
import type { Deployment, DeploymentStatus, Issue, Milestone, Repository, WorkflowRun } from './records.js';
import { accountJson } from './rest/account-json.js';
import { workflowRunJson } from './rest/check-json.js';
import { deploymentJson, statusJson } from './rest/deployment-json.js';
import { issueJson, milestoneJson } from './rest/issue-json.js';
import { repositoryJson } from './rest/repository-json.js';

/** The subject of a webhook. */
export type HookEvent = { readonly repository: Repository } & (
  | { readonly name: 'issues'; readonly action: string; readonly issue: Issue }
  | { readonly name: 'milestone'; readonly action: string; readonly milestone: Milestone }
  | { readonly name: 'deployment'; readonly action: string; readonly deployment: Deployment }
  | { readonly name: 'deployment_status'; readonly action: string; readonly status: DeploymentStatus }
  | { readonly name: 'workflow_run'; readonly action: string; readonly run: WorkflowRun }
  | { readonly name: 'ping' | 'push' | 'repository'; readonly action: string }
);

export interface SignedHook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface HookSeal {
  readonly secret: string;
  /** A new one unless given. */
  readonly deliveryId?: string;
}

const payloadOf = (addresses: Addresses, event: HookEvent): object => {
  switch (event.name) {
    case 'issues':
      return { issue: issueJson(addresses, event.issue) };
    case 'milestone':
      return { milestone: milestoneJson(addresses, event.milestone) };
    case 'deployment':
      return { deployment: deploymentJson(addresses, event.deployment) };
    case 'deployment_status': {
      const deployment = deploymentJson(addresses, event.status.deployment);
      return { deployment, deployment_status: statusJson(addresses, event.status) };
    }
    case 'workflow_run':
      return { workflow_run: workflowRunJson(addresses, event.run) };
    case 'ping':
      return { zen: 'Keep it logically awesome.', hook_id: 1 };
    default:
      return {};
  }
};

/** The delivery of an event, signed with HMAC-SHA-256 over its body. */
export const signedHook = (addresses: Addresses, event: HookEvent, { secret, deliveryId }: HookSeal): SignedHook => {
  const { repository, name, action } = event;
  const common = {
    repository: repositoryJson(addresses, repository),
    sender: accountJson(addresses, repository.owner),
  };
  const body = Buffer.from(JSON.stringify({ action, ...payloadOf(addresses, event), ...common }));
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/0000000',
      'x-github-event': name,
      'x-github-delivery': deliveryId ?? randomUUID(),
      'x-github-hook-id': '1',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  };
};

/** Sends an event to an address; answers its status. */
export type Deliver = (event: HookEvent, target: HookSeal & { readonly to: string }) => Promise<number>;

export const deliverer =
  (addresses: Addresses): Deliver =>
  async (event, { to, ...seal }) => {
    const { headers, body } = signedHook(addresses, event, seal);
    const response = await fetch(to, { method: 'POST', headers, body: new Uint8Array(body), redirect: 'manual' });
    await response.arrayBuffer();
    return response.status;
  };
