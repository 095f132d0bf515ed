import type {
  Delivery as WireDelivery,
  Webhook as WireWebhook,
  WebhookWithSecret as WireWebhookWithSecret,
} from '@shipworthy/client/contract';
import type { Delivery, Webhook, WebhookWithSecret } from '@shipworthy/domain';
import { wireMoment, wireMomentOrNull } from './moment.js';

/** A webhook; its secrets stay where they are. */
export const wireWebhook = (webhook: Webhook): WireWebhook => ({
  id: webhook.id,
  url: webhook.url,
  types: webhook.types,
  state: webhook.state,
  disabled_reason: webhook.disabled?.reason ?? null,
  disabled_at: wireMomentOrNull(webhook.disabled?.at ?? null),
  failing_since: wireMomentOrNull(webhook.failingSince),
  former_secret_until: wireMomentOrNull(webhook.formerSecrets[0]?.until ?? null),
  former_secrets_until: webhook.formerSecrets.map(({ until }) => wireMoment(until)),
  created_at: wireMoment(webhook.createdAt),
  created_by: webhook.createdBy,
  version: webhook.version,
});

/** A webhook with the secret that was just made. */
export const wireWebhookWithSecret = ({ webhook, secret }: WebhookWithSecret): WireWebhookWithSecret => ({
  ...wireWebhook(webhook),
  secret,
});

/** A delivery without what is sent. */
export const wireDelivery = ({ id, type, at, state, tries, nextAt, attempts }: Delivery): WireDelivery => ({
  id,
  type,
  at: wireMoment(at),
  state,
  tries,
  next_at: wireMomentOrNull(nextAt),
  attempts: attempts.map(({ at, ms, status, failure }) => ({ at: wireMoment(at), ms, status, failure })),
});
