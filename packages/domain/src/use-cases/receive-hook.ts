import type { Ports } from '../ports.js';
import type { HookDelivery } from '../repository/host-hooks.js';
import { requireHost } from './in-connection.js';

export interface ReceivedHook {
  /** How many links are looked at again because of it. */
  readonly links: number;
  /** It was received before, and nothing was done. */
  readonly repeated: boolean;
}

/**
 * Takes a delivery of the host's webhooks: links of its repository are looked at now, once for however many repetitions.
 * @throws DomainError `host-not-configured`, `wrong-signature`, `invalid`
 */
export const receiveHook =
  (ports: Pick<Ports, 'stores' | 'clock' | 'repositoryHost'>) =>
  async (delivery: HookDelivery): Promise<ReceivedHook> => {
    const { name: host, hooks } = requireHost(ports);
    const { deliveryId, repositoryId, parts, suspectIssueIds } = hooks.read(delivery);
    const now = ports.clock();
    return ports.stores.transaction(async ({ repositoryLinks }) => {
      if (!(await repositoryLinks.receive(host, deliveryId, now))) return { links: 0, repeated: true };
      if (repositoryId === null || (parts.length === 0 && suspectIssueIds.length === 0))
        return { links: 0, repeated: false };
      return {
        links: await repositoryLinks.hurry({ host, repositoryId, dueAt: now, suspectIssueIds }),
        repeated: false,
      };
    });
  };
