import type { SchemaStep } from './step.js';

/**
 * Deployments that a release knew nothing of, or not how they ended, when it shipped: they lie in its window and do not
 * count in its frozen report. Once shipped a window never moves, so what came late stays so.
 */
export const lateDeployments: SchemaStep = {
  name: 'late deployments',
  statements: ({ types: { integer } }) => [
    `alter table deployments add column late ${integer} not null default 0`,
    `update deployments set late = 1 where exists (select 1 from releases r
      where r.project_id = deployments.project_id and r.starts_at <= deployments.started_at
        and r.shipped_at > deployments.started_at
        and (deployments.created_at >= r.shipped_at or deployments.finished_at >= r.shipped_at))`,
    'create index deployments_late on deployments (project_id, started_at, id) where late = 1',
  ],
};
