import type { SchemaStep } from './migrate.js';

/** Projects, releases, and the work that belongs to them. */
export const projects: SchemaStep = {
  name: 'projects',
  statements: ({ types: { id, text, moment, integer, count, json }, tableEnd, numbered }) => [
    `create table projects (
      id ${id} primary key, team_id ${id} not null references teams (id), name ${text} not null, slug ${text} not null,
      version ${integer} not null, created_at ${moment} not null, policy_version ${integer} not null,
      constraint projects_name unique (team_id, name), constraint projects_slug unique (team_id, slug)) ${tableEnd}`,
    'create index projects_by_name on projects (name)',
    `create table former_project_names (
      project_id ${id} not null references projects (id), name ${text} not null, primary key (project_id, name)) ${tableEnd}`,
    `create table policies (
      project_id ${id} not null references projects (id), version ${integer} not null, policy ${json} not null,
      environments ${json}, verification ${text} not null, changed_at ${moment} not null, changed_by ${text},
      primary key (project_id, version)) ${tableEnd}`,
    `create table releases (
      id ${id} primary key, project_id ${id} not null references projects (id), name ${text} not null,
      state ${text} not null, starts_at ${moment}, target_at ${moment}, shipped_at ${moment}, canceled_at ${moment},
      note ${text}, version ${integer} not null, created_at ${moment} not null,
      constraint releases_name unique (project_id, name)) ${tableEnd}`,
    `create unique index releases_active on releases (project_id) where state = 'active'`,
    'create index releases_newest on releases (project_id, created_at, id)',
    'create index releases_window on releases (project_id, starts_at) where starts_at is not null',
    `create table release_marks (
      release_id ${id} primary key references releases (id), project_id ${id} not null,
      revision ${count} not null, changed_at ${moment} not null, dirty ${integer} not null,
      cause_count ${count} not null, causes ${text} not null,
      claimed_count ${count} not null, claimed_causes ${text} not null, claimed_until ${moment},
      next_time_limit ${moment}) ${tableEnd}`,
    'create index release_marks_project on release_marks (project_id)',
    'create index release_marks_dirty on release_marks (release_id) where dirty = 1',
    'create index release_marks_limit on release_marks (next_time_limit) where next_time_limit is not null',
    `create table frozen_reports (
      release_id ${id} primary key references releases (id), frozen_at ${moment} not null, report ${json} not null) ${tableEnd}`,
    `create table checklist_items (
      id ${id} primary key, release_id ${id} not null references releases (id), key ${text} not null,
      title ${text} not null, state ${text} not null, position ${integer} not null, version ${integer} not null,
      updated_at ${moment} not null, updated_by ${text},
      constraint checklist_items_key unique (release_id, key)) ${tableEnd}`,
    'create index checklist_items_place on checklist_items (release_id, position, id)',
    `create table evidence (
      id ${id} primary key, item_id ${id} not null references checklist_items (id) on delete cascade,
      url ${text} not null, label ${text} not null, added_by ${text} not null, added_at ${moment} not null) ${tableEnd}`,
    'create index evidence_item on evidence (item_id, added_at, id)',
    `create table issues (
      id ${id} primary key, project_id ${id} not null references projects (id), release_id ${id} references releases (id),
      title ${text} not null, type ${text} not null, state ${text} not null, severity ${text}, url ${text},
      version ${integer} not null, created_at ${moment} not null, updated_at ${moment} not null,
      open ${integer} not null check (open in (0, 1))) ${tableEnd}`,
    'create index issues_project on issues (project_id, open, created_at, id)',
    'create index issues_release on issues (release_id, open, created_at, id)',
    'create index issues_counts on issues (release_id, type, state, severity)',
    `create table issue_events (
      place ${numbered}, issue_id ${id} not null references issues (id), release_id ${id} references releases (id),
      at ${moment} not null, kind ${text} not null, type ${text} not null) ${tableEnd}`,
    'create index issue_events_release on issue_events (release_id, at, place)',
  ],
};

/** The projects that show a badge, and the hashes of their badges' secrets. */
export const badges: SchemaStep = {
  name: 'badges',
  statements: ({ types: { id, text, moment }, tableEnd }) => [
    `create table badges (
      project_id ${id} primary key references projects (id), token_hash ${text} not null,
      created_at ${moment} not null, created_by ${text} not null) ${tableEnd}`,
  ],
};

/** Which source texts of CDEvents name which project; the team is stored too, so that a text is unique in it. */
export const eventSources: SchemaStep = {
  name: 'event-sources',
  statements: ({ types: { id, text, integer }, tableEnd }) => [
    `create table event_sources (
      project_id ${id} not null references projects (id), place ${integer} not null, team_id ${id} not null,
      source ${text} not null, primary key (project_id, place),
      constraint event_sources_source unique (source, team_id)) ${tableEnd}`,
  ],
};

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

/** Since when teams and projects are archived. Those from before are not. */
export const archives: SchemaStep = {
  name: 'archives',
  statements: ({ types: { moment } }) =>
    ['teams', 'projects'].map((table) => `alter table ${table} add column archived_at ${moment}`),
};

/**
 * Where checklist items come from, why one does not apply and who confirmed it, removed items, and the projects'
 * templates. Items that were marked before keep counting as not applicable, without a reason: their confirmation has no
 * name. Items with the keys and positions that every release began with count as items of the template.
 */
export const launchChecklist: SchemaStep = {
  name: 'launch checklist',
  statements: ({ types: { id, text, moment, integer, json }, tableEnd }) => [
    `alter table checklist_items add column origin ${text} not null default 'added'`,
    `alter table checklist_items add column reason ${text}`,
    `alter table checklist_items add column marked_by ${text}`,
    `alter table checklist_items add column marked_at ${moment}`,
    `alter table checklist_items add column confirmed_by ${text}`,
    `alter table checklist_items add column confirmed_at ${moment}`,
    `alter table checklist_items add column removed_by ${text}`,
    `alter table checklist_items add column removed_at ${moment}`,
    `update checklist_items set origin = 'template'
      where (key = 'docs' and position = 0) or (key = 'feature_flag' and position = 1) or (key = 'rollback' and position = 2)`,
    `update checklist_items set confirmed_at = updated_at where state = 'not_applicable'`,
    'create index checklist_items_removed on checklist_items (removed_at) where removed_at is not null',
    `create table checklist_templates (
      project_id ${id} primary key references projects (id), version ${integer} not null, titles ${json} not null,
      changed_at ${moment} not null, changed_by ${text} not null) ${tableEnd}`,
  ],
};
