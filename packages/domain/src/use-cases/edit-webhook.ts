import type { Instant } from '../instant.js';
import type { Ports } from '../ports.js';
import type { Webhook } from '../webhook/webhook.js';
import { requireAddress } from './create-webhook.js';
import { changeWebhook, type InWebhook, noteWebhook, storeWebhook } from './in-webhook.js';

export interface EditWebhook extends InWebhook {
  /** What is left out stays. */
  readonly edit: Partial<Pick<Webhook, 'url' | 'types'> & { readonly state: 'enabled' | 'disabled' }>;
}

const disabledFrom = (
  { state, disabled }: Webhook,
  wanted: 'enabled' | 'disabled' | undefined,
  at: Instant,
): Webhook['disabled'] => {
  if (wanted === 'enabled') return null;
  return wanted === undefined || state === wanted ? disabled : { reason: 'person', at };
};

/**
 * Changes where and what is sent, or whether anything is: what is waiting while it is disabled goes on when it is enabled
 * again, and what failed at another address or before says nothing any more. Role owner. @throws DomainError `not-found`, `forbidden`, `invalid`, `version-mismatch`
 */
export const editWebhook =
  ({ hookSender, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender'>) =>
  (command: EditWebhook): Promise<Webhook> =>
    changeWebhook(ports, command, async (changing) => {
      const { webhook, stores, now } = changing;
      const { edit } = command;
      if (edit.url !== undefined) requireAddress(hookSender, edit.url);
      const disabled = disabledFrom(webhook, edit.state, now);
      const stored = await storeWebhook(changing, { ...webhook, ...edit, disabled, version: webhook.version + 1 });
      const anew = edit.state === 'enabled' || edit.url !== undefined;
      if (anew) await stores.webhooks.setFailing(webhook.id, null);
      const next = anew ? { ...stored, failingSince: null } : stored;
      const { url: _, ...told } = edit;
      await noteWebhook(changing, next, 'webhook.edit', told);
      return next;
    });
