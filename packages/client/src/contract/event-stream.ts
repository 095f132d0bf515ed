import { Id } from './field.js';
import type { Operation } from './operation.js';
import { record } from './record.js';
import type { Schema } from './schema.js';

const Stream = {
  type: 'string',
  description:
    'Server-sent events. `id`: of the event; `event`: its type; `data`: JSON as webhooks send it: `type`, `timestamp` and `data` with `team_id`, `project`, `release`, `score`, `coverage`, `decision` and the same three under `before`; `decision_without_waivers` and `waivers` (`id`, `code`, `axis`, `expires_at` of those that cover a reason, 10 at most) say whether a `go` stands on waivers. `event: resync` means that something may have been missed: read again what is shown.',
} as const satisfies Schema;

export const followEvents = {
  method: 'GET',
  path: '/api/events',
  tag: 'readiness',
  summary: 'Follow the events of all projects in sight, as they happen',
  description:
    'An open stream of `readiness.changed`, `gate.changed`, `release.activated`, `release.shipped` and `release.canceled`, from whichever instance of the service. It is authorised again all the time: a key that is revoked or a session that ends closes it, another role narrows it. Nothing is replayed: upon `Last-Event-ID` it begins with a `resync`. A comment every 15 seconds keeps it open. Who reads so slowly that 256 KiB wait is cut off. A key or session has 20 streams at most, a person 200.',
  auth: { kind: 'key', scope: 'read' },
  query: record({
    properties: { project_id: { ...Id, description: 'Only the events of this project.' } },
    optional: ['project_id'],
  }),
  stream: true,
  success: { status: 200, body: Stream, contentType: 'text/event-stream; charset=utf-8' },
  problems: ['not-found'],
} as const satisfies Operation;
