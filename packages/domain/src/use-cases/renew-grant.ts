import { DomainError } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Grant } from '../repository/host-account.js';
import type { HostConnection } from '../repository/host-connection.js';
import type { ConfiguredHost } from '../repository/repository-host.js';
import { endFormer, keepFormer } from './end-former-grant.js';
import {
  accessOf,
  amend,
  type HostPorts,
  isRefusal,
  notConnected,
  rejected,
  requireConnection,
  requireHost,
} from './in-connection.js';
import { standStill } from './stand-still.js';

/** How often those who wait look for the new grant, in milliseconds. */
const LOOK_EVERY = 100;
/** What a refresher may be late beyond its deadline before another one is let in, in milliseconds. */
const LATENESS = 1_000;
/** How often it is tried to store a new grant. */
const STORE_TRIES = 4;

/** Marks the connection as refused, unless it holds another grant by now; then it answers that one, to be tried. */
export const markRejected = async (
  ports: Pick<HostPorts, 'stores' | 'clock'>,
  refused: HostConnection,
): Promise<HostConnection | undefined> => {
  const current = await ports.stores.hostConnections.of(refused.userId, refused.host);
  const isNews = current?.grant.sealed === refused.grant.sealed && current.state === 'ok';
  if (isNews) await standStill(ports, refused);
  const now = await amend(ports.stores, refused, ({ state }) => ({ state: state === 'ok' ? 'rejected' : state }));
  // An import may have gone through between the two.
  if (isNews && now?.state === 'rejected') await standStill(ports, refused);
  return now?.state === 'ok' ? now : undefined;
};

/** Stores what the host gave; tried again while the database cannot be reached, since the host gives it only once. */
const keep = async (
  ports: HostPorts,
  spent: HostConnection,
  grant: Grant,
  tries = STORE_TRIES,
): Promise<HostConnection | undefined> => {
  try {
    // A refusal marked meanwhile was of the grant that is spent now.
    return await amend(ports.stores, spent, ({ state }) => ({ grant, state: state === 'revoking' ? state : 'ok' }));
  } catch (error) {
    if (tries <= 1 || !(error instanceof DomainError) || error.code !== 'unavailable') throw error;
    await ports.pause(LOOK_EVERY);
    return keep(ports, spent, grant, tries - 1);
  }
};

const storeRenewed = async (
  ports: HostPorts,
  host: ConfiguredHost,
  spent: HostConnection,
  grant: Grant,
  deadline: Instant,
): Promise<HostConnection> => {
  const now = await keep(ports, spent, grant);
  if (now?.grant.sealed !== grant.sealed) {
    // Disconnected or approved again meanwhile: nobody else knows of this grant.
    await keepFormer(ports.stores, { ...spent, grant }, ports.clock());
    await endFormer(ports, { ...spent, grant }, deadline).catch(() => false);
  }
  if (now !== undefined && now.state !== 'revoking') return now;
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

/** What is stored now. @throws DomainError `host-not-connected`, `host-rejected` when it was refused since it was seen */
const look = async ({ stores }: HostPorts, host: ConfiguredHost, seen: HostConnection): Promise<HostConnection> => {
  const current = await requireConnection(stores, seen.userId, host);
  if (current.state === 'rejected' && seen.state === 'ok') throw rejected(host);
  return current;
};

/** Lets others renew at once what was not renewed here; a claim that cannot be given back ends by itself. */
const giveBack = ({ stores }: HostPorts, { userId, host }: HostConnection, until: Instant): Promise<void> =>
  stores.hostConnections.releaseRefresh(userId, host, until).catch(() => undefined);

/**
 * The connection with another grant than the one seen: refreshed here, or by whoever was first on any instance.
 * @throws DomainError `host-rejected`, `host-not-connected`, `host-not-configured`, `host-unavailable`
 */
export const renewGrant = async (
  ports: HostPorts,
  seen: HostConnection,
  deadline: Instant,
): Promise<HostConnection> => {
  const { stores, clock, pause } = ports;
  const host = requireHost(ports, seen.host);
  const isNew = ({ grant }: HostConnection) => grant.sealed !== seen.grant.sealed;
  const leaseMs = Math.max(0, deadline - clock()) + LATENESS;
  for (let left = deadline - clock(); ; left -= LOOK_EVERY) {
    const current = await look(ports, host, seen);
    if (isNew(current)) return current;
    const now = clock();
    if (await stores.hostConnections.claimRefresh(seen.userId, seen.host, now, leaseMs)) {
      const release = () => giveBack(ports, seen, now + leaseMs);
      try {
        // Whoever refreshed until now may just have stored what came of it.
        const claimed = await look(ports, host, seen);
        if (!isNew(claimed)) return await refresh(ports, host, claimed, deadline);
        await release();
        return claimed;
      } catch (error) {
        await release();
        throw error;
      }
    }
    if (left <= LOOK_EVERY || clock() + LOOK_EVERY >= deadline) break;
    await pause(LOOK_EVERY);
  }
  const message = `${host.title} has not renewed the connection in time.`;
  throw new DomainError('host-unavailable', message, { cause: 'timeout' });
};
