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
import { columnsOfPart, exportList, type TableColumns } from './csv.js';
import { DEPLOYMENT_TABLE, wireDeployment } from './deployments.js';
import { pageReply } from './replies.js';
import { deploymentViews, testRunViews } from './reports.js';
import { TEST_RUN_TABLE, wireTestRun } from './test-runs.js';

/** A deployment that counts for no release; null: it counts, for example because it finished after the list was read. */
const wireDeploymentNotCounted = (view: DeploymentView): DeploymentNotCounted | null => {
  const reason = notCountedReason(view.attribution);
  if (reason === null || reason === 'superseded_by_newer_run') return null;
  if (reason === 'set_aside' || reason === 'other_suite_set_aside') return null;
  return { deployment: wireDeployment(view), reason };
};

/** A test run that counts for no release; null: it counts by now. */
const wireTestRunNotCounted = (view: TestRunView): TestRunNotCounted | null => {
  const reason = notCountedReason(view.attribution);
  if (reason === null || reason === 'environment_not_counted' || reason === 'still_in_progress') return null;
  if (reason === 'rollback_pending_outcome') return null;
  return { test_run: wireTestRun(view), reason };
};

interface NotCountedRequest {
  readonly stores: Stores;
  readonly projectId: string;
  readonly policy: Policy;
  readonly page: PageRequest;
}
interface Listed<Row extends NotCounted> {
  readonly rows: readonly Row[];
  readonly next: PageKey | null;
}
type ListNotCounted = OperationOf<'listNotCounted'>;

const isThere = <Row>(row: Row | null): row is Row => row !== null;

const deployments = async (request: NotCountedRequest): Promise<Listed<DeploymentNotCounted>> => {
  const { stores, projectId, policy, page } = request;
  const { rows, next } = await stores.deployments.notCounted(projectId, policy.environments, page);
  return { rows: (await deploymentViews(stores, rows)).map(wireDeploymentNotCounted).filter(isThere), next };
};

const testRuns = async ({ stores, projectId, policy, page }: NotCountedRequest): Promise<Listed<TestRunNotCounted>> => {
  const { rows, next } = await stores.testRuns.notCounted(projectId, policy.verification, page);
  return { rows: (await testRunViews(stores, rows)).map(wireTestRunNotCounted).filter(isThere), next };
};

/** The project with its current policy, which decides what counts. */
const requestFor = async (stores: Stores, projectId: string): Promise<Omit<NotCountedRequest, 'page'>> => {
  const current = await stores.policies.current(projectId);
  if (current === undefined) throw notFound('project');
  return { stores, projectId, policy: current.policy };
};

const list: RouteHandler<ListNotCounted> = async ({ query }, { ports: { stores }, place, page, sealCursor }) => {
  const request = { ...(await requestFor(stores, place.projectId)), page };
  const { rows, next } = await (query.kind === 'deployment' ? deployments(request) : testRuns(request));
  return pageReply<NotCounted>(rows, sealCursor(next));
};

/** The columns of all deployments, with this reason in the place of their own. */
const OF_DEPLOYMENTS: TableColumns<DeploymentNotCounted> = {
  ...columnsOfPart(({ deployment }: DeploymentNotCounted) => deployment, DEPLOYMENT_TABLE),
  reason: ({ reason }) => reason,
};
const OF_TEST_RUNS: TableColumns<TestRunNotCounted> = {
  ...columnsOfPart(({ test_run }: TestRunNotCounted) => test_run, TEST_RUN_TABLE),
  reason: ({ reason }) => reason,
};

const exportTable: RouteHandler<OperationOf<'exportNotCounted'>> = async ({ query }, { ports, place }) => {
  const { slices, stores } = ports;
  const request = await requestFor(stores, place.projectId);
  return query.kind === 'deployment'
    ? exportList({
        name: 'uncounted-deployments',
        columns: OF_DEPLOYMENTS,
        slices,
        readPage: (page) => deployments({ ...request, page }),
      })
    : exportList({
        name: 'uncounted-test-runs',
        columns: OF_TEST_RUNS,
        slices,
        readPage: (page) => testRuns({ ...request, page }),
      });
};

/** The routes of records that count for no release. */
export const notCountedRoutes = {
  listNotCounted: list,
  exportNotCounted: exportTable,
} as const satisfies Partial<Routes>;
