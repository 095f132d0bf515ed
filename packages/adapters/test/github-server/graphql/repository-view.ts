import { stamp } from '../addresses.js';
import { fullName, type Issue, type Repository } from '../records.js';
import { sortedIssues } from '../sorted-issues.js';
import { accountView } from './account-view.js';
import { connection, type PageArguments } from './connection.js';
import { deploymentView } from './deployment-view.js';
import { issueView, milestoneView } from './issue-view.js';
import type { ViewScope } from './view-scope.js';

interface Order {
  readonly field: string;
  readonly direction: 'ASC' | 'DESC';
}

interface IssueArguments extends PageArguments {
  readonly orderBy?: Order | null;
  readonly states?: readonly string[] | null;
  readonly labels?: readonly string[] | null;
  readonly filterBy?: {
    readonly since?: string | null;
    readonly states?: readonly string[] | null;
    readonly labels?: readonly string[] | null;
    /** `*` for any, a title otherwise; null for none. */
    readonly milestone?: string | null;
    readonly milestoneNumber?: string | null;
  } | null;
}

const meets =
  ({ states, labels, filterBy }: IssueArguments) =>
  (issue: Issue): boolean => {
    const since = filterBy?.since ? Date.parse(filterBy.since) : Number.NEGATIVE_INFINITY;
    const inState = states ?? filterBy?.states;
    const labeled = labels ?? filterBy?.labels;
    const number = filterBy?.milestoneNumber;
    return (
      !issue.pullRequest &&
      issue.updatedAt >= since &&
      (inState?.includes(issue.state.toUpperCase()) ?? true) &&
      (labeled?.some((label) => issue.labels.includes(label)) ?? true) &&
      (number === null || number === undefined || String(issue.milestone?.number) === number)
    );
  };

const issuesOf = (scope: ViewScope, repository: Repository, page: IssueArguments) => {
  const order = page.orderBy?.field === 'UPDATED_AT' ? 'updatedAt' : 'createdAt';
  const descending = page.orderBy?.direction === 'DESC';
  const rows = sortedIssues(repository, order).filter(meets(page));
  return connection('issues', descending ? rows.reverse() : rows, page, {
    keyOf: (issue) => [issue[order], issue.id],
    show: (issue) => issueView(scope, issue),
    descending,
  });
};

interface DeploymentArguments extends PageArguments {
  readonly orderBy?: Order | null;
  readonly environments?: readonly string[] | null;
}

const deploymentsOf = (scope: ViewScope, { deployments }: Repository, page: DeploymentArguments) => {
  const descending = page.orderBy?.direction === 'DESC';
  const rows = deployments.filter(({ environment }) => page.environments?.includes(environment) ?? true);
  return connection('deployments', descending ? rows.reverse() : rows, page, {
    keyOf: (deployment) => [deployment.createdAt, deployment.id],
    show: (deployment) => deploymentView(scope, deployment),
    descending,
  });
};

export const repositoryView = (scope: ViewScope, repository: Repository): object => ({
  __typename: 'Repository',
  id: repository.nodeId,
  databaseId: repository.id,
  name: repository.name,
  nameWithOwner: fullName(repository),
  url: `${scope.webUrl}/${fullName(repository)}`,
  resourcePath: `/${fullName(repository)}`,
  isPrivate: repository.private,
  isArchived: repository.archived,
  createdAt: stamp(repository.createdAt),
  owner: () => accountView(scope, repository.owner),
  defaultBranchRef: { __typename: 'Ref', id: `REF_${repository.defaultBranch}`, name: repository.defaultBranch },
  issue: ({ number }: { readonly number: number }) => {
    const issue = repository.issues.find((one) => one.number === number && !one.pullRequest);
    return issue === undefined ? null : issueView(scope, issue);
  },
  issues: (page: IssueArguments) => issuesOf(scope, repository, page),
  deployments: (page: DeploymentArguments) => deploymentsOf(scope, repository, page),
  milestones: (page: PageArguments & { readonly states?: readonly string[] | null }) =>
    connection(
      'milestones',
      repository.milestones.filter(({ state }) => page.states?.includes(state.toUpperCase()) ?? true),
      page,
      { keyOf: ({ number }) => [number], show: (milestone) => milestoneView(scope, milestone) },
    ),
});
