import type { SchemaStep } from './step.js';

/** Since when a project's records are all there, where some from before were removed. */
export const keptRecords: SchemaStep = {
  name: 'kept records',
  statements: ({ types: { moment } }) => [
    `alter table projects add column deployments_since ${moment}`,
    `alter table projects add column test_runs_since ${moment}`,
  ],
};
