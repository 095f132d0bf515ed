import type { Ports } from '../ports.js';
import { afterAttempt, type Delivery, isGone } from '../webhook/delivery.js';
import { secretsAt, type Webhook } from '../webhook/webhook.js';
import { disableIfGivenUp } from './disable-webhook.js';

export interface DeliverEvents {
  /** How long a webhook is hidden from other workers, in milliseconds; longer than a message takes. */
  readonly leaseMs: number;
  /** Most messages on their way to one webhook at a time. */
  readonly atOnce: number;
}

type DeliveryPorts = Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender' | 'deliveryLog'>;

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
  { stores, clock, newId, hookSender, deliveryLog }: DeliveryPorts,
  lease: string,
  webhook: Webhook,
  delivery: Delivery,
): Promise<void> => {
  const at = clock();
  const { id, body } = delivery;
  const whither = { webhookId: webhook.id, url: webhook.url, secrets: secretsAt(webhook, at) };
  const answer = await hookSender.send({ id, body, at, ...whither });
  deliveryLog.tried(answer);
  const next = afterAttempt(delivery, at, answer, hookSender.spread);
  const disabled = await stores.transaction(async (inside) => {
    if (!(await inside.webhooks.saveTry(lease, next))) return 'claim lost';
    await inside.webhooks.setFailing(webhook.id, next.state === 'delivered' ? null : at);
    return next.state === 'failed'
      ? disableIfGivenUp(inside, webhook, next, isGone(answer), Math.max(at, clock()), newId)
      : null;
  });
  if (disabled === 'claim lost') return;
  if (next.state !== 'pending') deliveryLog.ended(next.state);
  if (disabled !== null) deliveryLog.disabled(disabled);
};
