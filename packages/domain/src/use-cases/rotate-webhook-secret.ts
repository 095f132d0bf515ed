import { DomainError } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Ports } from '../ports.js';
import {
  FORMER_SECRET_VALID,
  type FormerSecret,
  formerSecretsAt,
  MOST_FORMER_SECRETS,
  type Webhook,
} from '../webhook/webhook.js';
import type { WebhookWithSecret } from './create-webhook.js';
import { changeWebhook, type InWebhook, noteWebhook, storeWebhook } from './in-webhook.js';

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
 * Gives a webhook another signing secret; for 24 hours deliveries are signed with the former one too, and with those before
 * that still hold. Role owner. @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `too-many-secrets`
 */
export const rotateWebhookSecret =
  ({ hookSender, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender'>) =>
  (command: InWebhook): Promise<WebhookWithSecret> =>
    changeWebhook(ports, command, async (changing) => {
      const { webhook, now } = changing;
      const formerSecrets = formersFrom(webhook, now);
      const { secret, sealed } = hookSender.newSecret(webhook.id);
      const next = { ...webhook, secret: sealed, formerSecrets, version: webhook.version + 1 };
      await storeWebhook(changing, next);
      await noteWebhook(changing, next, 'webhook.rotate_secret');
      return { webhook: next, secret };
    });
