import type { SchemaStep } from './step.js';

/** Which deployments are returns: is_return is 1 or null. Rows from before have no mark; kept counts hold returns apart. */
export const returns: SchemaStep = {
  name: 'returns',
  statements: ({ types: { integer }, carrying }) => [
    `alter table deployments add column is_return ${integer}`,
    `create index deployments_returns on deployments (project_id, started_at${carrying('environment', 'status')}
      where is_return = 1`,
    `alter table deployment_counts add column returned ${integer} not null default 0`,
  ],
};
