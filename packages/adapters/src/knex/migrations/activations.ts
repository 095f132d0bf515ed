import type { SchemaStep } from './step.js';

/**
 * The spans of time in which each release was the active one of its project. Spans from before this step are taken from the audit
 * log, or from the release's window where the log has none for an active or shipped release.
 */
export const activations: SchemaStep = {
  name: 'activations',
  statements: ({ types: { id, moment }, tableEnd }) => [
    `create table release_activations (
      release_id ${id} not null references releases (id), began_at ${moment} not null, project_id ${id} not null,
      ended_at ${moment}, primary key (release_id, began_at)) ${tableEnd}`,
    'create index release_activations_project on release_activations (project_id, began_at)',
    `insert into release_activations (release_id, began_at, project_id, ended_at)
      select r.id, a.at, r.project_id, (select min(e.at) from audit e where e.team_id = a.team_id and e.at >= a.at
        and e.resource_id = a.resource_id and e.action in ('release.park', 'release.ship', 'release.cancel'))
      from audit a join releases r on cast(r.id as text) = a.resource_id where a.action = 'release.activate'
      on conflict do nothing`,
    `insert into release_activations (release_id, began_at, project_id, ended_at)
      select r.id, r.starts_at, r.project_id, r.shipped_at from releases r
      where r.starts_at is not null and r.state in ('active', 'shipped')
        and not exists (select 1 from release_activations a where a.release_id = r.id)`,
  ],
};
