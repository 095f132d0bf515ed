import { notFound } from '../errors.js';
import type { Webhook } from '../webhook/webhook.js';
import { type ChangePorts, requireVersion, versionMismatch } from './change.js';
import { changeProject, type InProject, type ProjectChange } from './in-project.js';

/** A command that concerns one webhook of a project. */
export interface InWebhook extends InProject {
  readonly webhookId: string;
  /** The version the caller saw; null or left out: any. */
  readonly version?: number | null;
}

export interface WebhookChange extends ProjectChange {
  readonly webhook: Webhook;
}

/** Runs a change of a webhook. Role owner. @throws DomainError `not-found`, `forbidden`, `version-mismatch` */
export const changeWebhook = <Result>(
  ports: ChangePorts,
  command: InWebhook,
  work: (change: WebhookChange) => Promise<Result>,
): Promise<Result> =>
  changeProject(ports, command, 'owner', async (changing) => {
    const webhook = await changing.stores.webhooks.byId(command.webhookId);
    if (webhook?.projectId !== command.projectId) throw notFound('webhook');
    requireVersion(webhook, command.version ?? null);
    return work({ ...changing, webhook });
  });

/** Stores the webhook's next state. @throws DomainError `version-mismatch` when the receiver's 410 was faster */
export const storeWebhook = async ({ stores }: WebhookChange, next: Webhook): Promise<Webhook> => {
  if (await stores.webhooks.replace(next)) return next;
  throw versionMismatch(await stores.webhooks.byId(next.id));
};

/** Of the address what may be told: the rest may be a secret. */
export const hostOfWebhook = ({ url }: Webhook): string => /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? '';

/** Notes a deed on the webhook in the audit log. */
export const noteWebhook = (
  { project, note }: ProjectChange,
  webhook: Webhook,
  action: string,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  note({
    teamId: project.teamId,
    action,
    resource: { type: 'webhook', id: webhook.id },
    detail: { host: hostOfWebhook(webhook), ...detail },
  });
