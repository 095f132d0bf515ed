import { HttpUrl } from './field.js';
import type { Operation } from './operation.js';
import { PROJECT, WEBHOOK } from './path.js';
import { envelope, list, record } from './record.js';
import { EventTypes, Webhook, WebhookWithSecret } from './webhook.js';

export const listWebhooks = {
  method: 'GET',
  path: `${PROJECT}/webhooks`,
  tag: 'webhooks',
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
  summary: 'Read a webhook',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 200, body: envelope(Webhook) },
  problems: [],
} as const satisfies Operation;

export const changeWebhook = {
  method: 'PATCH',
  path: WEBHOOK,
  tag: 'webhooks',
  summary: 'Change where and what is sent, disable, enable',
  description: 'What waits while it is disabled is sent when it is enabled again, whoever or whatever disabled it.',
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
  summary: 'Give a webhook another signing secret',
  description:
    'For 24 hours messages carry a signature by the former secret beside that by the new one. Each former secret is kept for its 24 hours, 5 at most.',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 200, body: envelope(WebhookWithSecret) },
  problems: ['too-many-secrets'],
} as const satisfies Operation;
