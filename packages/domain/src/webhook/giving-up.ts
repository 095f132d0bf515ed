import type { Instant } from '../instant.js';
import type { Delivery } from './delivery.js';
import type { DisabledReason, Webhook } from './webhook.js';

/**
 * How long nothing but failures must have come until a webhook is disabled, in milliseconds: 5 days, which is longer than all
 * tries of a delivery take. Source: Standard Webhooks 1.0.0, "Deliverability and reliability", recommends to disable endpoints
 * that fail for long; how long is ours.
 */
export const FAILING_AT_MOST = 5 * 24 * 3_600_000;

/**
 * Whether a webhook is given up with this delivery: all its tries are through, as are those of whatever was sent as long ago
 * as it was, and for 5 days or more nothing got through.
 */
export const isGivenUp = (
  { state }: Pick<Delivery, 'state'>,
  { failingSince }: Pick<Webhook, 'failingSince'>,
  now: Instant,
): boolean => state === 'failed' && failingSince !== null && now - failingSince >= FAILING_AT_MOST;

/** The webhook's next version, disabled. */
export const disabledBy = (webhook: Webhook, reason: DisabledReason, at: Instant): Webhook => ({
  ...webhook,
  state: reason === 'gone' ? 'gone' : 'disabled',
  disabled: { reason, at },
  version: webhook.version + 1,
});
