import type { AuditEntry } from '../access/audit-store.js';
import type { Instant } from '../instant.js';
import type { Ports, Stores } from '../ports.js';
import type { Delivery } from '../webhook/delivery.js';
import { disabledBy, isGivenUp } from '../webhook/giving-up.js';
import type { DisabledReason, Webhook } from '../webhook/webhook.js';
import { hostOfWebhook } from './in-webhook.js';

/** Who does what nobody asked for. */
const SERVICE: AuditEntry['actor'] = { userId: null, name: 'Shipworthy', kind: 'service' };

/**
 * Disables the webhook of a delivery that ended without success, if the receiver said so (410) or nothing got through for
 * long; inside the transaction that stores the try. Not when it was given another address meanwhile.
 * @returns why it was disabled; null: it was not
 */
export const disableIfGivenUp = async (
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
