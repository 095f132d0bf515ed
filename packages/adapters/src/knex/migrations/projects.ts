import type { SchemaStep } from './step.js';

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
