import type { SchemaStep } from './step.js';

/** Test runs that an owner set aside, with who, when and why; of the latest run of a suite also that it is. */
export const runsSetAside: SchemaStep = {
  name: 'runs set aside',
  statements: ({ types: { integer, moment, text } }) => [
    `alter table test_runs add column set_aside_at ${moment}`,
    `alter table test_runs add column set_aside_by ${text}`,
    `alter table test_runs add column set_aside_reason ${text}`,
    `alter table latest_test_runs add column set_aside ${integer} not null default 0`,
  ],
};
