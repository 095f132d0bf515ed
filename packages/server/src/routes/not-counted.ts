import type { NotCounted } from '@shipworthy/client/contract';
import { notFound, type PageKey, type PageRequest, type Policy, type Stores } from '@shipworthy/domain';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireDeploymentNotCounted, wireTestRunNotCounted } from '../wire/not-counted.js';
import { pageReply } from './page-reply.js';
import { deploymentViews, testRunViews } from './views.js';

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

const list: Route<ListNotCounted> = async ({ query }, { ports: { stores }, place, page, sealCursor }) => {
  const { projectId } = place;
  const current = await stores.policies.current(projectId);
  if (current === undefined) throw notFound('project');
  const { rows, next } = await LISTS[query.kind]({ stores, projectId, policy: current.policy, page });
  return pageReply(
    rows.filter((row) => row !== null),
    sealCursor(next),
  );
};

/** What was accepted but counts for no release. */
export const notCountedRoutes = { listNotCounted: list } as const satisfies Partial<Routes>;
