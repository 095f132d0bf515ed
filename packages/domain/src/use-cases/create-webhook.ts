import { invalid } from '../errors.js';
import type { EventType } from '../event/event.js';
import type { Ports } from '../ports.js';
import type { HookSender } from '../webhook/hook-sender.js';
import { MOST_WEBHOOKS, type Webhook } from '../webhook/webhook.js';
import { changeProject, type InProject } from './in-project.js';
import { noteWebhook } from './in-webhook.js';

export interface CreateWebhook extends InProject {
  readonly url: string;
  readonly types: readonly EventType[];
}

/** A webhook with its signing secret, which is known here and never again. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** @throws DomainError `invalid` for an address to which nothing would ever be sent */
export const requireAddress = ({ refusal }: Pick<HookSender, 'refusal'>, url: string): void => {
  const message = refusal(url);
  if (message !== null) throw invalid([{ pointer: '/url', code: 'refused-address', message }]);
};

/** Has a project's events sent to an address. Role owner. @throws DomainError `not-found`, `forbidden`, `invalid` */
export const createWebhook =
  ({ hookSender, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender'>) =>
  (command: CreateWebhook): Promise<WebhookWithSecret> =>
    changeProject(ports, command, 'owner', async (changing) => {
      const { stores, project, now, newId, by } = changing;
      requireAddress(hookSender, command.url);
      const others = await stores.webhooks.ofProject(project.id);
      if (others.length >= MOST_WEBHOOKS)
        throw invalid([
          { pointer: '/url', code: 'too-many', message: `A project has ${MOST_WEBHOOKS} webhooks at most.` },
        ]);
      const id = newId();
      const { secret, sealed } = hookSender.newSecret(id);
      const webhook: Webhook = {
        id,
        projectId: project.id,
        url: command.url,
        types: command.types,
        state: 'enabled',
        disabled: null,
        failingSince: null,
        secret: sealed,
        formerSecrets: [],
        createdAt: now,
        createdBy: by.principal.name,
        version: 1,
      };
      await stores.webhooks.create(webhook);
      await noteWebhook(changing, webhook, 'webhook.create', { types: command.types });
      return { webhook, secret };
    });
