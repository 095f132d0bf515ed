import { agentSteps } from './agent/agent-step.js';
import { CREDENTIALS } from './credentials/credential-steps.js';
import { HOST_STEPS } from './host/host-steps.js';
import { HTTPS_STEPS } from './https/https-steps.js';
import { REPOSITORY_STEPS } from './repository/repository-steps.js';
import { CONNECTION_STEPS } from './server/connection-steps.js';
import { KEY_STEPS } from './server/key-steps.js';
import { SETTINGS_STEPS } from './server/settings-steps.js';
import type { Group } from './step.js';

/** Every group, in the order they are shown; a step stands behind those it depends on. */
export const allGroups = (agentTimeoutMs: number): readonly Group[] => [
  { id: 'server', title: 'Settings and server', steps: [...SETTINGS_STEPS, ...CONNECTION_STEPS, ...KEY_STEPS] },
  { id: 'host', title: 'Repository host', steps: HOST_STEPS },
  { id: 'repository', title: 'Repository', steps: REPOSITORY_STEPS },
  { id: 'https', title: 'Reachable over HTTPS', steps: HTTPS_STEPS },
  CREDENTIALS,
  { id: 'agent', title: 'Agent proof', steps: agentSteps(agentTimeoutMs) },
];
