import type { EventType } from '../event/event.js';
import type { Instant } from '../instant.js';

/** `gone`: the receiver answered that it wants nothing any more (410). */
export const WEBHOOK_STATES = ['enabled', 'disabled', 'gone'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** Why nothing is sent: a person wants it so, the receiver does (410), or nothing got through for long. */
export const DISABLED_REASONS = ['person', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Most webhooks a project has. */
export const MOST_WEBHOOKS = 20;

/** How long deliveries are signed with a former secret too once it was rotated, in milliseconds: 24 hours. */
export const FORMER_SECRET_VALID = 24 * 3_600_000;

/** Most former secrets that hold at a time. */
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
  /** What is sent, one type at least. */
  readonly types: readonly EventType[];
  readonly state: WebhookState;
  /** Why it is not enabled and since when; null: it is, or that was not kept yet when it happened. */
  readonly disabled: { readonly reason: DisabledReason; readonly at: Instant } | null;
  /** Since when nothing but failures came; null: the last try delivered, or there was none since it was enabled. */
  readonly failingSince: Instant | null;
  /** The signing secret, sealed by the sender for this webhook alone. */
  readonly secret: string;
  /** Those before, newest first, signed with beside it while they hold. */
  readonly formerSecrets: readonly FormerSecret[];
  readonly createdAt: Instant;
  readonly createdBy: string;
  readonly version: number;
}

/** The former secrets that hold at that moment, newest first. */
export const formerSecretsAt = ({ formerSecrets }: Webhook, now: Instant): readonly FormerSecret[] =>
  formerSecrets.filter(({ until }) => now < until);

/** The secrets deliveries are signed with at that moment, newest first. */
export const secretsAt = (webhook: Webhook, now: Instant): readonly string[] => [
  webhook.secret,
  ...formerSecretsAt(webhook, now).map(({ sealed }) => sealed),
];
