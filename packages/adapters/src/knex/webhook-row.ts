import type { Attempt, Delivery, Webhook, WebhookState } from '@shipworthy/domain';
import type { Access } from './access.js';
import { type Columns, momentOrNull } from './sql.js';
import { asJson } from './well-formed.js';

export interface WebhookRow {
  readonly id: string;
  readonly project_id: string;
  readonly url: string;
  readonly types: string;
  readonly state: WebhookState;
  readonly secret: string;
  readonly former_secret: string | null;
  readonly former_until: number | null;
  readonly created_at: number;
  readonly created_by: string;
  readonly version: number;
}

export const WEBHOOK_COLUMNS =
  'id, project_id, url, types, state, secret, former_secret, former_until, created_at, created_by, version';

const formerOf = ({ former_secret: sealed, former_until: until }: WebhookRow): Webhook['formerSecret'] =>
  sealed === null || until === null ? null : { sealed, until };

export const webhookOf = (row: WebhookRow): Webhook => ({
  id: row.id,
  projectId: row.project_id,
  url: row.url,
  types: JSON.parse(row.types) as Webhook['types'],
  state: row.state,
  secret: row.secret,
  formerSecret: formerOf(row),
  createdAt: row.created_at,
  createdBy: row.created_by,
  version: row.version,
});

/** What may change of a webhook. */
export const webhookColumns = (access: Access, webhook: Webhook): Columns => ({
  url: webhook.url,
  types: asJson(webhook.types),
  state: webhook.state,
  secret: webhook.secret,
  former_secret: webhook.formerSecret?.sealed ?? null,
  former_until: momentOrNull(access, webhook.formerSecret?.until ?? null),
  version: webhook.version,
});

export interface DeliveryRow {
  readonly webhook_id: string;
  readonly id: string;
  readonly type: Delivery['type'];
  readonly body: string;
  readonly at: number;
  readonly state: Delivery['state'];
  readonly tries: number;
  readonly next_at: number | null;
  readonly attempts: string;
}

export const DELIVERY_COLUMNS = 'webhook_id, id, type, body, at, state, tries, next_at, attempts';

export const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  type: row.type,
  body: row.body,
  at: row.at,
  state: row.state,
  tries: row.tries,
  nextAt: row.next_at,
  attempts: JSON.parse(row.attempts) as readonly Attempt[],
});

/** What may change of a delivery. */
export const deliveryColumns = (access: Access, delivery: Delivery): Columns => ({
  state: delivery.state,
  tries: delivery.tries,
  next_at: momentOrNull(access, delivery.nextAt),
  attempts: asJson(delivery.attempts),
});
