import type { Instant } from '../instant.js';
import type { HostConnection } from '../repository/host-connection.js';
import { accessOf, type HostPorts, isRefusal, requireHost } from './in-connection.js';

/** Ends the grant of a connection at the host and forgets the connection. @throws DomainError `host-unavailable`, `host-not-configured` */
export const endGrant = async (
  ports: Pick<HostPorts, 'stores' | 'repositoryHost'>,
  connection: HostConnection,
  deadline: Instant,
): Promise<void> => {
  const host = requireHost(ports, connection.host);
  try {
    await host.authorization.revoke(accessOf(connection, deadline));
  } catch (error) {
    // What the host refuses is of no use to anybody any more.
    if (!isRefusal(error)) throw error;
  }
  await ports.stores.hostConnections.remove(connection);
};
