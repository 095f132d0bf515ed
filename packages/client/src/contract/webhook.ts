import { HttpUrl, Id, Text, Timestamp, TimestampOrNull, Version } from './field.js';
import { record } from './record.js';
import type { FromSchema, Schema } from './schema.js';

export const EventType = {
  type: 'string',
  enum: ['readiness.changed', 'gate.changed', 'release.activated', 'release.shipped', 'release.canceled'],
} as const satisfies Schema;
export type EventType = FromSchema<typeof EventType>;

/** What is sent; each type once. */
export const EventTypes = {
  type: 'array',
  items: EventType,
  minItems: 1,
  maxItems: 5,
  uniqueItems: true,
  description: 'What is sent.',
  examples: [['gate.changed', 'release.shipped']],
} as const satisfies Schema;

const properties = {
  id: Id,
  url: HttpUrl,
  types: EventTypes,
  state: {
    type: 'string',
    enum: ['enabled', 'disabled', 'gone'],
    description: '`gone`: the receiver answered 410, so nothing is sent until it is enabled again.',
  },
  disabled_reason: {
    type: ['string', 'null'],
    enum: ['person', 'gone', 'failing', null],
    description:
      '`person`: an owner disabled it; `gone`: the receiver answered 410; `failing`: for 5 days or more nothing got through, and all tries of a delivery were through. null: it is enabled, or this was not kept yet.',
  },
  disabled_at: TimestampOrNull,
  failing_since: {
    ...TimestampOrNull,
    description: 'Since then every try failed; null: the last one delivered, or there was none since it was enabled.',
  },
  former_secret_until: {
    ...TimestampOrNull,
    description: 'Until then messages are signed with the secret before the present one too.',
  },
  former_secrets_until: {
    type: 'array',
    items: Timestamp,
    maxItems: 5,
    description: 'The same of all secrets before the present one that held when it was made, newest first.',
  },
  created_at: Timestamp,
  created_by: Text,
  version: Version,
} as const satisfies Readonly<Record<string, Schema>>;

export const Webhook = record({ title: 'Webhook', description: "Where a project's events are sent to.", properties });
export type Webhook = FromSchema<typeof Webhook>;

export const WebhookWithSecret = record({
  title: 'WebhookWithSecret',
  description: 'A webhook with its signing secret, which is answered here and never again.',
  properties: {
    ...properties,
    secret: { type: 'string', description: '`whsec_` and 32 random bytes in base64.' },
  },
});
export type WebhookWithSecret = FromSchema<typeof WebhookWithSecret>;
