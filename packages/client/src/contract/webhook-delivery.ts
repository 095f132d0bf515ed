import { Count, Id, Timestamp, TimestampOrNull } from './field.js';
import type { Operation } from './operation.js';
import { PageQuery, pageOf } from './page.js';
import { WEBHOOK } from './path.js';
import { envelope, record } from './record.js';
import type { FromSchema } from './schema.js';
import { EventType } from './webhook.js';

export const DeliveryAttempt = record({
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
  summary: 'List the deliveries of a webhook, newest first',
  description: 'Kept for 30 days.',
  auth: { kind: 'session', role: 'owner' },
  query: PageQuery,
  success: { status: 200, body: pageOf(Delivery) },
  problems: [],
} as const satisfies Operation;

export const replayDelivery = {
  method: 'POST',
  path: `${WEBHOOK}/deliveries/{delivery_id}/replay`,
  tag: 'webhooks',
  summary: 'Send a delivery once more',
  description: 'Under its own id, whatever came of it, with all tries before it.',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 200, body: envelope(Delivery) },
  problems: ['webhook-disabled'],
} as const satisfies Operation;

export const testWebhook = {
  method: 'POST',
  path: `${WEBHOOK}/test`,
  tag: 'webhooks',
  summary: 'Send a message of the type webhook.test',
  auth: { kind: 'session', role: 'owner' },
  idempotent: true,
  success: { status: 201, body: envelope(Delivery) },
  problems: ['webhook-disabled'],
} as const satisfies Operation;
