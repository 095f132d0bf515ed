import type { DeploymentNotCounted, NotCounted, TestRunNotCounted } from '@shipworthy/client/contract';
import {
  type DeploymentView,
  notCountedReason,
  notFound,
  type PageKey,
  type PageRequest,
  type Stores,
  type TestRunView,
} from '@shipworthy/domain';
import type { Policy } from '@shipworthy/domain/readiness';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { wireDeployment } from './deployments.js';
import { pageReply } from './replies.js';
import { deploymentViews, testRunViews } from './reports.js';
import { wireTestRun } from './test-runs.js';

/** null: it counts, say since it was finished while the list was read. */
const wireDeploymentNotCounted = (view: DeploymentView): DeploymentNotCounted | null => {
  const reason = notCountedReason(view.attribution);
  if (reason === null || reason === 'superseded_by_newer_run' || reason === 'set_aside') return null;
  return { deployment: wireDeployment(view), reason };
};

/** The same of a test run. */
const wireTestRunNotCounted = (view: TestRunView): TestRunNotCounted | null => {
  const reason = notCountedReason(view.attribution);
  if (reason === null || reason === 'environment_not_counted' || reason === 'still_in_progress') return null;
  if (reason === 'rollback_pending_outcome') return null;
  return { test_run: wireTestRun(view), reason };
};

interface Asked {
  readonly stores: Stores;
  readonly projectId: string;
  readonly policy: Policy;
  readonly page: PageRequest;
}
interface Listed {
  readonly rows: readonly (NotCounted | null)[];
  readonly next: PageKey | null;
}
type ListNotCounted = OperationOf<'listNotCounted'>;

const deployments = async ({ stores, projectId, policy, page }: Asked): Promise<Listed> => {
  const { rows, next } = await stores.deployments.notCounted(projectId, policy.environments, page);
  return { rows: (await deploymentViews(stores, rows)).map(wireDeploymentNotCounted), next };
};

const testRuns = async ({ stores, projectId, policy, page }: Asked): Promise<Listed> => {
  const { rows, next } = await stores.testRuns.notCounted(projectId, policy.verification, page);
  return { rows: (await testRunViews(stores, rows)).map(wireTestRunNotCounted), next };
};

const LISTS = { deployment: deployments, test_run: testRuns } as const;

const list: RouteHandler<ListNotCounted> = async ({ query }, { ports: { stores }, place, page, sealCursor }) => {
  const { projectId } = place;
  const current = await stores.policies.current(projectId);
  if (current === undefined) throw notFound('project');
  const { rows, next } = await LISTS[query.kind]({ stores, projectId, policy: current.policy, page });
  return pageReply(
    rows.filter((row) => row !== null),
    sealCursor(next),
  );
};

/** The routes of records that count for no release. */
export const notCountedRoutes = { listNotCounted: list } as const satisfies Partial<Routes>;
