import { type CountDifference, countsAsReturn, type DailyCount, type Deployment } from '@shipworthy/domain';
import { dayOf, keyOf, type Tables } from './tables.js';

const keyFor = ({ projectId, environment, day }: Pick<DailyCount, 'projectId' | 'environment' | 'day'>): string =>
  keyOf(projectId, environment, day);

const counted = (before: DailyCount | undefined, deployment: Deployment, by: 1 | -1): DailyCount => {
  const { projectId, environment, status, startedAt } = deployment;
  const count = before ?? {
    projectId,
    environment,
    day: dayOf(startedAt),
    started: 0,
    success: 0,
    failure: 0,
    returned: 0,
  };
  const kind = countsAsReturn(deployment) ? 'returned' : status;
  return { ...count, [kind]: count[kind] + by };
};

/** Adds the deployment to the count of its day, or takes it off. */
export const count = (tables: Tables, deployment: Deployment, by: 1 | -1): void => {
  const key = keyFor({ ...deployment, day: dayOf(deployment.startedAt) });
  tables.dailyCounts.put(key, counted(tables.dailyCounts.get(key), deployment, by));
};

const same = (a: DailyCount | undefined, b: DailyCount | undefined): boolean =>
  a?.started === b?.started && a?.success === b?.success && a?.failure === b?.failure && a?.returned === b?.returned;

/** Counts all rows anew and answers where that differs from the kept counts. */
export const recount = (tables: Tables): readonly CountDifference[] => {
  const recounted = new Map<string, DailyCount>();
  for (const deployment of tables.deployments.all()) {
    const key = keyFor({ ...deployment, day: dayOf(deployment.startedAt) });
    recounted.set(key, counted(recounted.get(key), deployment, 1));
  }
  const kept = new Map(tables.dailyCounts.all().map((each) => [keyFor(each), each]));
  // From before records were removed there are counts without rows, which is no difference.
  const isWhole = ({ projectId, day }: DailyCount): boolean =>
    day >= (tables.keptSince.get(projectId)?.deployments ?? day);
  return [...new Set([...kept.keys(), ...recounted.keys()])]
    .filter((key) => !same(kept.get(key), recounted.get(key)))
    .map((key) => ({ kept: kept.get(key) ?? null, recounted: recounted.get(key) ?? null }))
    .filter(({ kept: before, recounted: now }) => [before, now].some((each) => each !== null && isWhole(each)));
};
