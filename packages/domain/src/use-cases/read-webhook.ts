import type { Ports } from '../ports.js';
import { requireHost } from './in-connection.js';
import { linkOf } from './in-link.js';
import { findProject, type ProjectPath } from './in-project.js';

/** What the repository's webhook is set up with at the host. */
export interface WebhookSetup {
  readonly secret: string;
  /** Names of the events to choose. */
  readonly events: readonly string[];
}

/** How to set up the webhook of a project's repository. Role owner. @throws DomainError `not-found`, `forbidden`, `host-not-configured` */
export const readWebhook =
  (ports: Pick<Ports, 'stores' | 'repositoryHost'>) =>
  async (path: ProjectPath): Promise<WebhookSetup> => {
    const project = await findProject(ports.stores, path, 'owner');
    const { link } = await linkOf(ports.stores, project.id);
    const { hooks } = requireHost(ports, link.host);
    return { secret: hooks.secretOf(link.repository.id), events: hooks.events };
  };
