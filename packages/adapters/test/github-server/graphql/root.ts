import { GraphQLError } from 'graphql';
import { type Addresses, stamp } from '../addresses.js';
import type { Budget } from '../limits.js';
import type {
  Account,
  CheckRun,
  CheckSuite,
  Deployment,
  Issue,
  Milestone,
  Repository,
  WorkflowRun,
} from '../records.js';
import type { World } from '../world.js';
import { accountView } from './account-view.js';
import { checkRunView, checkSuiteView, workflowRunView } from './check-view.js';
import { deploymentView } from './deployment-view.js';
import { issueView, milestoneView } from './issue-view.js';
import { repositoryView } from './repository-view.js';
import type { ViewScope } from './view-scope.js';

const notFound = (message: string): GraphQLError => new GraphQLError(message, { extensions: { type: 'NOT_FOUND' } });

/** Each kind of record, by the beginning of its node id. */
const VIEWS: Readonly<Record<string, (scope: ViewScope, record: object) => object>> = {
  U: (scope, record) => accountView(scope, record as Account),
  R: (scope, record) => repositoryView(scope, record as Repository),
  MI: (scope, record) => milestoneView(scope, record as Milestone),
  I: (scope, record) => issueView(scope, record as Issue),
  PR: (scope, record) => issueView(scope, record as Issue),
  DE: (scope, record) => deploymentView(scope, record as Deployment),
  CS: (scope, record) => checkSuiteView(scope, record as CheckSuite),
  CR: (scope, record) => checkRunView(scope, record as CheckRun),
  WFR: (scope, record) => workflowRunView(scope, record as WorkflowRun),
};

/** Whose repository a record is in; undefined: it is in none. */
const homeOf = (record: object): Repository | undefined => {
  if ('suite' in record) return (record as CheckRun | WorkflowRun).suite.repository;
  if ('repository' in record) return (record as Issue).repository;
  return 'milestones' in record ? (record as Repository) : undefined;
};

/** What a query begins with, for one viewer. */
export const rootOf = (addresses: Addresses, world: World, viewer: Account, budget: Budget): object => {
  const scope: ViewScope = { ...addresses, home: (repository) => repositoryView(scope, repository) };
  const node = ({ id }: { readonly id: string }) => {
    const record = world.nodeOf(id);
    const view = VIEWS[id.split('_')[0] ?? ''];
    const home = record === undefined ? undefined : homeOf(record);
    const hidden = home !== undefined && !world.mayRead(home, viewer.login);
    if (record === undefined || view === undefined || hidden) {
      throw notFound(`Could not resolve to a node with the global id of '${id}'`);
    }
    return view(scope, record);
  };
  return {
    viewer: accountView(scope, viewer),
    rateLimit: {
      ...budget,
      cost: 1,
      nodeCount: 0,
      used: budget.limit - budget.remaining,
      resetAt: stamp(budget.resetAt),
    },
    node,
    // An unknown id is null at its place beside an error, and leaves the others alone.
    nodes: ({ ids }: { readonly ids: readonly string[] }) => ids.map((id) => Promise.resolve({ id }).then(node)),
    repository: ({ owner, name }: { readonly owner: string; readonly name: string }) => {
      const found = world.repositoryAt(`${owner}/${name}`);
      if (found === undefined || !world.mayRead(found.repository, viewer.login)) {
        throw notFound(`Could not resolve to a Repository with the name '${owner}/${name}'.`);
      }
      return repositoryView(scope, found.repository);
    },
  };
};
