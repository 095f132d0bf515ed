import { Count, HttpUrl, Id, Text, Timestamp, TimestampOrNull, Version } from './field.js';
import { CSV_LIST, type Operation } from './operation.js';
import { PROJECT, WEBHOOK } from './path.js';
import { envelope, type FromSchema, list, PageQuery, pageOf, record, type Schema } from './schema.js';

export const EventType = {
  type: 'string',
  enum: ['readiness.changed', 'gate.changed', 'release.activated', 'release.shipped', 'release.canceled'],
} as const satisfies Schema;
export type EventType = FromSchema<typeof EventType>;

/** The event types to send, each once. */
const EventTypes = {
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

export const listWebhooks = {
  method: 'GET',
  path: `${PROJECT}/webhooks`,
  tag: 'webhooks',
  group: 'webhooks',
  summary: 'List the webhooks of a project, oldest first',
  description: 'Never paged.',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 200, body: list(Webhook) },
  problems: [],
} as const satisfies Operation;

export const createWebhook = {
  method: 'POST',
  path: `${PROJECT}/webhooks`,
  tag: 'webhooks',
  group: 'webhooks',
  summary: "Have a project's events sent to an address",
  description:
    'Signed after Standard Webhooks. Internal addresses are refused unless the server names them as targets. A project has 20 at most.',
  auth: { kind: 'session', role: 'owner' },
  body: record({
    title: 'WebhookRequest',
    properties: { url: HttpUrl, types: EventTypes },
    examples: [{ url: 'https://hooks.acme.dev/shipworthy', types: ['gate.changed', 'release.shipped'] }],
  }),
  success: { status: 201, body: envelope(WebhookWithSecret) },
  location: `${PROJECT}/webhooks/{id}`,
  problems: [],
} as const satisfies Operation;

export const readWebhook = {
  method: 'GET',
  path: WEBHOOK,
  tag: 'webhooks',
  group: 'webhooks',
  summary: 'Read a webhook',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 200, body: envelope(Webhook) },
  problems: [],
} as const satisfies Operation;

export const changeWebhook = {
  method: 'PATCH',
  path: WEBHOOK,
  tag: 'webhooks',
  group: 'webhooks',
  summary: 'Change where and what is sent, disable, enable',
  description: 'What waits while it is disabled is sent when it is enabled again, no matter why it was disabled.',
  auth: { kind: 'session', role: 'owner' },
  body: record({
    title: 'WebhookChange',
    properties: { url: HttpUrl, types: EventTypes, state: { type: 'string', enum: ['enabled', 'disabled'] } },
    optional: ['url', 'types', 'state'],
    minProperties: 1,
    examples: [{ state: 'disabled' }],
  }),
  ifMatch: 'optional',
  success: { status: 200, body: envelope(Webhook) },
  problems: [],
} as const satisfies Operation;

export const removeWebhook = {
  method: 'DELETE',
  path: WEBHOOK,
  tag: 'webhooks',
  group: 'webhooks',
  summary: 'Remove a webhook',
  description: 'With its deliveries; what was waiting is not sent.',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 204, body: null },
  problems: [],
} as const satisfies Operation;

export const rotateWebhookSecret = {
  method: 'POST',
  path: `${WEBHOOK}/rotate-secret`,
  tag: 'webhooks',
  group: 'webhooks',
  summary: 'Give a webhook another signing secret',
  description:
    'For 24 hours messages carry a signature by the former secret beside that by the new one. Each former secret is kept for its 24 hours, 5 at most.',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 200, body: envelope(WebhookWithSecret) },
  problems: ['too-many-secrets'],
} as const satisfies Operation;

const DeliveryAttempt = record({
  title: 'DeliveryAttempt',
  description: 'One try to deliver. What the receiver said is not kept.',
  properties: {
    at: Timestamp,
    ms: { ...Count, description: 'How long it took, in milliseconds.' },
    status: { type: ['integer', 'null'], description: 'The HTTP status; null: there was no answer.' },
    failure: {
      type: ['string', 'null'],
      enum: [
        'refused_address',
        'unresolved',
        'unreachable',
        'secure_connection',
        'timeout',
        'cut',
        'secret_unreadable',
        null,
      ],
      description: 'Why there was no answer; null: there was one.',
    },
  },
});

export const Delivery = record({
  title: 'Delivery',
  description: 'One event on its way to one webhook.',
  properties: {
    id: { ...Id, description: 'The `webhook-id` the receiver gets, the same at every try.' },
    type: { type: 'string', enum: [...EventType.enum, 'webhook.test'] },
    at: { ...Timestamp, description: 'When it became true.' },
    state: { type: 'string', enum: ['pending', 'delivered', 'failed'] },
    tries: { ...Count, description: 'Since it was begun, or replayed; 10 at most.' },
    next_at: { ...TimestampOrNull, description: 'When it is tried next; null: never.' },
    attempts: { type: 'array', items: DeliveryAttempt, description: 'The last 20, oldest first.' },
  },
});
export type Delivery = FromSchema<typeof Delivery>;

export const listDeliveries = {
  method: 'GET',
  path: `${WEBHOOK}/deliveries`,
  tag: 'webhooks',
  group: 'webhooks',
  summary: 'List the deliveries of a webhook, newest first',
  description: 'Kept for 30 days.',
  auth: { kind: 'session', role: 'owner' },
  query: PageQuery,
  success: { status: 200, body: pageOf(Delivery) },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const exportDeliveries = {
  ...CSV_LIST,
  path: `${WEBHOOK}/deliveries.csv`,
  tag: 'webhooks',
  group: 'webhooks',
  summary: 'Export the deliveries of a webhook as CSV, newest first',
  description: `${CSV_LIST.description} Of the tries it shows the last one.`,
  auth: { kind: 'session', role: 'owner' },
} as const satisfies Operation;

export const replayDelivery = {
  method: 'POST',
  path: `${WEBHOOK}/deliveries/{delivery_id}/replay`,
  tag: 'webhooks',
  group: 'webhooks',
  summary: 'Send a delivery once more',
  description: 'Under its own id, even if it was delivered, with all tries before it.',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 200, body: envelope(Delivery) },
  problems: ['webhook-disabled'],
} as const satisfies Operation;

export const testWebhook = {
  method: 'POST',
  path: `${WEBHOOK}/test`,
  tag: 'webhooks',
  group: 'webhooks',
  summary: 'Send a message of the type webhook.test',
  auth: { kind: 'session', role: 'owner' },
  idempotent: true,
  success: { status: 201, body: envelope(Delivery) },
  problems: ['webhook-disabled'],
} as const satisfies Operation;

const Stream = {
  type: 'string',
  description:
    'Server-sent events. `id`: of the event; `event`: its type; `data`: JSON as webhooks send it: `type`, `timestamp` and `data` with `team_id`, `project`, `release`, `score`, `coverage`, `decision` and the same three under `before`; `decision_without_waivers` and `waivers` (`id`, `code`, `axis`, `expires_at` of those that cover a reason, 10 at most) say whether a `go` depends on waivers. `event: resync` means that something may have been missed: read again what is shown.',
} as const satisfies Schema;

export const followEvents = {
  method: 'GET',
  path: '/api/events',
  tag: 'readiness',
  group: 'webhooks',
  summary: 'Follow the events of all projects in sight, as they happen',
  description:
    'An open stream of `readiness.changed`, `gate.changed`, `release.activated`, `release.shipped` and `release.canceled`, from every instance of the service. It is authorised again all the time: a key that is revoked or a session that ends closes it, another role narrows it. Nothing is replayed: upon `Last-Event-ID` it begins with a `resync`. A comment every 15 seconds keeps it open. A reader for whom 256 KiB wait is sent nothing further until they are read, then `event: resync`; after 15 seconds it is cut off. A key or session has 20 streams at most, a person 200.',
  auth: { kind: 'key', scope: 'read' },
  query: record({
    properties: { project_id: { ...Id, description: 'Only the events of this project.' } },
    optional: ['project_id'],
  }),
  stream: true,
  success: { status: 200, body: Stream, contentType: 'text/event-stream; charset=utf-8' },
  problems: ['not-found'],
} as const satisfies Operation;
