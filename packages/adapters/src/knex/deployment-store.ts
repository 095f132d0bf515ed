import type { DeploymentFilter, DeploymentStore } from '@shipworthy/domain';
import type { Access } from './access.js';
import { recount } from './deployment-recount.js';
import { type DeploymentRow, deploymentColumns, deploymentOf } from './deployment-row.js';
import type { Value } from './dialect.js';
import { firstOf } from './first-deployments.js';
import { lastMoments } from './last-moments.js';
import { deploymentsNotCounted } from './not-counted.js';
import { type Listing, pageOf } from './page-of.js';
import { inOrder } from './sql.js';

const SELECT = `select ${deploymentColumns('d')} from deployments d`;

const listing = (access: Access, { projectId, environment, status, started }: DeploymentFilter): Listing => {
  const conditions: string[] = ['d.project_id = ?'];
  const bindings: Value[] = [projectId];
  const where = (condition: string, value: Value): void => {
    conditions.push(condition);
    bindings.push(value);
  };
  if (environment !== undefined) where('d.environment = ?', environment);
  if (status !== undefined) where('d.status = ?', status);
  if (started !== undefined) where('d.started_at >= ?', access.dialect.moment(started.from));
  if (started?.to !== undefined && started.to !== null) where('d.started_at < ?', access.dialect.moment(started.to));
  const sort = [
    { name: 'd.started_at', kind: 'moment' },
    { name: 'd.id', kind: 'text' },
  ] as const;
  return { select: SELECT, conditions, bindings, sort, descending: true };
};

export const deploymentStore = (access: Access): DeploymentStore => ({
  byIds: async (deploymentIds) => {
    const condition = access.dialect.among('d.id', 'id');
    const bindings = [access.dialect.list(deploymentIds)];
    const rows = await access.read<DeploymentRow>(`${SELECT} where ${condition}`, bindings, 'deployments-by-ids');
    return inOrder(deploymentIds, rows.map(deploymentOf), ({ id }) => id);
  },
  page: (filter, page) =>
    pageOf(access, listing(access, filter), page, deploymentOf, ({ startedAt, id }) => [startedAt, id]),
  lastReported: (projectIds) =>
    lastMoments(
      access,
      `select d.created_at from deployments d where d.project_id = v.project_id
        order by d.started_at desc, d.id desc limit 1`,
      projectIds,
    ),
  unfinished: async ({ projectId, externalPrefix, since, limit }) => {
    // By code points, as both databases count.
    const length = [...externalPrefix].length;
    const rows = await access.read<DeploymentRow>(
      `${SELECT} where d.project_id = ? and d.started_at >= ? and d.status = 'started'
        and substr(d.external_id, 1, ?) = ? order by d.started_at desc, d.id desc limit ?`,
      [projectId, access.dialect.moment(since), length, externalPrefix, limit],
    );
    return rows.map(deploymentOf);
  },
  firstOf: (projectId, environments, started) => firstOf(access, projectId, environments, started),
  notCounted: (projectId, environments, page) => deploymentsNotCounted(access, projectId, environments, page),
  recount: () => recount(access),
});
