import type { SchemaStep } from './step.js';

/** Which texts of events stand for which project; the team stands beside it, so that a text is used once in it. */
export const eventSources: SchemaStep = {
  name: 'event-sources',
  statements: ({ types: { id, text, integer }, tableEnd }) => [
    `create table event_sources (
      project_id ${id} not null references projects (id), place ${integer} not null, team_id ${id} not null,
      source ${text} not null, primary key (project_id, place),
      constraint event_sources_source unique (source, team_id)) ${tableEnd}`,
  ],
};
