import type { SchemaStep } from './step.js';

/** Which team is the demo; one at most. Every other team has no mark, those from before included. */
export const demo: SchemaStep = {
  name: 'demo',
  statements: ({ types: { integer } }) => [
    `alter table teams add column demo ${integer} check (demo = 1)`,
    'create unique index teams_demo on teams (demo) where demo is not null',
  ],
};
