import { type Delivery, eventMessage, newDelivery, type ReleaseEvent, type Webhook } from '@shipworthy/domain';
import type { EventStore, WebhookChoice, WebhookStore } from '@shipworthy/domain/ports';
import { ascending, pageDown } from './table.js';
import { keyOf, type StoredWebhook, type TableAccess, type Tables } from './tables.js';

const hasDue = ({ webhookDeliveries }: Tables, { id }: Webhook, now: number): boolean =>
  webhookDeliveries.where('webhook', id).some(({ nextAt }) => nextAt !== null && nextAt <= now);

const teamOf = ({ projects }: Tables, { projectId }: Webhook): string => projects.get(projectId)?.teamId ?? '';

const isChosen = (tables: Tables, webhook: Webhook, { slowTeams, wanted, busyTeams }: WebhookChoice): boolean => {
  const team = teamOf(tables, webhook);
  return slowTeams.includes(team) === (wanted === 'slow') && !busyTeams.includes(team);
};

const longestNotServed = (tables: Tables, now: number, choice: WebhookChoice): StoredWebhook | undefined => {
  const waiting = tables.webhooks.all().filter(({ webhook, claimedUntil }) => {
    const free = claimedUntil === null || claimedUntil <= now;
    return webhook.state === 'enabled' && free && hasDue(tables, webhook, now) && isChosen(tables, webhook, choice);
  });
  return ascending(waiting, ({ servedAt, webhook }) => [servedAt, webhook.id])[0];
};

const keyOfDelivery = ({ webhookId, id }: Delivery): string => keyOf(webhookId, id);

const removeDeliveries = ({ webhookDeliveries }: Tables, gone: readonly Delivery[]): number => {
  for (const delivery of gone) webhookDeliveries.remove(keyOfDelivery(delivery));
  return gone.length;
};

export const webhookStore = ({ read, change }: TableAccess): WebhookStore => ({
  create: (webhook) =>
    change(({ webhooks }) =>
      webhooks.put(webhook.id, { webhook, lease: null, claimedUntil: null, servedAt: webhook.createdAt }),
    ),
  byId: (webhookId) => read(({ webhooks }) => webhooks.get(webhookId)?.webhook),
  ofProject: (projectId) =>
    read(({ webhooks }) => {
      const all = webhooks.where('project', projectId).map(({ webhook }) => webhook);
      return ascending(all, ({ createdAt, id }) => [createdAt, id]);
    }),
  replace: (next) =>
    change(({ webhooks }) => {
      const before = webhooks.get(next.id);
      if (before?.webhook.version !== next.version - 1) return false;
      webhooks.put(next.id, { ...before, webhook: { ...next, failingSince: before.webhook.failingSince } });
      return true;
    }),
  setFailing: (webhookId, since) =>
    change(({ webhooks }) => {
      const row = webhooks.get(webhookId);
      const failingSince = since === null ? null : (row?.webhook.failingSince ?? since);
      if (row !== undefined) webhooks.put(webhookId, { ...row, webhook: { ...row.webhook, failingSince } });
    }),
  remove: ({ id, version }) =>
    change((tables) => {
      if (tables.webhooks.get(id)?.webhook.version !== version) return false;
      removeDeliveries(tables, tables.webhookDeliveries.where('webhook', id));
      return tables.webhooks.remove(id);
    }),

  put: (delivery) => change(({ webhookDeliveries }) => webhookDeliveries.put(keyOfDelivery(delivery), delivery)),
  delivery: (webhookId, id) => read(({ webhookDeliveries }) => webhookDeliveries.get(keyOf(webhookId, id))),
  deliveries: (webhookId, page) =>
    read(({ webhookDeliveries }) => pageDown(webhookDeliveries.where('webhook', webhookId), ({ id }) => [id], page)),

  claimWork: (now, leaseMs, lease, choice) =>
    change((tables) => {
      const row = longestNotServed(tables, now, choice);
      if (row === undefined) return undefined;
      const { webhook } = row;
      tables.webhooks.put(webhook.id, { ...row, lease, claimedUntil: now + leaseMs, servedAt: now });
      return { webhook, teamId: teamOf(tables, webhook) };
    }),
  due: (webhookId, now, most) =>
    read(({ webhookDeliveries }) => {
      const due = webhookDeliveries
        .where('webhook', webhookId)
        .filter(({ nextAt }) => nextAt !== null && nextAt <= now);
      return ascending(due, ({ nextAt, id }) => [nextAt ?? 0, id]).slice(0, most);
    }),
  saveTry: (lease, before, next) =>
    change(({ webhooks, webhookDeliveries }) => {
      const key = keyOfDelivery(before);
      if (webhooks.get(before.webhookId)?.lease !== lease) return false;
      const stored = webhookDeliveries.get(key);
      if (stored?.tries !== before.tries || stored.nextAt !== before.nextAt) return false;
      webhookDeliveries.put(key, next);
      return true;
    }),
  endWork: (webhookId, lease) =>
    change(({ webhooks }) => {
      const row = webhooks.get(webhookId);
      if (row?.lease === lease) webhooks.put(webhookId, { ...row, lease: null, claimedUntil: null });
    }),
  backlog: () =>
    read(({ webhooks, webhookDeliveries }) => {
      const waits = ({ webhookId, nextAt }: Delivery): boolean =>
        nextAt !== null && webhooks.get(webhookId)?.webhook.state === 'enabled';
      const moments = webhookDeliveries
        .all()
        .filter(waits)
        .map(({ at }) => at);
      return {
        pending: moments.length,
        oldestAt: moments.length === 0 ? null : moments.reduce((a, b) => Math.min(a, b)),
      };
    }),
  removeDeliveries: (before) =>
    change((tables) =>
      removeDeliveries(
        tables,
        tables.webhookDeliveries.all().filter(({ at }) => at < before),
      ),
    ),
});

const enqueue = ({ webhooks, webhookDeliveries }: Tables, event: ReleaseEvent): void => {
  const { id, type, at } = event;
  const body = JSON.stringify(eventMessage(event));
  for (const { webhook } of webhooks.where('project', event.project.id))
    if (webhook.state === 'enabled' && webhook.types.includes(type))
      webhookDeliveries.put(keyOf(webhook.id, id), newDelivery({ id, webhookId: webhook.id, type, body, at }, at));
};

export const eventStore = ({ change, tell }: TableAccess): EventStore => ({
  append: async (events) => {
    await change((tables) => {
      for (const event of events) enqueue(tables, event);
    });
    await tell(events);
  },
});
