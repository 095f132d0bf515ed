import {
  type CountDifference,
  contains,
  countsAsReturn,
  type DailyCount,
  type Deployment,
  deploymentAttribution,
  holdsWords,
  namesOfDeployment,
  notCountedReason,
  windowOf,
} from '@shipworthy/domain';
import type { DeploymentStore, FirstDeployments } from '@shipworthy/domain/ports';
import { ascending, greatest, pageDown, pageUp } from './table.js';
import { hourOf, keyOf, type TableAccess, type Tables } from './tables.js';

const keyFor = ({ projectId, environment, day }: Pick<DailyCount, 'projectId' | 'environment' | 'day'>): string =>
  keyOf(projectId, environment, day);

const counted = (before: DailyCount | undefined, deployment: Deployment, by: 1 | -1): DailyCount => {
  const { projectId, environment, status, startedAt } = deployment;
  const count = before ?? {
    projectId,
    environment,
    day: hourOf(startedAt),
    started: 0,
    success: 0,
    failure: 0,
    returned: 0,
  };
  const kind = countsAsReturn(deployment) ? 'returned' : status;
  return { ...count, [kind]: count[kind] + by };
};

/** Adds the deployment to the count of its hour (`by` 1), or takes it off (-1). */
export const count = (tables: Tables, deployment: Deployment, by: 1 | -1): void => {
  const key = keyFor({ ...deployment, day: hourOf(deployment.startedAt) });
  tables.hourlyCounts.put(key, counted(tables.hourlyCounts.get(key), deployment, by));
};

const same = (a: DailyCount | undefined, b: DailyCount | undefined): boolean =>
  a?.started === b?.started && a?.success === b?.success && a?.failure === b?.failure && a?.returned === b?.returned;

/** Counts all rows anew and answers where that differs from the kept counts. */
export const recount = (tables: Tables): readonly CountDifference[] => {
  const recounted = new Map<string, DailyCount>();
  for (const deployment of tables.deployments.all()) {
    const key = keyFor({ ...deployment, day: hourOf(deployment.startedAt) });
    recounted.set(key, counted(recounted.get(key), deployment, 1));
  }
  const kept = new Map(tables.hourlyCounts.all().map((each) => [keyFor(each), each]));
  // Hours whose records were removed have counts without rows; that is no difference.
  const isWhole = ({ projectId, day }: DailyCount): boolean =>
    day >= (tables.keptSince.get(projectId)?.deployments ?? day);
  return [...new Set([...kept.keys(), ...recounted.keys()])]
    .filter((key) => !same(kept.get(key), recounted.get(key)))
    .map((key) => ({ kept: kept.get(key) ?? null, recounted: recounted.get(key) ?? null }))
    .filter(({ kept: before, recounted: now }) => [before, now].some((each) => each !== null && isWhole(each)));
};

/** The project's deployments that count for no release if only these environments count; null: all of them. */
const deploymentsNotCounted = (
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

/** The sort key of deployments by time. */
const byStart = ({ startedAt, id }: Deployment) => [startedAt, id];

const firstAmong = (deployments: readonly Deployment[]): FirstDeployments => {
  const [first] = ascending(deployments, byStart);
  const [success] = ascending(
    deployments.filter(({ status }) => status === 'success'),
    byStart,
  );
  return { startedAt: first?.startedAt ?? null, succeededAt: success?.finishedAt ?? null };
};

export const deploymentStore = ({ read }: TableAccess): DeploymentStore => ({
  byIds: (deploymentIds) => read(({ deployments }) => deploymentIds.map((id) => deployments.get(id))),
  page: ({ projectId, environment, status, externalId, started, text }, page, order = 'newest-first') =>
    read(({ deployments }) => {
      const isFound = holdsWords(text);
      const wanted = deployments
        .where('project', projectId)
        .filter(
          (deployment) =>
            (environment === undefined || deployment.environment === environment) &&
            (status === undefined || deployment.status === status) &&
            (externalId === undefined || deployment.external?.id === externalId) &&
            (started === undefined || contains(started, deployment.startedAt)) &&
            isFound(namesOfDeployment(deployment)),
        );
      return (order === 'oldest-first' ? pageUp : pageDown)(wanted, byStart, page);
    }),
  lastReported: (projectIds) =>
    read(({ deployments }) => projectIds.map((id) => greatest(deployments.where('project', id), byStart)?.createdAt)),
  unfinished: ({ projectId, externalPrefix, since }, page) =>
    read(({ deployments }) => {
      const wanted = deployments
        .where('project', projectId)
        .filter(
          ({ status, external, startedAt }) =>
            status === 'started' && startedAt >= since && external?.id.startsWith(externalPrefix) === true,
        );
      return pageDown(wanted, byStart, page);
    }),
  firstOf: (projectId, environments, started) =>
    read(({ deployments }) => {
      const counted = deployments
        .where('project', projectId)
        .filter((one) => (environments?.includes(one.environment) ?? true) && !countsAsReturn(one));
      return started.map((interval) => firstAmong(counted.filter(({ startedAt }) => contains(interval, startedAt))));
    }),
  notCounted: (projectId, environments, page) =>
    read((tables) => pageDown(deploymentsNotCounted(tables, projectId, environments), byStart, page)),
  recount: () => read(recount),
});
