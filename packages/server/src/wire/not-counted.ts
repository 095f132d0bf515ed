import type { DeploymentNotCounted, TestRunNotCounted } from '@shipworthy/client/contract';
import { type DeploymentView, notCountedReason, type TestRunView } from '@shipworthy/domain';
import { wireDeployment } from './deployment.js';
import { wireTestRun } from './test-run.js';

/** null: it counts, say since it was finished while the list was read. */
export const wireDeploymentNotCounted = (view: DeploymentView): DeploymentNotCounted | null => {
  const reason = notCountedReason(view.attribution);
  if (reason === null || reason === 'superseded_by_newer_run' || reason === 'set_aside') return null;
  return { deployment: wireDeployment(view), reason };
};

/** The same of a test run. */
export const wireTestRunNotCounted = (view: TestRunView): TestRunNotCounted | null => {
  const reason = notCountedReason(view.attribution);
  if (reason === null || reason === 'environment_not_counted' || reason === 'still_in_progress') return null;
  if (reason === 'rollback_pending_outcome') return null;
  return { test_run: wireTestRun(view), reason };
};
