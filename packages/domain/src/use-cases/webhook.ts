import { SERVICE_ACTOR } from '../access/principal.js';
import { DomainError, invalid, notFound } from '../errors.js';
import { type EventType, messageOf } from '../event.js';
import type { Ports, Stores } from '../ports.js';
import type { Instant } from '../time.js';
import {
  afterAttempt,
  type ClaimedWebhook,
  type Delivery,
  type DisabledReason,
  disabledBy,
  FORMER_SECRET_VALID,
  type FormerSecret,
  formerSecretsAt,
  isGone,
  MOST_FORMER_SECRETS,
  MOST_WEBHOOKS,
  mustDisable,
  newDelivery,
  replayed,
  secretsAt,
  TEST_TYPE,
  type Webhook,
  type WebhookChoice,
  type WebhookSender,
} from '../webhook.js';
import {
  type ChangeOfProject,
  type ChangePorts,
  type InProject,
  requireVersion,
  runProjectChange,
  versionMismatch,
} from './change.js';

/** A command that concerns one webhook of a project. */
interface InWebhook extends InProject {
  readonly webhookId: string;
  /** The version the caller saw; null or left out: any. */
  readonly version?: number | null;
}

interface WebhookChange extends ChangeOfProject {
  readonly webhook: Webhook;
}

/** Runs a change of a webhook. @throws DomainError `not-found`, `forbidden`, `version-mismatch` */
function runWebhookChange<Result>(
  ports: ChangePorts,
  command: InWebhook,
  work: (change: WebhookChange) => Promise<Result>,
): Promise<Result> {
  return runProjectChange(ports, command, async (changing) => {
    const webhook = await changing.stores.webhooks.byId(command.webhookId);
    if (webhook?.projectId !== command.projectId) throw notFound('webhook');
    requireVersion(webhook, command.version ?? null);
    return work({ ...changing, webhook });
  });
}

/**
 * Stores the webhook's next state.
 * @throws DomainError `version-mismatch` when the service disabled the webhook in between
 */
const storeWebhook = async ({ stores }: WebhookChange, next: Webhook): Promise<Webhook> => {
  if (await stores.webhooks.replace(next)) return next;
  throw versionMismatch(await stores.webhooks.byId(next.id));
};

/** The host of the address, which may be shown: the rest may hold a secret. */
function hostOfWebhook({ url }: Webhook): string {
  return /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? '';
}

/** Notes an action on the webhook in the audit log. */
function noteWebhook(
  { project, note }: ChangeOfProject,
  webhook: Webhook,
  action: string,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return note({
    teamId: project.teamId,
    action,
    resource: { type: 'webhook', id: webhook.id },
    detail: { host: hostOfWebhook(webhook), ...detail },
  });
}

interface CreateWebhook extends InProject {
  readonly url: string;
  readonly types: readonly EventType[];
}

/** A webhook with its signing secret, which is known here and never again. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** @throws DomainError `invalid` for an address to which nothing would ever be sent */
const requireAddress = ({ refusal }: Pick<WebhookSender, 'refusal'>, url: string): void => {
  const message = refusal(url);
  if (message !== null) throw invalid([{ pointer: '/url', code: 'refused-address', message }]);
};

/** Has a project's events sent to an address. @throws DomainError `not-found`, `forbidden`, `invalid` */
export function createWebhook(
  { hookSender, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender'>,
  command: CreateWebhook,
): Promise<WebhookWithSecret> {
  return runProjectChange(ports, command, async (changing) => {
    const { stores, project, now, newId, by } = changing;
    requireAddress(hookSender, command.url);
    const others = await stores.webhooks.ofProject(project.id);
    if (others.length >= MOST_WEBHOOKS)
      throw invalid([
        { pointer: '/url', code: 'too-many', message: `A project has ${MOST_WEBHOOKS} webhooks at most.` },
      ]);
    const id = newId();
    const { secret, sealed } = hookSender.newSecret(id);
    const webhook: Webhook = {
      id,
      projectId: project.id,
      url: command.url,
      types: command.types,
      state: 'enabled',
      disabled: null,
      failingSince: null,
      secret: sealed,
      formerSecrets: [],
      createdAt: now,
      createdBy: by.principal.name,
      version: 1,
    };
    await stores.webhooks.create(webhook);
    await noteWebhook(changing, webhook, 'webhook.create', { types: command.types });
    return { webhook, secret };
  });
}

interface EditWebhook extends InWebhook {
  /** Missing members stay. */
  readonly edit: Partial<Pick<Webhook, 'url' | 'types'> & { readonly state: 'enabled' | 'disabled' }>;
}

const disabledFrom = (
  { state, disabled }: Webhook,
  wanted: 'enabled' | 'disabled' | undefined,
  at: Instant,
): Webhook['disabled'] => {
  if (wanted === 'enabled') return null;
  return wanted === undefined || state === wanted ? disabled : { reason: 'person', at };
};

/**
 * Changes address, events or state of a webhook. Messages that wait while it is disabled are sent when it is enabled again; a
 * new address or enabling clears the record of failures. @throws DomainError `not-found`, `forbidden`, `invalid`,
 * `version-mismatch`
 */
export function editWebhook(
  { hookSender, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender'>,
  command: EditWebhook,
): Promise<Webhook> {
  return runWebhookChange(ports, command, async (changing) => {
    const { webhook, stores, now } = changing;
    const { edit } = command;
    if (edit.url !== undefined) requireAddress(hookSender, edit.url);
    const disabled = disabledFrom(webhook, edit.state, now);
    const stored = await storeWebhook(changing, { ...webhook, ...edit, disabled, version: webhook.version + 1 });
    const anew = edit.state === 'enabled' || edit.url !== undefined;
    if (anew) await stores.webhooks.setFailing(webhook.id, null);
    const next = anew ? { ...stored, failingSince: null } : stored;
    const { url: _, ...told } = edit;
    await noteWebhook(changing, next, 'webhook.edit', told);
    return next;
  });
}

/** Deletes a webhook and its deliveries. @throws DomainError `not-found`, `forbidden`, `version-mismatch` */
export function removeWebhook(ports: ChangePorts, command: InWebhook): Promise<void> {
  return runWebhookChange(ports, command, async (changing) => {
    const { stores, webhook } = changing;
    if (!(await stores.webhooks.remove(webhook))) throw versionMismatch(await stores.webhooks.byId(webhook.id));
    await noteWebhook(changing, webhook, 'webhook.remove');
  });
}

/** The former secrets from now on: each is kept for its whole time. @throws DomainError `too-many-secrets` */
const formersFrom = (webhook: Webhook, now: Instant): readonly FormerSecret[] => {
  const formers = formerSecretsAt(webhook, now);
  if (formers.length < MOST_FORMER_SECRETS)
    return [{ sealed: webhook.secret, until: now + FORMER_SECRET_VALID }, ...formers];
  throw new DomainError(
    'too-many-secrets',
    `${MOST_FORMER_SECRETS} former secrets still hold; the secret can be rotated again when the oldest of them ends.`,
    { retryAt: Math.min(...formers.map(({ until }) => until)) },
  );
};

/**
 * Gives a webhook another signing secret; for 24 hours deliveries are signed with the former one too, and with older
 * ones that are still valid.
 * @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `too-many-secrets`
 */
export function rotateWebhookSecret(
  { hookSender, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender'>,
  command: InWebhook,
): Promise<WebhookWithSecret> {
  return runWebhookChange(ports, command, async (changing) => {
    const { webhook, now } = changing;
    const formerSecrets = formersFrom(webhook, now);
    const { secret, sealed } = hookSender.newSecret(webhook.id);
    const next = { ...webhook, secret: sealed, formerSecrets, version: webhook.version + 1 };
    await storeWebhook(changing, next);
    await noteWebhook(changing, next, 'webhook.rotate_secret');
    return { webhook: next, secret };
  });
}

/**
 * Disables the webhook of a delivery that ended without success, if the receiver said so (410) or no delivery succeeded
 * for long; inside the transaction that stores the try. Does nothing when the webhook has another address by then.
 * @returns why it was disabled; null: it was not
 */
const disableIfNeeded = async (
  stores: Stores,
  { id, url }: Webhook,
  delivery: Delivery,
  gone: boolean,
  at: Instant,
  newId: Ports['newId'],
): Promise<Exclude<DisabledReason, 'person'> | null> => {
  const now = await stores.webhooks.byId(id);
  if (now?.url !== url || now.state !== 'enabled') return null;
  if (!gone && !mustDisable(delivery, now, at)) return null;
  const reason = gone ? 'gone' : 'failing';
  if (!(await stores.webhooks.replace(disabledBy(now, reason, at)))) return null;
  const project = await stores.projects.byId(now.projectId);
  await stores.audit.append({
    id: newId(),
    teamId: project?.teamId ?? null,
    at,
    actor: SERVICE_ACTOR,
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

/** Sends one message; returns how long it took, in milliseconds. */
const deliver = async (
  { stores, clock, newId, hookSender, deliveryLog }: DeliveryPorts,
  lease: string,
  webhook: Webhook,
  delivery: Delivery,
): Promise<number> => {
  const at = clock();
  const { id, body } = delivery;
  const target = { webhookId: webhook.id, url: webhook.url, secrets: secretsAt(webhook, at) };
  const answer = await hookSender.send({ id, body, at, ...target });
  deliveryLog.tried(answer);
  const next = afterAttempt(delivery, at, answer, hookSender.jitter);
  const disabled = await stores.transaction(async (inside) => {
    if (!(await inside.webhooks.saveTry(lease, delivery, next))) return 'claim lost';
    await inside.webhooks.setFailing(webhook.id, next.state === 'delivered' ? null : at);
    return next.state === 'failed'
      ? disableIfNeeded(inside, webhook, next, isGone(answer), Math.max(at, clock()), newId)
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
 * How long a team counts as slow after its last slow message, in milliseconds: a receiver that is quick only now and
 * then would otherwise keep the quick workers busy. All webhooks of the team count as slow then: if only that one did,
 * a team with hundreds of silent receivers would hold the quick workers for as long as it takes to try each.
 */
const SLOW_FOR = 3_600_000;
/** Most teams that are remembered as slow; those that were slow longest ago are forgotten. */
const MOST_SLOW = 1000;

/** The state that the delivery workers of one instance share. */
interface DeliveryLanes {
  /**
   * Claims a webhook for a worker of the lane. Claims of an instance run one after another, so that each sees what the
   * others took.
   */
  claim(lane: DeliveryLane, now: Instant, take: TakeWebhook): Promise<ClaimedWebhook | undefined>;
  /**
   * Notes that a worker of the lane has finished with a webhook, and how many milliseconds its slowest message took.
   */
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
