// SQL by hand: events are put into the outbox by one statement for all events and webhooks, inside the transaction of each report.
import {
  type Attempt,
  type Backlog,
  type Delivery,
  type DisabledReason,
  eventMessage,
  type FormerSecret,
  type Instant,
  type ReleaseEvent,
  type Webhook,
  type WebhookState,
} from '@shipworthy/domain';
import type { ClaimedWebhook, EventStore, WebhookChoice, WebhookStore } from '@shipworthy/domain/ports';
import { asJson } from './dialect.js';
import { column, query, skippingLocked, type TableOf } from './query.js';
import { type Access, boundMoment, keysetPage, type Listing, removeInPortions } from './sql.js';

interface WebhookRow {
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
  /** The former secrets except the newest, as JSON; null: none. */
  readonly earlier_secrets: string | null;
  readonly created_at: number;
  readonly created_by: string;
  readonly version: number;
}

interface WebhookColumns extends WebhookRow {
  readonly served_at: number;
  readonly lease: string | null;
  readonly claimed_until: number | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    webhooks: TableOf<
      WebhookColumns,
      'disabled_at' | 'failing_since' | 'former_until' | 'created_at' | 'served_at' | 'claimed_until'
    >;
    webhook_deliveries: TableOf<DeliveryRow, 'at' | 'next_at'>;
  }
}

const WEBHOOK_COLUMNS = [
  'id',
  'project_id',
  'url',
  'types',
  'state',
  'disabled_reason',
  'disabled_at',
  'failing_since',
  'secret',
  'former_secret',
  'former_until',
  'earlier_secrets',
  'created_at',
  'created_by',
  'version',
] as const;

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

/** The columns of a webhook that may change. */
const webhookColumns = (access: Access, webhook: Webhook) => {
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

interface DeliveryRow {
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

/** The columns of a delivery that may change. */
const deliveryColumns = (access: Access, delivery: Delivery) => ({
  state: delivery.state,
  tries: delivery.tries,
  next_at: boundMoment(access, delivery.nextAt),
  attempts: asJson(delivery.attempts),
});

const create = async (access: Access, webhook: Webhook): Promise<void> => {
  const createdAt = access.dialect.moment(webhook.createdAt);
  const { id, projectId, createdBy } = webhook;
  const fixed = { id, project_id: projectId, created_at: createdAt, created_by: createdBy, served_at: createdAt };
  const failing_since = boundMoment(access, webhook.failingSince);
  await query(access)
    .from('webhooks')
    .insert({ ...fixed, failing_since, ...webhookColumns(access, webhook) });
};

const put = (access: Access, delivery: Delivery): Promise<void> =>
  access.atomically(async (inside) => {
    const { webhookId, id, type, body } = delivery;
    const columns = deliveryColumns(inside, delivery);
    const which = { webhook_id: webhookId, id };
    if ((await query(inside).from('webhook_deliveries').where(which).update(columns)) === 1) return;
    const at = inside.dialect.moment(delivery.at);
    await query(inside)
      .from('webhook_deliveries')
      .insert({ ...which, type, body, at, ...columns });
  });

/** Claims in one statement, which skips rows that another claim has locked. */
const claimWork = async (
  access: Access,
  now: Instant,
  leaseMs: number,
  lease: string,
  { slowTeams, wanted, busyTeams }: WebhookChoice,
): Promise<ClaimedWebhook | undefined> => {
  const { moment } = access.dialect;
  const at = moment(now);
  const waiting = query(access).from('webhook_deliveries as d').select('d.id').where('d.next_at', '<=', at);
  const ofTeams = (teams: readonly string[]) =>
    query(access)
      .from('projects as p')
      .where('p.id', column(access, 'w.project_id'))
      .whereIn('p.team_id', teams)
      .select('p.id');
  const next = query(access)
    .from('webhooks as w')
    .where('w.state', 'enabled')
    .where((free) => free.whereNull('w.claimed_until').orWhere('w.claimed_until', '<=', at))
    .where((chosen) =>
      wanted === 'slow' ? chosen.whereExists(ofTeams(slowTeams)) : chosen.whereNotExists(ofTeams(slowTeams)),
    )
    .whereNotExists(ofTeams(busyTeams))
    .whereExists(waiting.where('d.webhook_id', column(access, 'w.id')))
    .orderBy(['w.served_at', 'w.id'])
    .limit(1)
    .select('w.id');
  const [row] = await query(access)
    .from('webhooks')
    .where('id', skippingLocked(access, next))
    .update({ lease, claimed_until: moment(now + leaseMs), served_at: at }, [...WEBHOOK_COLUMNS]);
  if (row === undefined) return undefined;
  const project = await query(access).from('projects').where('id', row.project_id).first('team_id');
  return project && { webhook: webhookOf(row), teamId: project.team_id };
};

const due = async (access: Access, webhookId: string, now: Instant, limit: number): Promise<readonly Delivery[]> => {
  const rows = await query(access)
    .from('webhook_deliveries')
    .where('webhook_id', webhookId)
    .where('next_at', '<=', access.dialect.moment(now))
    .orderBy(['next_at', 'id'])
    .limit(limit);
  return rows.map(deliveryOf);
};

/** Stores nothing when the delivery was begun again: that changed its `tries`, or its `next_at` if there were none yet. */
const saveTry = async (access: Access, lease: string, before: Delivery, next: Delivery): Promise<boolean> => {
  const { webhookId, id, tries, nextAt } = before;
  const claim = query(access).from('webhooks').where({ id: webhookId, lease }).select('id');
  const saved = await query(access)
    .from('webhook_deliveries')
    .where({ webhook_id: webhookId, id, tries })
    .where('next_at', boundMoment(access, nextAt))
    .whereExists(claim)
    .update(deliveryColumns(access, next));
  return saved === 1;
};

/** Sets or clears `failing_since`; writes nothing when the webhook is in that state already. */
const setFailing = async (access: Access, webhookId: string, since: Instant | null): Promise<void> => {
  const webhook = query(access).from('webhooks').where('id', webhookId);
  const other = since === null ? webhook.whereNotNull('failing_since') : webhook.whereNull('failing_since');
  await other.update({ failing_since: boundMoment(access, since) });
};

const backlog = async (access: Access): Promise<Backlog> => {
  const [row] = await query(access)
    .from('webhook_deliveries as d')
    .join('webhooks as w', 'w.id', 'd.webhook_id')
    .whereNotNull('d.next_at')
    .where('w.state', 'enabled')
    .count('* as pending')
    .min('d.at as oldest_at')
    .select<{ readonly pending: number; readonly oldest_at: number | null }[]>();
  return { pending: row?.pending ?? 0, oldestAt: row?.oldest_at ?? null };
};

const remove = (access: Access, id: string, version: number): Promise<boolean> =>
  access.atomically(async (inside) => {
    const held = await query(inside).from('webhooks').where({ id, version }).forUpdate().first('id');
    if (held === undefined) return false;
    await query(inside).from('webhook_deliveries').where('webhook_id', id).delete();
    return (await query(inside).from('webhooks').where('id', id).delete()) === 1;
  });

const deliveries = (access: Access, webhookId: string): Listing => ({
  rows: query(access).from('webhook_deliveries').where('webhook_id', webhookId),
  sort: [{ name: 'id', kind: 'text' }],
  descending: true,
});

export const webhookStore = (access: Access): WebhookStore => ({
  create: (webhook) => create(access, webhook),
  byId: async (id) => {
    const row = await query(access)
      .from('webhooks')
      .where('id', id)
      .first(...WEBHOOK_COLUMNS);
    return row && webhookOf(row);
  },
  ofProject: async (projectId) => {
    const theirs = query(access).from('webhooks').where('project_id', projectId).orderBy(['created_at', 'id']);
    return (await theirs.select(...WEBHOOK_COLUMNS)).map(webhookOf);
  },
  replace: async (next) => {
    const before = query(access)
      .from('webhooks')
      .where({ id: next.id, version: next.version - 1 });
    return (await before.update(webhookColumns(access, next))) === 1;
  },
  setFailing: (webhookId, since) => setFailing(access, webhookId, since),
  remove: ({ id, version }) => remove(access, id, version),

  put: (delivery) => put(access, delivery),
  delivery: async (webhookId, id) => {
    const row = await query(access).from('webhook_deliveries').where({ webhook_id: webhookId, id }).first();
    return row && deliveryOf(row);
  },
  deliveries: (webhookId, page) =>
    keysetPage(access, deliveries(access, webhookId), page, deliveryOf, ({ id }) => [id]),

  claimWork: (now, leaseMs, lease, choice) => claimWork(access, now, leaseMs, lease, choice),
  due: (webhookId, now, limit) => due(access, webhookId, now, limit),
  saveTry: (lease, before, next) => saveTry(access, lease, before, next),
  endWork: async (webhookId, lease) => {
    await query(access).from('webhooks').where({ id: webhookId, lease }).update({ lease: null, claimed_until: null });
  },
  backlog: () => backlog(access),
  removeDeliveries: async (before) => {
    const at = access.dialect.moment(before);
    // Instances that poll for events remove them after minutes; where no instance polls, they are removed here.
    await removeInPortions(access, 'told_events', 'told_at < ?', at);
    return removeInPortions(access, 'webhook_deliveries', 'at < ?', at);
  },
});

const COLUMNS = { project_id: 'id', id: 'id', type: 'text', body: 'text', at: 'moment' } as const;

/**
 * Stores one delivery for each event and webhook that wants it, in one statement. It locks the webhooks: it waits for
 * one that is just being removed, and leaves it out.
 */
const enqueue = async (access: Access, events: readonly ReleaseEvent[]): Promise<void> => {
  const { rowset, moment, inJsonArray, forKeyShare } = access.dialect;
  const told = rowset('v', COLUMNS);
  const rows = events.map((event) => {
    const { project, id, type, at } = event;
    return [project.id, id, type, asJson(eventMessage(event)), moment(at)];
  });
  await access.write(
    `insert into webhook_deliveries (webhook_id, id, type, body, at, state, tries, next_at, attempts)
      select w.id, v.id, v.type, v.body, v.at, 'pending', 0, v.at, '[]' from ${told.table}
      join webhooks w on w.project_id = v.project_id and w.state = 'enabled' and ${inJsonArray('v.type', 'w.types')}
      ${forKeyShare === '' ? '' : `${forKeyShare} of w`}`,
    told.bindings(rows),
    'enqueue-events',
  );
};

export const eventStore = (access: Access): EventStore => ({
  append: (events) =>
    access.atomically(async (inside) => {
      await enqueue(inside, events);
      await inside.publish(events);
    }),
});
