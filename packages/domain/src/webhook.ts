import type { EventType } from './event.js';
import type { Page, PageRequest } from './page.js';
import type { Instant } from './time.js';

/** `gone`: the receiver answered that it wants no more messages (410). */
const WEBHOOK_STATES = ['enabled', 'disabled', 'gone'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** Why nothing is sent: a person disabled it, the receiver asked for it (410), or all deliveries failed for 5 days. */
const DISABLED_REASONS = ['person', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Most webhooks a project has. */
export const MOST_WEBHOOKS = 20;

/** How long deliveries are signed with a former secret too once it was rotated, in milliseconds: 24 hours. */
export const FORMER_SECRET_VALID = 24 * 3_600_000;

/** Most former secrets that are valid at a time. */
export const MOST_FORMER_SECRETS = 5;

/** A secret that was rotated, sealed, with the moment until which deliveries are signed with it too. */
export interface FormerSecret {
  readonly sealed: string;
  readonly until: Instant;
}

/** Where a project's events are sent to. */
export interface Webhook {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  /** The event types to send, at least one. */
  readonly types: readonly EventType[];
  readonly state: WebhookState;
  /** Why it is not enabled and since when; null: it is enabled, or was disabled before this was recorded. */
  readonly disabled: { readonly reason: DisabledReason; readonly at: Instant } | null;
  /** Since when every try fails; null: the last try delivered, or none was made since it was enabled. */
  readonly failingSince: Instant | null;
  /** The signing secret, sealed by the sender for this webhook alone. */
  readonly secret: string;
  /** The former secrets, newest first; while they are valid, deliveries are signed with them, too. */
  readonly formerSecrets: readonly FormerSecret[];
  readonly createdAt: Instant;
  readonly createdBy: string;
  readonly version: number;
}

/** The former secrets that are valid at that moment, newest first. */
export const formerSecretsAt = ({ formerSecrets }: Webhook, now: Instant): readonly FormerSecret[] =>
  formerSecrets.filter(({ until }) => now < until);

/** The secrets deliveries are signed with at that moment, newest first. */
export const secretsAt = (webhook: Webhook, now: Instant): readonly string[] => [
  webhook.secret,
  ...formerSecretsAt(webhook, now).map(({ sealed }) => sealed),
];

/** Which webhooks with due deliveries a claim may take. */
export interface WebhookChoice {
  /** Teams that have a slow receiver. */
  readonly slowTeams: readonly string[];
  /** Whether to take a webhook of a slow team, or of another team. */
  readonly wanted: 'slow' | 'others';
  /** Teams whose webhooks are skipped. */
  readonly busyTeams: readonly string[];
}

/** A webhook that was claimed, with the team of its project. */
export interface ClaimedWebhook {
  readonly webhook: Webhook;
  readonly teamId: string;
}

export interface WebhookStore {
  create(webhook: Webhook): Promise<void>;
  byId(webhookId: string): Promise<Webhook | undefined>;
  /** Oldest first. */
  ofProject(projectId: string): Promise<readonly Webhook[]>;
  /**
   * Stores `next`, except its `failingSince`, if the stored version is `next.version - 1`; else returns false and changes nothing.
   */
  replace(next: Webhook): Promise<boolean>;
  /** Sets `failingSince` unless it is set already; null clears it. The version stays. */
  setFailing(webhookId: string, since: Instant | null): Promise<void>;
  /** Deletes the webhook with its deliveries; false when none of that version is stored. */
  remove(webhook: Webhook): Promise<boolean>;

  /** Stores a delivery, or replaces the stored one. */
  put(delivery: Delivery): Promise<void>;
  delivery(webhookId: string, deliveryId: string): Promise<Delivery | undefined>;
  /** Newest first. */
  deliveries(webhookId: string, page: PageRequest): Promise<Page<Delivery>>;

  /**
   * Claims an enabled webhook of the choice with a delivery that is due at `now`: the one not served for longest. Hides
   * it from other claims for `leaseMs` or until `endWork`, so that no two workers send to one webhook at a time.
   * @param lease names the claim
   */
  claimWork(now: Instant, leaseMs: number, lease: string, choice: WebhookChoice): Promise<ClaimedWebhook | undefined>;
  /** The webhook's deliveries that are due at `now`, the longest waiting first, `most` at most. */
  due(webhookId: string, now: Instant, most: number): Promise<readonly Delivery[]>;
  /**
   * Stores the result of a try; false, and nothing stored, when the claim was lost or the delivery was begun again.
   * @param before the delivery as it was when the try began: its `tries` and `nextAt` must be the stored ones still
   */
  saveTry(lease: string, before: Delivery, next: Delivery): Promise<boolean>;
  /** Gives the claim back, if it still holds. */
  endWork(webhookId: string, lease: string): Promise<void>;
  /** What waits to be sent by enabled webhooks. */
  backlog(): Promise<Backlog>;
  /** Deletes the deliveries of events before that moment, in any state; returns how many. */
  removeDeliveries(before: Instant): Promise<number>;
}

/** Why there was no answer to a message. */
const WEBHOOK_FAILURES = [
  'refused_address',
  'unresolved',
  'unreachable',
  'secure_connection',
  'timeout',
  'cut',
  'secret_unreadable',
] as const;
export type WebhookFailure = (typeof WEBHOOK_FAILURES)[number];

/** A message to be signed and sent. */
export interface WebhookMessage {
  /** The same at every try. */
  readonly id: string;
  readonly webhookId: string;
  readonly url: string;
  /** When it is sent. */
  readonly at: Instant;
  readonly body: string;
  /** Sealed secrets, newest first: it is signed with each. */
  readonly secrets: readonly string[];
}

/** The result of sending a message: either a status or a failure. */
export interface WebhookAnswer {
  /** How long it took, in milliseconds. */
  readonly ms: number;
  readonly status: number | null;
  readonly failure: WebhookFailure | null;
  /** How long the receiver asked to wait; null: it did not. */
  readonly retryAfterMs: number | null;
}

/** Sends messages to addresses people name, and must not let them reach the internal network of the service. */
export interface WebhookSender {
  /** Why nothing is ever sent to this address, as a sentence; null: it may be. Host names are not looked up here. */
  refusal(url: string): string | null;
  /** Makes a signing secret for a webhook: as its owner sees it once, and sealed to be stored. */
  newSecret(webhookId: string): { readonly secret: string; readonly sealed: string };
  /** Sends it once, within 10 seconds. Never throws. */
  send(message: WebhookMessage): Promise<WebhookAnswer>;
  /** Returns the pause, made longer or shorter at random by a tenth at most. */
  jitter(ms: number): number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * The pauses between the tries of a delivery, 75.5 hours together.
 * Source: Standard Webhooks 1.0.0, "Deliverability and reliability".
 */
export const RETRY_PAUSES: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** The longest pause that a receiver gets when it asks for one, in milliseconds: a day. */
export const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

/**
 * Returns the pause after this many tries (1 and more), in milliseconds; null: it is not tried again.
 * @param asked the pause the receiver asked for, in milliseconds, of which it gets a day at most; null: none
 * @param jitter changes the pause of the schedule a little, so that many deliveries are not sent again at once
 */
export const waitAfter = (tries: number, asked: number | null, jitter: (ms: number) => number): number | null => {
  const pause = RETRY_PAUSES[tries - 1];
  return pause === undefined ? null : Math.max(Math.round(jitter(pause)), Math.min(asked ?? 0, LONGEST_RETRY_AFTER_MS));
};

/** The type of the test message. */
export const TEST_TYPE = 'webhook.test';

/** One try to deliver, as it is stored: without the body of the answer, which may hold secrets. */
export interface Attempt extends Omit<WebhookAnswer, 'retryAfterMs'> {
  readonly at: Instant;
}

/** One event on its way to one webhook. */
export interface Delivery {
  /** The event's id, which the receiver gets as `webhook-id` at every try. */
  readonly id: string;
  readonly webhookId: string;
  readonly type: EventType | typeof TEST_TYPE;
  /** The body, byte for byte. */
  readonly body: string;
  /** When the event became true. */
  readonly at: Instant;
  readonly state: 'pending' | 'delivered' | 'failed';
  /** How many tries were made since the delivery was begun or begun again. */
  readonly tries: number;
  /** When it is tried next; null: never. */
  readonly nextAt: Instant | null;
  /** The last 20, oldest first. */
  readonly attempts: readonly Attempt[];
}

const KEPT_ATTEMPTS = 20;
/** The status by which a receiver asks for no more messages. */
const GONE = 410;

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status <= 299;

/** Whether the receiver asked for no more messages. */
export const isGone = ({ status }: Pick<WebhookAnswer, 'status'>): boolean => status === GONE;

/** A delivery that has not been tried yet. */
export const newDelivery = (
  given: Pick<Delivery, 'id' | 'webhookId' | 'type' | 'body' | 'at'>,
  nextAt: Instant,
): Delivery => ({ ...given, state: 'pending', tries: 0, nextAt, attempts: [] });

/**
 * The same delivery, begun again. If it was not tried yet, `nextAt` grows by a millisecond at least: a try under way then
 * finds another `nextAt` than it began with, and does not store its result over this.
 */
export const replayed = (delivery: Delivery, now: Instant): Delivery => {
  const { tries, nextAt } = delivery;
  const later = tries === 0 && nextAt !== null ? Math.max(now, nextAt + 1) : now;
  return { ...delivery, state: 'pending', tries: 0, nextAt: later };
};

/**
 * The next state of a delivery after an answer: 2xx delivers it, 410 ends it, anything else is tried again until the schedule
 * is through. `jitter` moves a pause a little.
 */
export const afterAttempt = (
  delivery: Delivery,
  at: Instant,
  { retryAfterMs, ...answer }: WebhookAnswer,
  jitter: (ms: number) => number,
): Delivery => {
  const tries = delivery.tries + 1;
  const attempts = [...delivery.attempts, { ...answer, at }].slice(-KEPT_ATTEMPTS);
  const ended = { ...delivery, tries, attempts, nextAt: null };
  if (isSuccess(answer.status)) return { ...ended, state: 'delivered' };
  const wait = isGone(answer) ? null : waitAfter(tries, retryAfterMs, jitter);
  if (wait === null) return { ...ended, state: 'failed' };
  return { ...ended, state: 'pending', nextAt: at + answer.ms + wait };
};

/** Is called with the results of deliveries. Its functions must be quick and must not throw. */
export interface DeliveryLog {
  /** A message was sent, or could not be. */
  tried(answer: WebhookAnswer): void;
  /** A delivery ended, and that is stored. */
  ended(state: Exclude<Delivery['state'], 'pending'>): void;
  /** The service disabled a webhook by itself. */
  disabled(reason: Exclude<DisabledReason, 'person'>): void;
}

/** The messages that wait to be sent, at one moment. */
export interface Backlog {
  /** Deliveries of enabled webhooks that are neither delivered nor given up. */
  readonly pending: number;
  /** When the oldest event of them became true; null: there is none. */
  readonly oldestAt: number | null;
}

/**
 * How long every try must have failed until a webhook is disabled, in milliseconds: 5 days, which is longer than all
 * tries of a delivery take. Source: Standard Webhooks 1.0.0, "Deliverability and reliability", recommends to disable
 * endpoints that fail for long; the 5 days are our choice.
 */
export const DISABLE_AFTER_FAILING_MS = 5 * 24 * 3_600_000;

/** Whether to disable the webhook after a delivery: it failed for good, and every try has failed for 5 days or more. */
export const mustDisable = (
  { state }: Pick<Delivery, 'state'>,
  { failingSince }: Pick<Webhook, 'failingSince'>,
  now: Instant,
): boolean => state === 'failed' && failingSince !== null && now - failingSince >= DISABLE_AFTER_FAILING_MS;

/** The webhook's next version, disabled. */
export const disabledBy = (webhook: Webhook, reason: DisabledReason, at: Instant): Webhook => ({
  ...webhook,
  state: reason === 'gone' ? 'gone' : 'disabled',
  disabled: { reason, at },
  version: webhook.version + 1,
});
