import { DomainError, invalid, notFound } from '../errors.js';
import type { EventType } from '../event.js';
import type { Ports } from '../ports.js';
import type { Instant } from '../time.js';
import {
  FORMER_SECRET_VALID,
  type FormerSecret,
  formerSecretsAt,
  type HookSender,
  MOST_FORMER_SECRETS,
  MOST_WEBHOOKS,
  type Webhook,
} from '../webhook.js';
import {
  type ChangeOfProject,
  type ChangePorts,
  type InProject,
  requireVersion,
  runProjectChange,
  versionMismatch,
} from './change.js';

/** A command that concerns one webhook of a project. */
export interface InWebhook extends InProject {
  readonly webhookId: string;
  /** The version the caller saw; null or left out: any. */
  readonly version?: number | null;
}

interface WebhookChange extends ChangeOfProject {
  readonly webhook: Webhook;
}

/** Runs a change of a webhook. @throws DomainError `not-found`, `forbidden`, `version-mismatch` */
export function runWebhookChange<Result>(
  ports: ChangePorts,
  command: InWebhook,
  work: (change: WebhookChange) => Promise<Result>,
): Promise<Result> {
  return runProjectChange(ports, command, async (changing) => {
    const webhook = await changing.stores.webhooks.byId(command.webhookId);
    if (webhook?.projectId !== command.projectId) throw notFound('webhook');
    requireVersion(webhook, command.version ?? null);
    return work({ ...changing, webhook });
  });
}

/** Stores the webhook's next state. @throws DomainError `version-mismatch` when the receiver's 410 was faster */
const storeWebhook = async ({ stores }: WebhookChange, next: Webhook): Promise<Webhook> => {
  if (await stores.webhooks.replace(next)) return next;
  throw versionMismatch(await stores.webhooks.byId(next.id));
};

/** The host of the address, which may be shown: the rest may hold a secret. */
export function hostOfWebhook({ url }: Webhook): string {
  return /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? '';
}

/** Notes an action on the webhook in the audit log. */
export function noteWebhook(
  { project, note }: ChangeOfProject,
  webhook: Webhook,
  action: string,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return note({
    teamId: project.teamId,
    action,
    resource: { type: 'webhook', id: webhook.id },
    detail: { host: hostOfWebhook(webhook), ...detail },
  });
}

interface CreateWebhook extends InProject {
  readonly url: string;
  readonly types: readonly EventType[];
}

/** A webhook with its signing secret, which is known here and never again. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** @throws DomainError `invalid` for an address to which nothing would ever be sent */
const requireAddress = ({ refusal }: Pick<HookSender, 'refusal'>, url: string): void => {
  const message = refusal(url);
  if (message !== null) throw invalid([{ pointer: '/url', code: 'refused-address', message }]);
};

/** Has a project's events sent to an address. @throws DomainError `not-found`, `forbidden`, `invalid` */
export function createWebhook(
  { hookSender, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender'>,
  command: CreateWebhook,
): Promise<WebhookWithSecret> {
  return runProjectChange(ports, command, async (changing) => {
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
}

interface EditWebhook extends InWebhook {
  /** Missing members stay. */
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
 * Changes address, events or state of a webhook. Messages that wait while it is disabled are sent when it is enabled again; a
 * new address or enabling clears the record of failures. @throws DomainError `not-found`, `forbidden`, `invalid`,
 * `version-mismatch`
 */
export function editWebhook(
  { hookSender, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender'>,
  command: EditWebhook,
): Promise<Webhook> {
  return runWebhookChange(ports, command, async (changing) => {
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
}

/** Forgets a webhook with its deliveries. @throws DomainError `not-found`, `forbidden`, `version-mismatch` */
export function removeWebhook(ports: ChangePorts, command: InWebhook): Promise<void> {
  return runWebhookChange(ports, command, async (changing) => {
    const { stores, webhook } = changing;
    if (!(await stores.webhooks.remove(webhook))) throw versionMismatch(await stores.webhooks.byId(webhook.id));
    await noteWebhook(changing, webhook, 'webhook.remove');
  });
}

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
 * that still hold. @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `too-many-secrets`
 */
export function rotateWebhookSecret(
  { hookSender, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'hookSender'>,
  command: InWebhook,
): Promise<WebhookWithSecret> {
  return runWebhookChange(ports, command, async (changing) => {
    const { webhook, now } = changing;
    const formerSecrets = formersFrom(webhook, now);
    const { secret, sealed } = hookSender.newSecret(webhook.id);
    const next = { ...webhook, secret: sealed, formerSecrets, version: webhook.version + 1 };
    await storeWebhook(changing, next);
    await noteWebhook(changing, next, 'webhook.rotate_secret');
    return { webhook: next, secret };
  });
}
