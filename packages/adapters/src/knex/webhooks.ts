import type {
  Attempt,
  Backlog,
  Delivery,
  DisabledReason,
  FormerSecret,
  Instant,
  Webhook,
  WebhookState,
} from '@shipworthy/domain';
import type { WebhookStore } from '@shipworthy/domain/ports';
import { asJson } from './dialect.js';
import {
  type Access,
  boundMoment,
  insert,
  keysetPage,
  remove,
  removeInPortions,
  type StoredColumns,
  update,
} from './sql.js';

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

const WEBHOOK_COLUMNS = `id, project_id, url, types, state, disabled_reason, disabled_at, failing_since, secret,
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

const webhookOf = (row: WebhookRow): Webhook => ({
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
const webhookColumns = (access: Access, webhook: Webhook): StoredColumns => {
  const [former, ...earlier] = webhook.formerSecrets;
  return {
    url: webhook.url,
    types: asJson(webhook.types),
    state: webhook.state,
    secret: webhook.secret,
    disabled_reason: webhook.disabled?.reason ?? null,
    disabled_at: boundMoment(access, webhook.disabled?.at ?? null),
    former_secret: former?.sealed ?? null,
    former_until: boundMoment(access, former?.until ?? null),
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

const DELIVERY_COLUMNS = 'webhook_id, id, type, body, at, state, tries, next_at, attempts';

const deliveryOf = (row: DeliveryRow): Delivery => ({
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
const deliveryColumns = (access: Access, delivery: Delivery): StoredColumns => ({
  state: delivery.state,
  tries: delivery.tries,
  next_at: boundMoment(access, delivery.nextAt),
  attempts: asJson(delivery.attempts),
});

const WHICH = 'webhook_id = ? and id = ?';

const create = (access: Access, webhook: Webhook): Promise<void> => {
  const createdAt = access.dialect.moment(webhook.createdAt);
  const { id, projectId, createdBy } = webhook;
  const fixed = { id, project_id: projectId, created_at: createdAt, created_by: createdBy, served_at: createdAt };
  const failing = { failing_since: boundMoment(access, webhook.failingSince) };
  return insert(access, 'webhooks', { ...fixed, ...failing, ...webhookColumns(access, webhook) });
};

const put = (access: Access, delivery: Delivery): Promise<void> =>
  access.atomically(async (inside) => {
    const { webhookId, id, type, body } = delivery;
    const columns = deliveryColumns(inside, delivery);
    if ((await update(inside, 'webhook_deliveries', columns, WHICH, [webhookId, id])) === 1) return;
    const at = inside.dialect.moment(delivery.at);
    await insert(inside, 'webhook_deliveries', { webhook_id: webhookId, id, type, body, at, ...columns });
  });

/** One statement claims; others step over a row that is just being claimed. */
const claimWork = async (
  access: Access,
  now: Instant,
  leaseMs: number,
  lease: string,
): Promise<Webhook | undefined> => {
  const { moment, skipLocked } = access.dialect;
  const at = moment(now);
  const [row] = await access.write<WebhookRow>(
    `update webhooks set lease = ?, claimed_until = ?, served_at = ? where id =
      (select w.id from webhooks w where w.state = 'enabled' and (w.claimed_until is null or w.claimed_until <= ?)
        and exists (select 1 from webhook_deliveries d where d.webhook_id = w.id and d.next_at <= ?)
        order by w.served_at, w.id limit 1 ${skipLocked})
      returning ${WEBHOOK_COLUMNS}`,
    [lease, moment(now + leaseMs), at, at, at],
  );
  return row && webhookOf(row);
};

const due = async (access: Access, webhookId: string, now: Instant, most: number): Promise<readonly Delivery[]> => {
  const rows = await access.read<DeliveryRow>(
    `select ${DELIVERY_COLUMNS} from webhook_deliveries where webhook_id = ? and next_at <= ? order by next_at, id limit ?`,
    [webhookId, access.dialect.moment(now), most],
  );
  return rows.map(deliveryOf);
};

const saveTry = async (access: Access, lease: string, delivery: Delivery): Promise<boolean> => {
  const { webhookId, id } = delivery;
  const claimed = `${WHICH} and exists (select 1 from webhooks w where w.id = webhook_id and w.lease = ?)`;
  const columns = deliveryColumns(access, delivery);
  return (await update(access, 'webhook_deliveries', columns, claimed, [webhookId, id, lease])) === 1;
};

/** Only where it changes something, so that a try that ends like the one before writes nothing. */
const setFailing = async (access: Access, webhookId: string, since: Instant | null): Promise<void> => {
  const other = since === null ? 'is not null' : 'is null';
  const columns = { failing_since: boundMoment(access, since) };
  await update(access, 'webhooks', columns, `id = ? and failing_since ${other}`, [webhookId]);
};

const backlog = async (access: Access): Promise<Backlog> => {
  const [row] = await access.read<{ pending: number; oldest_at: number | null }>(
    `select count(*) as pending, min(d.at) as oldest_at from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where d.next_at is not null and w.state = 'enabled'`,
    [],
  );
  return { pending: row?.pending ?? 0, oldestAt: row?.oldest_at ?? null };
};

export const webhookStore = (access: Access): WebhookStore => ({
  create: (webhook) => create(access, webhook),
  byId: async (id) => {
    const [row] = await access.read<WebhookRow>(`select ${WEBHOOK_COLUMNS} from webhooks where id = ?`, [id]);
    return row && webhookOf(row);
  },
  ofProject: async (projectId) => {
    const text = `select ${WEBHOOK_COLUMNS} from webhooks where project_id = ? order by created_at, id`;
    return (await access.read<WebhookRow>(text, [projectId])).map(webhookOf);
  },
  replace: async (next) => {
    const columns = webhookColumns(access, next);
    return (await update(access, 'webhooks', columns, 'id = ? and version = ?', [next.id, next.version - 1])) === 1;
  },
  setFailing: (webhookId, since) => setFailing(access, webhookId, since),
  remove: ({ id, version }) =>
    access.atomically(async (inside) => {
      const held = `select id from webhooks where id = ? and version = ? ${inside.dialect.forUpdate}`;
      if ((await inside.read(held, [id, version])).length === 0) return false;
      await remove(inside, 'webhook_deliveries', 'webhook_id = ?', [id]);
      return (await remove(inside, 'webhooks', 'id = ?', [id])) === 1;
    }),

  put: (delivery) => put(access, delivery),
  delivery: async (webhookId, id) => {
    const text = `select ${DELIVERY_COLUMNS} from webhook_deliveries where ${WHICH}`;
    const [row] = await access.read<DeliveryRow>(text, [webhookId, id]);
    return row && deliveryOf(row);
  },
  deliveries: (webhookId, page) => {
    const listing = {
      select: `select ${DELIVERY_COLUMNS} from webhook_deliveries`,
      conditions: ['webhook_id = ?'],
      bindings: [webhookId],
      sort: [{ name: 'id', kind: 'text' }],
      descending: true,
    } as const;
    return keysetPage<DeliveryRow, Delivery>(access, listing, page, deliveryOf, ({ id }) => [id]);
  },

  claimWork: (now, leaseMs, lease) => claimWork(access, now, leaseMs, lease),
  due: (webhookId, now, most) => due(access, webhookId, now, most),
  saveTry: (lease, delivery) => saveTry(access, lease, delivery),
  endWork: async (webhookId, lease) => {
    await update(access, 'webhooks', { lease: null, claimed_until: null }, 'id = ? and lease = ?', [webhookId, lease]);
  },
  backlog: () => backlog(access),
  removeDeliveries: (before) => removeInPortions(access, 'webhook_deliveries', 'at < ?', access.dialect.moment(before)),
});
