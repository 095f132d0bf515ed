import type { SchemaStep } from './migrate.js';

/** Connections to the repository host, the repositories linked with them, and what is imported from there. */
export const repositories: SchemaStep = {
  name: 'repositories',
  statements: ({ types: { id, text, moment, integer, json }, tableEnd }) => [
    `create table host_connections (
      user_id ${id} not null references users (id), host ${text} not null, account_id ${text} not null,
      account_name ${text} not null, sealed ${text} not null, grant_expires_at ${moment}, state ${text} not null,
      paused_until ${moment}, connected_at ${moment} not null, version ${integer} not null,
      refresh_until ${moment}, lease ${text}, claimed_until ${moment}, primary key (user_id, host)) ${tableEnd}`,
    'create index host_connections_host on host_connections (host, claimed_until)',
    `create table host_approvals (
      id ${text} primary key, session_id ${id} not null, user_id ${id} not null, host ${text} not null,
      sealed_verifier ${text} not null, redirect_url ${text} not null, expires_at ${moment} not null) ${tableEnd}`,
    'create index host_approvals_expiry on host_approvals (expires_at)',
    // A link outlives its connection: after a new approval by the same person it is read again.
    `create table repository_links (
      id ${id} primary key, project_id ${id} not null references projects (id), host ${text} not null,
      user_id ${id} not null references users (id), repository_id ${text} not null, repository_path ${text} not null,
      repository_url ${text} not null, default_branch ${text} not null, settings ${json} not null,
      linked_at ${moment} not null, linked_by ${text} not null, due_at ${moment} not null, running_since ${moment},
      hurried ${integer} not null check (hurried in (0, 1)), progress ${json} not null, suspects ${json} not null,
      pending ${json} not null, issues_as_of ${moment}, constraint repository_links_project unique (project_id)) ${tableEnd}`,
    'create index repository_links_due on repository_links (user_id, host, due_at)',
    'create index repository_links_repository on repository_links (host, repository_id)',
    `create table hook_deliveries (id ${text} primary key, at ${moment} not null) ${tableEnd}`,
    'create index hook_deliveries_at on hook_deliveries (at)',
    `alter table issues add column external_id ${text}`,
    'create unique index issues_external on issues (project_id, external_id) where external_id is not null',
    'create index issue_events_issue on issue_events (issue_id)',
    `alter table releases add column external_id ${text}`,
    'create unique index releases_external on releases (project_id, external_id) where external_id is not null',
  ],
};

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

/** Grants whose connections are removed and that must still be ended at the host. */
export const endings: SchemaStep = {
  name: 'endings',
  statements: ({ types: { id, text, moment }, tableEnd }) => [
    `create table host_endings (
      user_id ${id} not null references users (id), host ${text} not null, sealed ${text} not null,
      grant_expires_at ${moment}, due_at ${moment} not null) ${tableEnd}`,
    'create index host_endings_due on host_endings (host, due_at)',
  ],
};

/** Where projects' events are sent to, and what is on its way there. */
export const webhooks: SchemaStep = {
  name: 'webhooks',
  statements: ({ types: { id, text, moment, integer, json }, tableEnd }) => [
    `create table webhooks (
      id ${id} primary key, project_id ${id} not null references projects (id), url ${text} not null,
      types ${json} not null, state ${text} not null, secret ${text} not null, former_secret ${text},
      former_until ${moment}, created_at ${moment} not null, created_by ${text} not null, version ${integer} not null,
      served_at ${moment} not null, lease ${text}, claimed_until ${moment}) ${tableEnd}`,
    'create index webhooks_project on webhooks (project_id, created_at, id)',
    `create table webhook_deliveries (
      webhook_id ${id} not null references webhooks (id), id ${id} not null, type ${text} not null, body ${text} not null,
      at ${moment} not null, state ${text} not null, tries ${integer} not null, next_at ${moment},
      attempts ${json} not null, primary key (webhook_id, id)) ${tableEnd}`,
    'create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_at, id) where next_at is not null',
    'create index webhook_deliveries_at on webhook_deliveries (at)',
  ],
};

/** Former secrets of a webhook, since when it fails, why and when it was disabled; an index of what waits, by age. */
export const webhookHealth: SchemaStep = {
  name: 'webhook health',
  statements: ({ types: { text, moment, json } }) => [
    `alter table webhooks add column earlier_secrets ${json}`,
    `alter table webhooks add column failing_since ${moment}`,
    `alter table webhooks add column disabled_reason ${text}`,
    `alter table webhooks add column disabled_at ${moment}`,
    'create index webhook_deliveries_pending on webhook_deliveries (at, webhook_id) where next_at is not null',
  ],
};

/** Events for instances that reach PostgreSQL through a pooler, where they cannot listen. */
export const toldEvents: SchemaStep = {
  name: 'told events',
  statements: ({ types: { id, text, moment }, tableEnd }) => [
    `create table told_events (
      id ${id} primary key, event ${text} not null, told_at ${moment} not null) ${tableEnd}`,
    'create index told_events_at on told_events (told_at)',
  ],
};
