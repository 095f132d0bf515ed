import type { SchemaStep } from './step.js';

/** All former secrets of a webhook, since when it fails, why and when it was disabled; and what waits is found by its age. */
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
