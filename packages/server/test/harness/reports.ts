import type { DeploymentRequest, TestRunRequest } from '@shipworthy/client/contract';

/** What a pipeline sends when a deployment begins, as the interface's description shows it. */
export const STARTED: DeploymentRequest = {
  app_name: 'checkout',
  environment: 'production',
  commit_sha: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  version: '2.4.1',
  deployed_by: 'github-actions',
  status: 'started',
};

/** A deployment reported in one call when it is over. */
export const FINISHED: DeploymentRequest = { ...STARTED, status: 'success', duration_seconds: 94.5 };

/** The routes of test runs. */
export const RUN: TestRunRequest = { total: 412, passed: 410, failed: 2, suite: 'unit' };
