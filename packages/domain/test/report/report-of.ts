import type { DeploymentReport } from '../../src/deployment.js';
import type { TestRunReport } from '../../src/test-run.js';

/** A finished deployment of Shop, in one call. */
export const deploymentReport = (overrides: Partial<DeploymentReport> = {}): DeploymentReport => ({
  appName: 'Shop',
  projectId: null,
  environment: 'production',
  commitSha: 'abcdef0',
  version: null,
  deployedBy: null,
  status: 'success',
  isReturn: false,
  url: null,
  startedAt: null,
  finishedAt: null,
  durationSeconds: null,
  external: null,
  ...overrides,
});

/** A run of 10 tests, 9 passed. */
export const testRunReport = (overrides: Partial<TestRunReport> = {}): TestRunReport => ({
  releaseId: null,
  suite: null,
  total: 10,
  passed: 9,
  failed: 1,
  skipped: null,
  commitSha: null,
  url: null,
  durationSeconds: null,
  ranAt: null,
  external: null,
  ...overrides,
});
