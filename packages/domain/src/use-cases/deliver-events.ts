import type { Ports, Stores } from '../ports.js';
import { afterAttempt, type Delivery, isGone } from '../webhook/delivery.js';
import { secretsAt, type Webhook } from '../webhook/webhook.js';

export interface DeliverEvents {
  /** How long a webhook is hidden from other workers, in milliseconds; longer than a message takes. */
  readonly leaseMs: number;
  /** Most messages on their way to one webhook at a time. */
  readonly atOnce: number;
}

type DeliveryPorts = Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender'>;

/**
 * Sends what is due to one webhook; safe on many instances at once. A message whose answer could not be stored is sent again
 * under the same id: every event arrives at least once.
 * @returns whether there was anything to send, so that there may be more
 */
export const deliverEvents =
  (ports: DeliveryPorts) =>
  async ({ leaseMs, atOnce }: DeliverEvents): Promise<boolean> => {
    const { stores, clock, newId } = ports;
    const lease = newId();
    const webhook = await stores.webhooks.claimWork(clock(), leaseMs, lease);
    if (webhook === undefined) return false;
    const due = await stores.webhooks.due(webhook.id, clock(), atOnce);
    await Promise.all(due.map((delivery) => deliver(ports, lease, webhook, delivery)));
    await stores.webhooks.endWork(webhook.id, lease);
    return true;
  };

const deliver = async (
  { stores, clock, hookSender }: DeliveryPorts,
  lease: string,
  webhook: Webhook,
  delivery: Delivery,
): Promise<void> => {
  const at = clock();
  const { id, body } = delivery;
  const whither = { webhookId: webhook.id, url: webhook.url, secrets: secretsAt(webhook, at) };
  const answer = await hookSender.send({ id, body, at, ...whither });
  const next = afterAttempt(delivery, at, answer, hookSender.spread);
  await stores.transaction(async (inside) => {
    if ((await inside.webhooks.saveTry(lease, next)) && isGone(answer)) await markGone(inside, webhook);
  });
};

/** Not when it was given another address meanwhile. */
const markGone = async ({ webhooks }: Stores, { id, url }: Webhook): Promise<void> => {
  const now = await webhooks.byId(id);
  if (now?.url === url && now.state === 'enabled')
    await webhooks.replace({ ...now, state: 'gone', version: now.version + 1 });
};
