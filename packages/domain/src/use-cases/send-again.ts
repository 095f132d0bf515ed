import { DomainError, notFound } from '../errors.js';
import { messageOf } from '../event/event-message.js';
import { type Delivery, newDelivery, replayed, TEST_TYPE } from '../webhook/delivery.js';
import type { Webhook } from '../webhook/webhook.js';
import type { ChangePorts } from './change.js';
import { changeWebhook, type InWebhook, noteWebhook } from './in-webhook.js';

export interface ReplayDelivery extends InWebhook {
  readonly deliveryId: string;
}

const requireEnabled = ({ state }: Webhook): void => {
  if (state !== 'enabled') throw new DomainError('webhook-disabled', 'The webhook is disabled: nothing is sent to it.');
};

/**
 * Sends a delivery once more under its own id, whatever came of it, with all tries before it.
 * Role owner. @throws DomainError `not-found`, `forbidden`, `webhook-disabled`
 */
export const replayDelivery =
  (ports: ChangePorts) =>
  (command: ReplayDelivery): Promise<Delivery> =>
    changeWebhook(ports, command, async (changing) => {
      const { stores, webhook, now } = changing;
      const delivery = await stores.webhooks.delivery(webhook.id, command.deliveryId);
      if (delivery === undefined) throw notFound('delivery');
      requireEnabled(webhook);
      const next = replayed(delivery, now);
      await stores.webhooks.put(next);
      await noteWebhook(changing, webhook, 'webhook.replay', { delivery: delivery.id });
      return next;
    });

/** Sends a message of the type `webhook.test`. Role owner. @throws DomainError `not-found`, `forbidden`, `webhook-disabled` */
export const testWebhook =
  (ports: ChangePorts) =>
  (command: InWebhook): Promise<Delivery> =>
    changeWebhook(ports, command, async (changing) => {
      const { stores, webhook, now, newId } = changing;
      requireEnabled(webhook);
      const body = JSON.stringify(messageOf(TEST_TYPE, now, { webhook_id: webhook.id }));
      const delivery = newDelivery({ id: newId(), webhookId: webhook.id, type: TEST_TYPE, body, at: now }, now);
      await stores.webhooks.put(delivery);
      await noteWebhook(changing, webhook, 'webhook.test');
      return delivery;
    });
