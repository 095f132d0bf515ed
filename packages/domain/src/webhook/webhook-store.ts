import type { Instant } from '../instant.js';
import type { Page, PageRequest } from '../page.js';
import type { Delivery } from './delivery.js';
import type { Backlog } from './delivery-log.js';
import type { Webhook } from './webhook.js';

export interface WebhookStore {
  create(webhook: Webhook): Promise<void>;
  byId(webhookId: string): Promise<Webhook | undefined>;
  /** Oldest first. */
  ofProject(projectId: string): Promise<readonly Webhook[]>;
  /** Stores the next version, all but since when it fails; false when the stored one is not the version before, and then nothing changed. */
  replace(next: Webhook): Promise<boolean>;
  /** Notes that it fails since then, if it did not fail already; null: it does not. No other version of it. */
  setFailing(webhookId: string, since: Instant | null): Promise<void>;
  /** Forgets it with its deliveries; false when there is none of that version. */
  remove(webhook: Webhook): Promise<boolean>;

  /** Stores a delivery, new or as it is now. */
  put(delivery: Delivery): Promise<void>;
  delivery(webhookId: string, deliveryId: string): Promise<Delivery | undefined>;
  /** Newest first. */
  deliveries(webhookId: string, page: PageRequest): Promise<Page<Delivery>>;

  /**
   * One enabled webhook with a delivery that is due at `now`, hidden from other claimers for `leaseMs` or until `endWork`; the
   * one that was not served for longest. So no two workers send to one webhook at a time.
   * @param lease names the claim
   */
  claimWork(now: Instant, leaseMs: number, lease: string): Promise<Webhook | undefined>;
  /** Its deliveries that are due at `now`, the longest waiting first, `most` at most. */
  due(webhookId: string, now: Instant, most: number): Promise<readonly Delivery[]>;
  /** Stores what came of a try; false when the claim was lost meanwhile, and then nothing changed. */
  saveTry(lease: string, delivery: Delivery): Promise<boolean>;
  /** Gives the claim back, if it still holds. */
  endWork(webhookId: string, lease: string): Promise<void>;
  /** What waits to be sent by enabled webhooks. */
  backlog(): Promise<Backlog>;
  /** Forgets deliveries of events before that moment, however far they got; answers how many. */
  removeDeliveries(before: Instant): Promise<number>;
}
