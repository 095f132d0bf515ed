import { DomainError } from '../errors.js';
import type { ClaimedConnection } from '../repository/host-connection.js';
import { endGrant } from './end-grant.js';
import { amend, HOST_ANSWERS_WITHIN, type HostPorts } from './in-connection.js';

/** After so many milliseconds a host that could not be reached is asked again: 5 minutes. */
export const REVOKE_AGAIN_AFTER = 300_000;

/**
 * Ends the grant of a disconnected person, if the claimed connection is one; false: it is not, or the host could not be
 * reached and is asked again later.
 */
export const revokeDue =
  (ports: Pick<HostPorts, 'stores' | 'clock' | 'repositoryHost'>) =>
  async ({ connection }: ClaimedConnection): Promise<boolean> => {
    if (connection.state !== 'revoking') return false;
    try {
      await endGrant(ports, connection, ports.clock() + HOST_ANSWERS_WITHIN);
      return true;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'host-unavailable') throw error;
      const { retryAt } = error.details;
      const again = ports.clock() + REVOKE_AGAIN_AFTER;
      const pausedUntil = typeof retryAt === 'number' ? Math.max(retryAt, ports.clock() + 1) : again;
      await amend(ports.stores, connection, ({ state, pausedUntil: kept }) => ({
        pausedUntil: state === 'revoking' ? pausedUntil : kept,
      }));
      return false;
    }
  };
