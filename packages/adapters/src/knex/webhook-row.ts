import type { Attempt, Delivery, DisabledReason, FormerSecret, Webhook, WebhookState } from '@shipworthy/domain';
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
  readonly disabled_reason: DisabledReason | null;
  readonly disabled_at: number | null;
  readonly failing_since: number | null;
  readonly former_secret: string | null;
  readonly former_until: number | null;
  /** Those before the former one. */
  readonly earlier_secrets: string | null;
  readonly created_at: number;
  readonly created_by: string;
  readonly version: number;
}

export const WEBHOOK_COLUMNS = `id, project_id, url, types, state, disabled_reason, disabled_at, failing_since, secret,
  former_secret, former_until, earlier_secrets, created_at, created_by, version`;

const formersOf = ({
  former_secret: sealed,
  former_until: until,
  earlier_secrets,
}: WebhookRow): readonly FormerSecret[] => {
  if (sealed === null || until === null) return [];
  const earlier = JSON.parse(earlier_secrets ?? '[]') as readonly FormerSecret[];
  return [{ sealed, until }, ...earlier];
};

const disabledOf = ({ disabled_reason: reason, disabled_at: at }: WebhookRow): Webhook['disabled'] =>
  reason === null || at === null ? null : { reason, at };

export const webhookOf = (row: WebhookRow): Webhook => ({
  id: row.id,
  projectId: row.project_id,
  url: row.url,
  types: JSON.parse(row.types) as Webhook['types'],
  state: row.state,
  disabled: disabledOf(row),
  failingSince: row.failing_since,
  secret: row.secret,
  formerSecrets: formersOf(row),
  createdAt: row.created_at,
  createdBy: row.created_by,
  version: row.version,
});

/** What may change of a webhook from version to version. */
export const webhookColumns = (access: Access, webhook: Webhook): Columns => {
  const [former, ...earlier] = webhook.formerSecrets;
  return {
    url: webhook.url,
    types: asJson(webhook.types),
    state: webhook.state,
    secret: webhook.secret,
    disabled_reason: webhook.disabled?.reason ?? null,
    disabled_at: momentOrNull(access, webhook.disabled?.at ?? null),
    former_secret: former?.sealed ?? null,
    former_until: momentOrNull(access, former?.until ?? null),
    earlier_secrets: asJson(earlier),
    version: webhook.version,
  };
};

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
