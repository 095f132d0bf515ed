import type { Deployment, DeploymentStore, FirstDeployments } from '@shipworthy/domain';
import { contains, countsAsReturn } from '@shipworthy/domain';
import { recount } from './daily-count.js';
import { deploymentsNotCounted } from './not-counted.js';
import { ascending, descending, greatest, pageDown } from './order.js';
import type { TableAccess } from './table-access.js';

/** What deployments are sorted by in time. */
const newest = ({ startedAt, id }: Deployment) => [startedAt, id];

const firstAmong = (deployments: readonly Deployment[]): FirstDeployments => {
  const [first] = ascending(deployments, newest);
  const [success] = ascending(
    deployments.filter(({ status }) => status === 'success'),
    newest,
  );
  return { startedAt: first?.startedAt ?? null, succeededAt: success?.finishedAt ?? null };
};

export const deploymentStore = ({ read }: TableAccess): DeploymentStore => ({
  byIds: (deploymentIds) => read(({ deployments }) => deploymentIds.map((id) => deployments.get(id))),
  page: ({ projectId, environment, status, started }, page) =>
    read(({ deployments }) => {
      const wanted = deployments
        .where('project', projectId)
        .filter(
          (deployment) =>
            (environment === undefined || deployment.environment === environment) &&
            (status === undefined || deployment.status === status) &&
            (started === undefined || contains(started, deployment.startedAt)),
        );
      return pageDown(wanted, newest, page);
    }),
  lastReported: (projectIds) =>
    read(({ deployments }) => projectIds.map((id) => greatest(deployments.where('project', id), newest)?.createdAt)),
  unfinished: ({ projectId, externalPrefix, since, limit }) =>
    read(({ deployments }) => {
      const wanted = deployments
        .where('project', projectId)
        .filter(
          ({ status, external, startedAt }) =>
            status === 'started' && startedAt >= since && external?.id.startsWith(externalPrefix) === true,
        );
      return descending(wanted, newest).slice(0, limit);
    }),
  firstOf: (projectId, environments, started) =>
    read(({ deployments }) => {
      const counted = deployments
        .where('project', projectId)
        .filter((one) => (environments?.includes(one.environment) ?? true) && !countsAsReturn(one));
      return started.map((interval) => firstAmong(counted.filter(({ startedAt }) => contains(interval, startedAt))));
    }),
  notCounted: (projectId, environments, page) =>
    read((tables) => pageDown(deploymentsNotCounted(tables, projectId, environments), newest, page)),
  recount: () => read(recount),
});
