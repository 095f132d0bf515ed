import type { SchemaStep } from './step.js';

/** Which projects show their badge, and to whom. */
export const badges: SchemaStep = {
  name: 'badges',
  statements: ({ types: { id, text, moment }, tableEnd }) => [
    `create table badges (
      project_id ${id} primary key references projects (id), token_hash ${text} not null,
      created_at ${moment} not null, created_by ${text} not null) ${tableEnd}`,
  ],
};
