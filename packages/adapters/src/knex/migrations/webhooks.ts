import type { SchemaStep } from './migrate.js';

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
