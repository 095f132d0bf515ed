import type { Deployment } from '../../src/deployment.js';

/** A started deployment. */
export const deploymentOf = (overrides: Partial<Deployment> = {}): Deployment => ({
  id: 'd1',
  projectId: 'p1',
  appName: 'Shop',
  environment: 'production',
  commitSha: 'abcdef0',
  version: null,
  deployedBy: null,
  status: 'started',
  isReturn: false,
  url: null,
  startedAt: 100,
  finishedAt: null,
  durationSeconds: null,
  createdAt: 100,
  external: null,
  ...overrides,
});
