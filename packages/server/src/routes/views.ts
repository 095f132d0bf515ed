import {
  type Deployment,
  type DeploymentView,
  deploymentView,
  type Stores,
  type TestRun,
  type TestRunView,
  testRunView,
} from '@shipworthy/domain';

const placed = <Found>(found: Found | undefined, what: string): Found => {
  if (found === undefined) throw new Error(`A ${what} without its project was read.`);
  return found;
};

/** Deployments with their receipts, by one query for all of them. */
export const deploymentViews = async (
  { projects }: Pick<Stores, 'projects'>,
  deployments: readonly Deployment[],
): Promise<readonly DeploymentView[]> => {
  if (deployments.length === 0) return [];
  const moments = deployments.map(({ projectId, startedAt }) => ({ projectId, at: startedAt }));
  const found = await projects.at(moments);
  return deployments.map((deployment, index) => deploymentView(deployment, placed(found[index], 'deployment')));
};

/** Test runs with their receipts, by one query for all of them. */
export const testRunViews = async (
  { testRuns }: Pick<Stores, 'testRuns'>,
  runs: readonly TestRun[],
): Promise<readonly TestRunView[]> => {
  const lookups = new Map(
    runs.map(({ projectId, releaseId, suite }) => [
      JSON.stringify([releaseId, suite]),
      { projectId, releaseId, suite },
    ]),
  );
  if (lookups.size === 0) return [];
  const targets = await testRuns.targets([...lookups.values()]);
  const byKey = new Map([...lookups.keys()].map((key, index) => [key, targets[index]]));
  return runs.map((run) => testRunView(run, placed(byKey.get(JSON.stringify([run.releaseId, run.suite])), 'test run')));
};
