import type { Actor } from '../access/actor.js';
import { DomainError } from '../errors.js';
import type { Ports, Stores } from '../ports.js';
import type { HostConnection } from '../repository/host-connection.js';
import { change } from './change.js';
import { endGrant } from './end-grant.js';
import { amend, connectedOf, HOST_ANSWERS_WITHIN, requireHost } from './in-connection.js';
import { standStill } from './stand-still.js';

type DisconnectPorts = Pick<Ports, 'stores' | 'clock' | 'newId' | 'repositoryHost'>;

/** Marks a connection to be ended at the host, at once of no use here; answers what is stored then. */
export const markRevoking = async (
  stores: Pick<Stores, 'hostConnections'>,
  connection: HostConnection,
): Promise<HostConnection | undefined> => {
  let current: HostConnection | undefined = connection;
  while (current !== undefined && current.state !== 'revoking')
    current = await amend(stores, current, () => ({ state: 'revoking', pausedUntil: null }));
  return current;
};

const markOwn = (ports: DisconnectPorts, host: string, by: Actor): Promise<HostConnection | undefined> =>
  change(ports, by, async ({ stores, note }) => {
    const { userId } = by.principal;
    const current = await stores.hostConnections.of(userId, host);
    if (current === undefined || current.state === 'revoking') return current;
    const { account } = current;
    const revoking = await markRevoking(stores, current);
    const resource = { type: 'host_connection', id: userId };
    await note({ teamId: null, action: 'host.disconnect', resource, detail: { host, account: account.name } });
    return revoking;
  });

/**
 * Disconnects the caller from the repository host, at once for everybody; the grant is ended there within 4.5 seconds, or
 * later by `revokeDue` when the host cannot be reached. Nothing happens when nothing is connected. @throws DomainError `host-not-configured`
 */
export const disconnectHost =
  (ports: DisconnectPorts) =>
  async ({ by }: { readonly by: Actor }): Promise<void> => {
    const host = requireHost(ports);
    const { userId } = by.principal;
    if ((await connectedOf(ports.stores, userId, host.name)) !== undefined)
      await standStill(ports, { userId, host: host.name });
    const revoking = await markOwn(ports, host.name, by);
    if (revoking === undefined) return;
    // An import may have gone through between the two.
    await standStill(ports, revoking);
    try {
      await endGrant(ports, revoking, ports.clock() + HOST_ANSWERS_WITHIN);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'host-unavailable') throw error;
    }
  };
