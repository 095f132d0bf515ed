import type { Ports } from '../ports.js';
import type { Webhook } from '../webhook/webhook.js';
import { requireAddress } from './create-webhook.js';
import { changeWebhook, type InWebhook, noteWebhook, storeWebhook } from './in-webhook.js';

export interface EditWebhook extends InWebhook {
  /** What is left out stays. */
  readonly edit: Partial<Pick<Webhook, 'url' | 'types'> & { readonly state: 'enabled' | 'disabled' }>;
}

/**
 * Changes where and what is sent, or whether anything is: what is waiting while it is disabled goes on when it is enabled
 * again. Role owner. @throws DomainError `not-found`, `forbidden`, `invalid`, `version-mismatch`
 */
export const editWebhook =
  ({ hookSender, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender'>) =>
  (command: EditWebhook): Promise<Webhook> =>
    changeWebhook(ports, command, async (changing) => {
      const { webhook } = changing;
      const { edit } = command;
      if (edit.url !== undefined) requireAddress(hookSender, edit.url);
      const next = await storeWebhook(changing, { ...webhook, ...edit, version: webhook.version + 1 });
      const { url: _, ...told } = edit;
      await noteWebhook(changing, next, 'webhook.edit', told);
      return next;
    });
