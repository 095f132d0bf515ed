import { stamp, stampOrNull } from '../addresses.js';
import { type CheckRun, type CheckSuite, fullName, type WorkflowRun } from '../records.js';
import { connection, type PageArguments } from './connection.js';
import type { ViewScope } from './view-scope.js';

export const checkRunView = (scope: ViewScope, run: CheckRun): object => {
  const path = `/${fullName(run.suite.repository)}/runs/${run.id}`;
  return {
    __typename: 'CheckRun',
    id: run.nodeId,
    databaseId: run.id,
    name: run.name,
    status: run.status.toUpperCase(),
    conclusion: run.conclusion?.toUpperCase() ?? null,
    startedAt: stamp(run.startedAt),
    completedAt: stampOrNull(run.completedAt),
    url: `${scope.webUrl}${path}`,
    permalink: `${scope.webUrl}${path}`,
    detailsUrl: `${scope.webUrl}${path}`,
    resourcePath: path,
    checkSuite: () => checkSuiteView(scope, run.suite),
    repository: () => scope.home(run.suite.repository),
  };
};

interface CheckRunArguments extends PageArguments {
  readonly filterBy?: { readonly checkType?: 'ALL' | 'LATEST' | null; readonly checkName?: string | null } | null;
}

export const checkSuiteView = (scope: ViewScope, suite: CheckSuite): object => ({
  __typename: 'CheckSuite',
  id: suite.nodeId,
  databaseId: suite.id,
  status: suite.runs.every(({ status }) => status === 'completed') ? 'COMPLETED' : 'IN_PROGRESS',
  repository: () => scope.home(suite.repository),
  checkRuns: (page: CheckRunArguments) => {
    const named = suite.runs.filter(({ name }) => name === (page.filterBy?.checkName ?? name));
    const rows =
      page.filterBy?.checkType === 'ALL' ? named : [...new Map(named.map((run) => [run.name, run])).values()];
    return connection(
      'checkRuns',
      rows.toSorted((a, b) => a.id - b.id),
      page,
      { keyOf: ({ id }) => [id], show: (run) => checkRunView(scope, run) },
    );
  },
});

export const workflowRunView = (scope: ViewScope, run: WorkflowRun): object => ({
  __typename: 'WorkflowRun',
  id: run.nodeId,
  databaseId: run.id,
  event: 'push',
  runNumber: run.number,
  createdAt: stamp(run.createdAt),
  updatedAt: stamp(run.updatedAt),
  url: `${scope.webUrl}/${fullName(run.suite.repository)}/actions/runs/${run.id}`,
  resourcePath: `/${fullName(run.suite.repository)}/actions/runs/${run.id}`,
  workflow: { __typename: 'Workflow', id: `W_${run.workflowId}`, databaseId: run.workflowId, name: run.name },
  checkSuite: () => checkSuiteView(scope, run.suite),
});
