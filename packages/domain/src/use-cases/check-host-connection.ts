import type { Principal } from '../access/principal.js';
import {
  amend,
  HOST_ANSWERS_WITHIN,
  type HostPorts,
  isRefusal,
  requireConnection,
  requireHost,
} from './in-connection.js';
import { withAccess } from './with-access.js';

/**
 * Asks the host whether the caller's connection still works, within 4.5 seconds; `rejected` only when the host refused it.
 * @throws DomainError `host-not-configured`, `host-not-connected`, `host-unavailable`
 */
export const checkHostConnection =
  (ports: HostPorts) =>
  async ({ principal }: { readonly principal: Principal }): Promise<'ok' | 'rejected'> => {
    const host = requireHost(ports);
    const deadline = ports.clock() + HOST_ANSWERS_WITHIN;
    const connection = await requireConnection(ports.stores, principal.userId, host);
    try {
      await withAccess(ports, connection, deadline, (access) => host.repositories.account(access));
      // A renewed grant is stored as ok already; this is for one that works although it was refused before.
      if (connection.state === 'rejected')
        await amend(ports.stores, connection, ({ state }) => ({ state: state === 'rejected' ? 'ok' : state }));
      return 'ok';
    } catch (error) {
      if (isRefusal(error)) return 'rejected';
      throw error;
    }
  };
