import type { SchemaStep } from './step.js';

/** What each point of a trend was made of, so that any past moment can be judged again. Points from before have none. */
export const snapshots: SchemaStep = {
  name: 'snapshots',
  statements: ({ types: { integer, json } }) => [
    `alter table history_points add column revision ${integer}`,
    `alter table history_points add column policy_version ${integer}`,
    `alter table history_points add column snapshot ${json}`,
  ],
};
