import type { SchemaStep } from './step.js';

/** The repository that a project's imported records come from, which outlives the link. */
export const origins: SchemaStep = {
  name: 'origins',
  statements: ({ types: { text } }) => [
    `alter table projects add column origin_host ${text}`,
    `alter table projects add column origin_repository ${text}`,
    `update projects set
      origin_host = (select l.host from repository_links l where l.project_id = projects.id),
      origin_repository = (select l.repository_id from repository_links l where l.project_id = projects.id)`,
  ],
};
