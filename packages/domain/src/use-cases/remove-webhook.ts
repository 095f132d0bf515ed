import { type ChangePorts, versionMismatch } from './change.js';
import { changeWebhook, type InWebhook, noteWebhook } from './in-webhook.js';

/** Forgets a webhook with its deliveries. Role owner. @throws DomainError `not-found`, `forbidden`, `version-mismatch` */
export const removeWebhook =
  (ports: ChangePorts) =>
  (command: InWebhook): Promise<void> =>
    changeWebhook(ports, command, async (changing) => {
      const { stores, webhook } = changing;
      if (!(await stores.webhooks.remove(webhook))) throw versionMismatch(await stores.webhooks.byId(webhook.id));
      await noteWebhook(changing, webhook, 'webhook.remove');
    });
