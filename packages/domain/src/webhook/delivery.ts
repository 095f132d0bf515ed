import type { EventType } from '../event/event.js';
import type { Instant } from '../instant.js';
import type { HookAnswer } from './hook-sender.js';
import { waitAfter } from './retry-schedule.js';

/** What is sent when somebody tries a webhook. */
export const TEST_TYPE = 'webhook.test';

/** One try to deliver, as it is kept: never what the receiver said, which may hold secrets. */
export interface Attempt extends Omit<HookAnswer, 'retryAfterMs'> {
  readonly at: Instant;
}

/** One event on its way to one webhook. */
export interface Delivery {
  /** The event's id, which the receiver gets as `webhook-id` at every try. */
  readonly id: string;
  readonly webhookId: string;
  readonly type: EventType | typeof TEST_TYPE;
  /** What is sent, to the byte. */
  readonly body: string;
  /** When it became true. */
  readonly at: Instant;
  readonly state: 'pending' | 'delivered' | 'failed';
  /** Since it was begun, or begun again. */
  readonly tries: number;
  /** When it is tried next; null: never. */
  readonly nextAt: Instant | null;
  /** The last 20, oldest first. */
  readonly attempts: readonly Attempt[];
}

const KEPT_ATTEMPTS = 20;
/** The receiver wants nothing any more. */
const GONE = 410;

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status <= 299;

/** Whether the receiver said that it wants nothing any more. */
export const isGone = ({ status }: Pick<HookAnswer, 'status'>): boolean => status === GONE;

/** A delivery that has not been tried yet. */
export const newDelivery = (
  given: Pick<Delivery, 'id' | 'webhookId' | 'type' | 'body' | 'at'>,
  nextAt: Instant,
): Delivery => ({ ...given, state: 'pending', tries: 0, nextAt, attempts: [] });

/** The same delivery, begun again. */
export const replayed = (delivery: Delivery, now: Instant): Delivery => ({
  ...delivery,
  state: 'pending',
  tries: 0,
  nextAt: now,
});

/**
 * What becomes of a delivery by an answer: 2xx delivers it, 410 ends it, anything else is tried again until the schedule is
 * through. `spread` moves a pause a little.
 */
export const afterAttempt = (
  delivery: Delivery,
  at: Instant,
  { retryAfterMs, ...answer }: HookAnswer,
  spread: (ms: number) => number,
): Delivery => {
  const tries = delivery.tries + 1;
  const attempts = [...delivery.attempts, { ...answer, at }].slice(-KEPT_ATTEMPTS);
  const ended = { ...delivery, tries, attempts, nextAt: null };
  if (isSuccess(answer.status)) return { ...ended, state: 'delivered' };
  const wait = isGone(answer) ? null : waitAfter(tries, retryAfterMs, spread);
  if (wait === null) return { ...ended, state: 'failed' };
  return { ...ended, state: 'pending', nextAt: at + answer.ms + wait };
};
