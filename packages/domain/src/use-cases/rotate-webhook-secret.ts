import type { Ports } from '../ports.js';
import { FORMER_SECRET_VALID } from '../webhook/webhook.js';
import type { WebhookWithSecret } from './create-webhook.js';
import { changeWebhook, type InWebhook, noteWebhook, storeWebhook } from './in-webhook.js';

/**
 * Gives a webhook another signing secret; for 24 hours deliveries are signed with the former one too.
 * Role owner. @throws DomainError `not-found`, `forbidden`, `version-mismatch`
 */
export const rotateWebhookSecret =
  ({ hookSender, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender'>) =>
  (command: InWebhook): Promise<WebhookWithSecret> =>
    changeWebhook(ports, command, async (changing) => {
      const { webhook, now } = changing;
      const { secret, sealed } = hookSender.newSecret(webhook.id);
      const formerSecret = { sealed: webhook.secret, until: now + FORMER_SECRET_VALID };
      const next = { ...webhook, secret: sealed, formerSecret, version: webhook.version + 1 };
      await storeWebhook(changing, next);
      await noteWebhook(changing, next, 'webhook.rotate_secret');
      return { webhook: next, secret };
    });
