import { type EventStore, eventMessage, newDelivery, type ReleaseEvent } from '@shipworthy/domain';
import type { TableAccess } from './table-access.js';
import { keyOf, type Tables } from './tables.js';

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
