import type { Actor } from '../access/actor.js';
import type { Ports } from '../ports.js';
import { requireHost } from './in-connection.js';

/** How long a person has to approve at the host, in milliseconds: 10 minutes. */
export const APPROVAL_LIFE = 600_000;

export interface BeginApproval {
  readonly by: Actor;
  /** Where the host sends the person back to, exactly. */
  readonly redirectUrl: string;
}

/** Begins to connect the repository host: the page there on which the person approves read access. @throws DomainError `host-not-configured` */
export const beginApproval =
  (ports: Pick<Ports, 'stores' | 'clock' | 'secrets' | 'repositoryHost'>) =>
  async ({ by, redirectUrl }: BeginApproval): Promise<{ readonly url: string }> => {
    const host = requireHost(ports);
    const { id: sessionId, userId } = by.principal;
    const { url, state, sealedVerifier } = host.authorization.begin({ ownerId: userId, redirectUrl });
    await ports.stores.hostConnections.begin({
      stateHash: ports.secrets.hash(state),
      sessionId,
      userId,
      host: host.name,
      sealedVerifier,
      redirectUrl,
      expiresAt: ports.clock() + APPROVAL_LIFE,
    });
    return { url };
  };
