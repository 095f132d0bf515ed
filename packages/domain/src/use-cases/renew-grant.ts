import { DomainError } from '../errors.js';
import type { Instant } from '../instant.js';
import type { HostConnection } from '../repository/host-connection.js';
import type { ConfiguredHost } from '../repository/repository-host.js';
import { accessOf, amend, type HostPorts, notConnected, rejected, requireHost } from './in-connection.js';

/** How often those who wait look for the new grant, in milliseconds. */
const LOOK_EVERY = 100;
/** What a refresher may be late beyond its deadline before another one is let in, in milliseconds. */
const LATENESS = 1_000;

export const isRefusal = (error: unknown): boolean => error instanceof DomainError && error.code === 'host-rejected';

/** Marks the connection as refused, unless it holds another grant by now; then it answers that one, to be tried. */
export const markRejected = async (
  { stores }: Pick<HostPorts, 'stores'>,
  refused: HostConnection,
): Promise<HostConnection | undefined> => {
  const now = await amend(stores, refused, ({ state }) => ({ state: state === 'ok' ? 'rejected' : state }));
  return now?.state === 'ok' ? now : undefined;
};

const storeRenewed = async (
  { stores }: HostPorts,
  host: ConfiguredHost,
  spent: HostConnection,
  grant: HostConnection['grant'],
  deadline: Instant,
): Promise<HostConnection> => {
  // A refusal marked meanwhile was of the grant that is spent now.
  const now = await amend(stores, spent, ({ state }) => ({ grant, state: state === 'revoking' ? state : 'ok' }));
  if (now?.state === 'ok') return now;
  // Disconnected meanwhile: nobody else knows of this grant.
  if (now === undefined) await host.authorization.revoke(accessOf({ ...spent, grant }, deadline)).catch(() => null);
  throw notConnected(host);
};

const refresh = async (
  ports: HostPorts,
  host: ConfiguredHost,
  spent: HostConnection,
  deadline: Instant,
): Promise<HostConnection> => {
  try {
    const grant = await host.authorization.refresh(accessOf(spent, deadline));
    return await storeRenewed(ports, host, spent, grant, deadline);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const other = await markRejected(ports, spent);
    if (other === undefined) throw error;
    return other;
  }
};

/**
 * The connection with another grant than the one seen: refreshed here, or by whoever was first on any instance.
 * @throws DomainError `host-rejected`, `host-not-connected`, `host-unavailable`
 */
export const renewGrant = async (
  ports: HostPorts,
  seen: HostConnection,
  deadline: Instant,
): Promise<HostConnection> => {
  const { stores, clock, pause } = ports;
  const host = requireHost(ports, seen.host);
  const leaseMs = Math.max(0, deadline - clock()) + LATENESS;
  for (let left = deadline - clock(); ; left -= LOOK_EVERY) {
    const mine = await stores.hostConnections.claimRefresh(seen.userId, seen.host, clock(), leaseMs);
    const current = await stores.hostConnections.of(seen.userId, seen.host);
    if (current === undefined || current.state === 'revoking') throw notConnected(host);
    if (current.grant.sealed !== seen.grant.sealed) return current;
    if (current.state === 'rejected' && seen.state === 'ok') throw rejected(host);
    if (mine) return refresh(ports, host, current, deadline);
    if (left <= LOOK_EVERY || clock() + LOOK_EVERY >= deadline) break;
    await pause(LOOK_EVERY);
  }
  throw new DomainError('host-unavailable', `${host.title} has not renewed the connection in time.`, {
    cause: 'timeout',
  });
};
