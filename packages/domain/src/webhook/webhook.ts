import type { EventType } from '../event/event.js';
import type { Instant } from '../instant.js';

/** `gone`: the receiver answered that it wants nothing any more (410). */
export const WEBHOOK_STATES = ['enabled', 'disabled', 'gone'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** Most webhooks a project has. */
export const MOST_WEBHOOKS = 20;

/** How long deliveries are signed with the former secret too once it was rotated, in milliseconds: 24 hours. */
export const FORMER_SECRET_VALID = 24 * 3_600_000;

/** Where a project's events are sent to. */
export interface Webhook {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  /** What is sent, one type at least. */
  readonly types: readonly EventType[];
  readonly state: WebhookState;
  /** The signing secret, sealed by the sender for this webhook alone. */
  readonly secret: string;
  /** The one before, signed with beside it until then; null: there is none. */
  readonly formerSecret: { readonly sealed: string; readonly until: Instant } | null;
  readonly createdAt: Instant;
  readonly createdBy: string;
  readonly version: number;
}

/** The secrets deliveries are signed with at that moment, newest first. */
export const secretsAt = ({ secret, formerSecret }: Webhook, now: Instant): readonly string[] =>
  formerSecret !== null && now < formerSecret.until ? [secret, formerSecret.sealed] : [secret];
