import {
  type Deployment,
  deploymentAttribution,
  notCountedReason,
  type TestRun,
  type TestRunTarget,
  windowOf,
} from '@shipworthy/domain';
import { inTime, latestRun } from './latest-run.js';
import { keyOf, type Tables } from './tables.js';

/** The project's deployments that count for no release while these environments count. */
export const deploymentsNotCounted = (
  { projects, releases, deployments }: Tables,
  projectId: string,
  environments: readonly string[] | null,
): readonly Deployment[] => {
  const project = projects.get(projectId);
  if (project === undefined) return [];
  const windows = releases.where('project', projectId).flatMap((release) => {
    const window = windowOf(release);
    const { id, name, shippedAt } = release;
    return window === null ? [] : [{ id, name, startsAt: window.from, endsAt: window.to, shippedAt }];
  });
  const at = { project, environments, releases: windows };
  return deployments
    .where('project', projectId)
    .filter((deployment) => notCountedReason(deploymentAttribution(deployment, at)) !== null);
};

/** The project's test runs whose place a later one has taken, those recorded after their release shipped, and those set aside. */
export const testRunsNotCounted = (
  tables: Tables,
  projectId: string,
  verification: TestRunTarget['verification'],
): readonly TestRun[] => {
  const runs = tables.testRuns.where('project', projectId);
  const groups = new Map<string, TestRun[]>();
  const releaseIds = new Set(runs.map(({ releaseId }) => releaseId));
  for (const run of [...releaseIds].flatMap((releaseId) => inTime(tables, releaseId))) {
    const key = keyOf(run.releaseId, verification === 'latest_run' ? null : run.suite);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(run);
  }
  const counted = new Set([...groups.values()].map(latestRun));
  return runs.filter((run) => run.setAside !== null || !counted.has(run));
};
