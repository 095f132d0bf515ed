import type { AuditEntry } from '../access/principal.js';
import { DomainError, notFound } from '../errors.js';
import { messageOf } from '../event.js';
import type { Ports, Stores } from '../ports.js';
import type { Instant } from '../time.js';
import {
  afterAttempt,
  type ClaimedWebhook,
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
  type WebhookChoice,
} from '../webhook.js';
import type { ChangePorts } from './change.js';
import { hostOfWebhook, type InWebhook, noteWebhook, runWebhookChange } from './webhook.js';

/** The actor in the audit log of what the service does by itself. */
const SERVICE: AuditEntry['actor'] = { userId: null, name: 'Shipworthy', kind: 'service' };

/**
 * Disables the webhook of a delivery that ended without success, if the receiver said so (410) or nothing got through for long;
 * inside the transaction that stores the try. Does nothing when the webhook has another address by then.
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
  readonly lane: DeliveryLane;
  /** The lanes of the instance. */
  readonly lanes: DeliveryLanes;
}

type DeliveryPorts = Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender' | 'deliveryLog'>;

/**
 * Sends what is due to one webhook; safe on many instances at once. A message whose answer could not be stored is sent again
 * under the same id: every event arrives at least once.
 * @returns whether there was anything to send, so that there may be more
 */
export async function deliverEvents(
  ports: DeliveryPorts,
  { leaseMs, atOnce, lane, lanes }: DeliverEvents,
): Promise<boolean> {
  const { stores, clock, newId } = ports;
  const lease = newId();
  const claimed = await lanes.claim(lane, clock(), (choice) =>
    stores.webhooks.claimWork(clock(), leaseMs, lease, choice),
  );
  if (claimed === undefined) return false;
  const { webhook } = claimed;
  let slowest = 0;
  try {
    const due = await stores.webhooks.due(webhook.id, clock(), atOnce);
    const took = await Promise.all(due.map((delivery) => deliver(ports, lease, webhook, delivery)));
    slowest = Math.max(0, ...took);
    await stores.webhooks.endWork(webhook.id, lease);
  } finally {
    lanes.end(lane, claimed, clock(), slowest);
  }
  return true;
}

/** Answers how long the message took, in milliseconds. */
const deliver = async (
  { stores, clock, newId, hookSender, deliveryLog }: DeliveryPorts,
  lease: string,
  webhook: Webhook,
  delivery: Delivery,
): Promise<number> => {
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
  if (disabled === 'claim lost') return answer.ms;
  if (next.state !== 'pending') deliveryLog.ended(next.state);
  if (disabled !== null) deliveryLog.disabled(disabled);
  return answer.ms;
};

/** Webhooks are served by two kinds of workers: those of teams with a receiver that was slow lately have their own. */
type DeliveryLane = 'quick' | 'slow';

/** How many webhooks of one team an instance serves at a time, so that no team holds all workers of a lane. */
const MOST_OF_TEAM: Readonly<Record<DeliveryLane, number>> = { quick: 2, slow: 1 };

/** A message that took longer makes its receiver's team a slow one, in milliseconds. */
const SLOW_AFTER = 2000;
/**
 * How long a team counts as slow after its last slow message, in milliseconds: a receiver that is quick only now and then would
 * otherwise keep the quick workers busy. All of the team's webhooks are slow then: if only the one was, a team with hundreds of
 * silent receivers would hold the quick workers for as long as it takes to try each.
 */
const SLOW_FOR = 3_600_000;
/** Most teams that are remembered as slow; those that were slow longest ago are forgotten. */
const MOST_SLOW = 1000;

/** The state that the delivery workers of one instance share. */
interface DeliveryLanes {
  /** Claims a webhook for a worker of the lane. Claims of an instance follow each other, so that each sees what the others took. */
  claim(lane: DeliveryLane, now: Instant, take: TakeWebhook): Promise<ClaimedWebhook | undefined>;
  /** Notes that a worker of the lane is through with it, and how long its slowest message took. */
  end(lane: DeliveryLane, claimed: ClaimedWebhook, now: Instant, ms: number): void;
}

type TakeWebhook = (choice: WebhookChoice) => Promise<ClaimedWebhook | undefined>;

/** Creates lanes in which no team is known as slow. */
export const createDeliveryLanes = (): DeliveryLanes => {
  const slowUntil = new Map<string, Instant>();
  /** The team of each webhook that is served now. */
  const served: Readonly<Record<DeliveryLane, string[]>> = { quick: [], slow: [] };
  let before: Promise<unknown> = Promise.resolve();

  const choiceOf = (lane: DeliveryLane, now: Instant): WebhookChoice => {
    for (const [team, until] of slowUntil) if (until <= now) slowUntil.delete(team);
    const teams = served[lane];
    const busyTeams = [...new Set(teams)].filter(
      (team) => teams.filter((each) => each === team).length >= MOST_OF_TEAM[lane],
    );
    return { slowTeams: [...slowUntil.keys()], wanted: lane === 'slow' ? 'slow' : 'others', busyTeams };
  };

  return {
    claim(lane, now, take) {
      const claiming = before.then(async () => {
        const choice = choiceOf(lane, now);
        if (lane === 'slow' && choice.slowTeams.length === 0) return undefined;
        const claimed = await take(choice);
        if (claimed !== undefined) served[lane].push(claimed.teamId);
        return claimed;
      });
      before = claiming;
      // When a claim fails, the claims queued behind it fail with it, instead of each waiting for a silent database.
      claiming.catch(() => {
        if (before === claiming) before = Promise.resolve();
      });
      return claiming;
    },
    end(lane, { teamId }, now, ms) {
      served[lane].splice(served[lane].indexOf(teamId), 1);
      if (ms <= SLOW_AFTER) return;
      // Inserted at the end: the map is ordered by when a team was slow last.
      slowUntil.delete(teamId);
      slowUntil.set(teamId, now + SLOW_FOR);
      const [oldest] = slowUntil.keys();
      if (slowUntil.size > MOST_SLOW && oldest !== undefined) slowUntil.delete(oldest);
    },
  };
};

interface ReplayDelivery extends InWebhook {
  readonly deliveryId: string;
}

const requireEnabled = ({ state }: Webhook): void => {
  if (state !== 'enabled') throw new DomainError('webhook-disabled', 'The webhook is disabled: nothing is sent to it.');
};

/**
 * Sends a delivery once more under its own id, even one that was delivered, with all tries again.
 * @throws DomainError `not-found`, `forbidden`, `webhook-disabled`
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

/** Sends a message of the type `webhook.test`. @throws DomainError `not-found`, `forbidden`, `webhook-disabled` */
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
