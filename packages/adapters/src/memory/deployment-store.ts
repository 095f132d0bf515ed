import type { Deployment, DeploymentStore } from '@shipworthy/domain';
import { contains } from '@shipworthy/domain';
import { recount } from './daily-count.js';
import { descending, greatest, pageDown } from './order.js';
import type { TableAccess } from './table-access.js';

const newest = ({ startedAt, id }: Deployment) => [startedAt, id];

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
  lastOf: (projectIds) =>
    read(({ deployments }) => projectIds.map((id) => greatest(deployments.where('project', id), newest))),
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
  recount: () => read(recount),
});
