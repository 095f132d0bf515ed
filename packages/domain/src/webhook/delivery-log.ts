import type { Delivery } from './delivery.js';
import type { HookAnswer } from './hook-sender.js';
import type { DisabledReason } from './webhook.js';

/** Hears of what becomes of deliveries. It is quick and never fails. */
export interface DeliveryLog {
  /** A message was sent, or was to be. */
  tried(answer: HookAnswer): void;
  /** A delivery came to its end, and that is stored. */
  ended(state: Exclude<Delivery['state'], 'pending'>): void;
  /** A webhook was disabled, by nobody. */
  disabled(reason: Exclude<DisabledReason, 'person'>): void;
}

/** What waits to be sent, at one moment. */
export interface Backlog {
  /** Deliveries of enabled webhooks that are neither delivered nor given up. */
  readonly pending: number;
  /** When the oldest event of them became true; null: there is none. */
  readonly oldestAt: number | null;
}
