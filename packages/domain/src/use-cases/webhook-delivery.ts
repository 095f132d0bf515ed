import type { AuditEntry } from '../access/principal.js';
import { DomainError, notFound } from '../errors.js';
import { messageOf } from '../event.js';
import type { Ports, Stores } from '../ports.js';
import type { Instant } from '../time.js';
import {
  afterAttempt,
  type Delivery,
  type DisabledReason,
  disabledBy,
  isGivenUp,
  isGone,
  newDelivery,
  replayed,
  secretsAt,
  TEST_TYPE,
  type Webhook,
} from '../webhook.js';
import type { ChangePorts } from './change.js';
import { hostOfWebhook, type InWebhook, noteWebhook, runWebhookChange } from './webhook.js';

/** Who does what nobody asked for. */
const SERVICE: AuditEntry['actor'] = { userId: null, name: 'Shipworthy', kind: 'service' };

/**
 * Disables the webhook of a delivery that ended without success, if the receiver said so (410) or nothing got through for
 * long; inside the transaction that stores the try. Not when it was given another address meanwhile.
 * @returns why it was disabled; null: it was not
 */
const disableIfGivenUp = async (
  stores: Stores,
  { id, url }: Webhook,
  delivery: Delivery,
  gone: boolean,
  at: Instant,
  newId: Ports['newId'],
): Promise<Exclude<DisabledReason, 'person'> | null> => {
  const now = await stores.webhooks.byId(id);
  if (now?.url !== url || now.state !== 'enabled') return null;
  if (!gone && !isGivenUp(delivery, now, at)) return null;
  const reason = gone ? 'gone' : 'failing';
  if (!(await stores.webhooks.replace(disabledBy(now, reason, at)))) return null;
  const project = await stores.projects.byId(now.projectId);
  await stores.audit.append({
    id: newId(),
    teamId: project?.teamId ?? null,
    at,
    actor: SERVICE,
    action: 'webhook.disable',
    resource: { type: 'webhook', id },
    address: '',
    requestId: '',
    detail: { host: hostOfWebhook(now), reason, firstFailureAt: now.failingSince },
  });
  return reason;
};

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
export async function deliverEvents(ports: DeliveryPorts, { leaseMs, atOnce }: DeliverEvents): Promise<boolean> {
  const { stores, clock, newId } = ports;
  const lease = newId();
  const webhook = await stores.webhooks.claimWork(clock(), leaseMs, lease);
  if (webhook === undefined) return false;
  const due = await stores.webhooks.due(webhook.id, clock(), atOnce);
  await Promise.all(due.map((delivery) => deliver(ports, lease, webhook, delivery)));
  await stores.webhooks.endWork(webhook.id, lease);
  return true;
}

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

interface ReplayDelivery extends InWebhook {
  readonly deliveryId: string;
}

const requireEnabled = ({ state }: Webhook): void => {
  if (state !== 'enabled') throw new DomainError('webhook-disabled', 'The webhook is disabled: nothing is sent to it.');
};

/**
 * Sends a delivery once more under its own id, whatever came of it, with all tries before it.
 * Role owner. @throws DomainError `not-found`, `forbidden`, `webhook-disabled`
 */
export function replayDelivery(ports: ChangePorts, command: ReplayDelivery): Promise<Delivery> {
  return runWebhookChange(ports, command, async (changing) => {
    const { stores, webhook, now } = changing;
    const delivery = await stores.webhooks.delivery(webhook.id, command.deliveryId);
    if (delivery === undefined) throw notFound('delivery');
    requireEnabled(webhook);
    const next = replayed(delivery, now);
    await stores.webhooks.put(next);
    await noteWebhook(changing, webhook, 'webhook.replay', { delivery: delivery.id });
    return next;
  });
}

/** Sends a message of the type `webhook.test`. Role owner. @throws DomainError `not-found`, `forbidden`, `webhook-disabled` */
export function testWebhook(ports: ChangePorts, command: InWebhook): Promise<Delivery> {
  return runWebhookChange(ports, command, async (changing) => {
    const { stores, webhook, now, newId } = changing;
    requireEnabled(webhook);
    const body = JSON.stringify(messageOf(TEST_TYPE, now, { webhook_id: webhook.id }));
    const delivery = newDelivery({ id: newId(), webhookId: webhook.id, type: TEST_TYPE, body, at: now }, now);
    await stores.webhooks.put(delivery);
    await noteWebhook(changing, webhook, 'webhook.test');
    return delivery;
  });
}
