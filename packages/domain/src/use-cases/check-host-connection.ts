import type { Principal } from '../access/principal.js';
import { DomainError } from '../errors.js';
import type { HostAccess } from '../repository/host-account.js';
import type { ConfiguredHost } from '../repository/repository-host.js';
import {
  amend,
  HOST_ANSWERS_WITHIN,
  type HostPorts,
  isRefusal,
  requireConnection,
  requireHost,
} from './in-connection.js';
import { withAccess } from './with-access.js';

/** What the host says of a connection. */
export interface CheckedConnection {
  readonly status: 'ok' | 'rejected';
  /** Whether its grant would also let its holder write; null: the host did not say, or refused it. */
  readonly mayWrite: boolean | null;
}

/** Whether the grant may write; null also when the host cannot be asked now, since nothing depends on it. */
export const askMayWrite = async (host: ConfiguredHost, access: HostAccess): Promise<boolean | null> => {
  try {
    return await host.repositories.mayWrite(access);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
};

/**
 * Asks the host whether the caller's connection still works, within 4.5 seconds; `rejected` only when the host refused it.
 * @throws DomainError `host-not-configured`, `host-not-connected`, `host-unavailable`
 */
export const checkHostConnection =
  (ports: HostPorts) =>
  async ({ principal }: { readonly principal: Principal }): Promise<CheckedConnection> => {
    const host = requireHost(ports);
    const deadline = ports.clock() + HOST_ANSWERS_WITHIN;
    const connection = await requireConnection(ports.stores, principal.userId, host);
    try {
      const mayWrite = await withAccess(ports, connection, deadline, async (access) => {
        await host.repositories.account(access);
        return askMayWrite(host, access);
      });
      // A renewed grant is stored as ok already; this is for one that works although it was refused before.
      if (connection.state === 'rejected')
        await amend(ports.stores, connection, ({ state }) => ({ state: state === 'rejected' ? 'ok' : state }));
      return { status: 'ok', mayWrite };
    } catch (error) {
      if (isRefusal(error)) return { status: 'rejected', mayWrite: null };
      throw error;
    }
  };
