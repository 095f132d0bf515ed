import { DomainError } from '../errors.js';
import type { Ports, Stores } from '../ports.js';
import type { ClaimedConnection, FormerGrant, HostConnection } from '../repository/connection.js';
import type { ConfiguredHost, Grant, HostAccess } from '../repository/host.js';
import type { LinkedRepository } from '../repository/import-state.js';
import type { Instant } from '../time.js';

/** What every use case that asks the repository host needs. */
export type HostPorts = Pick<Ports, 'stores' | 'clock' | 'pause' | 'repositoryHost'>;

/** While a caller waits, the host counts as unavailable when it has not answered after this many milliseconds. */
export const HOST_ANSWERS_WITHIN = 4_500;

/** The host this service is set up with; `name`: only if it is that one. @throws DomainError `host-not-configured` */
export function requireHost({ repositoryHost }: Pick<Ports, 'repositoryHost'>, name?: string): ConfiguredHost {
  if (repositoryHost !== null && (name === undefined || repositoryHost.name === name)) return repositoryHost;
  throw new DomainError(
    'host-not-configured',
    'The server is not set up to connect the repository host; its administrator must enable it.',
  );
}

const notConnected = ({ title }: Pick<ConfiguredHost, 'title'>): DomainError =>
  new DomainError('host-not-connected', `No account at ${title} is connected; connect one and approve read access.`);

const rejected = ({ title }: Pick<ConfiguredHost, 'title'>): DomainError =>
  new DomainError('host-rejected', `${title} refused the connection; approve access again.`);

/** Whether the host itself refused the grant or the code. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'host-rejected';
}

/** Returns the connection; undefined when there is none or it is being ended. */
export async function usableConnection(
  { hostConnections }: Pick<Stores, 'hostConnections'>,
  userId: string,
  host: string,
): Promise<HostConnection | undefined> {
  const connection = await hostConnections.of(userId, host);
  return connection?.state === 'revoking' ? undefined : connection;
}

/** The connection, whether it still works or not. @throws DomainError `host-not-connected` */
export async function requireConnection(
  stores: Pick<Stores, 'hostConnections'>,
  userId: string,
  host: ConfiguredHost,
): Promise<HostConnection> {
  const connection = await usableConnection(stores, userId, host.name);
  if (connection === undefined) throw notConnected(host);
  return connection;
}

/** The connection, if the host has not refused it. @throws DomainError `host-not-connected`, `host-rejected` */
export async function requireWorking(
  stores: Pick<Stores, 'hostConnections'>,
  userId: string,
  host: ConfiguredHost,
): Promise<HostConnection> {
  const connection = await requireConnection(stores, userId, host);
  if (connection.state === 'rejected') throw rejected(host);
  return connection;
}

const accessOf = ({ userId, grant }: HostConnection, deadline: Instant): HostAccess => ({
  ownerId: userId,
  grant,
  deadline,
});

/** Changes the stored connection if it still holds the grant of `seen`; returns what is stored afterwards. */
export async function changeConnection(
  { hostConnections }: Pick<Stores, 'hostConnections'>,
  seen: HostConnection,
  change: (current: HostConnection) => Partial<Pick<HostConnection, 'grant' | 'state' | 'pausedUntil'>>,
): Promise<HostConnection | undefined> {
  for (;;) {
    const current = await hostConnections.of(seen.userId, seen.host);
    if (current?.grant.sealed !== seen.grant.sealed) return current;
    const next = { ...current, ...change(current), version: current.version + 1 };
    if (await hostConnections.replace(next)) return next;
  }
}

/**
 * Marks the issues of a link as stale since its last complete import. Does nothing before the first one: the issues may be stale
 * since the project had another link, and `setIssuesAsOf` with null would mark them as current.
 */
export async function markIssuesOfLinkStale(
  { repositoryLinks }: Pick<Stores, 'repositoryLinks'>,
  { link, state }: LinkedRepository,
  now: Instant,
): Promise<void> {
  if (state.completedAt !== null) await repositoryLinks.setIssuesAsOf(link.projectId, state.completedAt, now);
}

/**
 * Marks the issues of every project that is read with the connection as stale: without the connection they are no longer
 * read. Called before the connection changes, so that a failure in between is put right by the
 * next import; called again after it, because an import that ends in between marks them as current.
 */
export async function markIssuesStale(
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  connection: Pick<HostConnection, 'userId' | 'host'>,
): Promise<void> {
  for (const linked of await stores.repositoryLinks.ofConnection(connection))
    await markIssuesOfLinkStale(stores, linked, clock());
}

/** Ends the grant of a connection at the host and forgets the connection. @throws DomainError `host-unavailable`, `host-not-configured` */
export async function endGrant(
  ports: Pick<HostPorts, 'stores' | 'repositoryHost'>,
  connection: HostConnection,
  deadline: Instant,
): Promise<void> {
  const host = requireHost(ports, connection.host);
  try {
    await host.authorization.revoke(accessOf(connection, deadline));
  } catch (error) {
    // A grant the host refuses is dead: there is nothing left to end.
    if (!isRefusal(error)) throw error;
  }
  await ports.stores.hostConnections.remove(connection);
}

/** How long to wait before an unreachable host is asked again to end a grant, in milliseconds: 5 minutes. */
export const REVOKE_AGAIN_AFTER = 300_000;

/**
 * Ends the grant of the claimed connection if it was disconnected; false: it was not, or the host could not be reached
 * and is asked again later.
 */
export async function endRevokedConnection(
  ports: Pick<HostPorts, 'stores' | 'clock' | 'repositoryHost'>,
  { connection }: ClaimedConnection,
): Promise<boolean> {
  if (connection.state !== 'revoking') return false;
  try {
    await endGrant(ports, connection, ports.clock() + HOST_ANSWERS_WITHIN);
    return true;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'host-unavailable') throw error;
    const { retryAt } = error.details;
    const again = ports.clock() + REVOKE_AGAIN_AFTER;
    const pausedUntil = typeof retryAt === 'number' ? Math.max(retryAt, ports.clock() + 1) : again;
    await changeConnection(ports.stores, connection, ({ state, pausedUntil: kept }) => ({
      pausedUntil: state === 'revoking' ? pausedUntil : kept,
    }));
    return false;
  }
}

type EndPorts = Pick<Ports, 'stores' | 'clock' | 'repositoryHost'>;

/** Stores a replaced grant, so that it is ended at the host even after a crash. */
export function storeFormerGrant(
  { hostConnections }: Pick<Stores, 'hostConnections'>,
  { userId, host, grant }: FormerGrant,
  now: Instant,
): Promise<void> {
  return hostConnections.putFormerGrant({ userId, host, grant }, now + REVOKE_AGAIN_AFTER);
}

/**
 * Ends a stored former grant at the host and removes it; false: the host cannot be reached, and the grant stays stored.
 */
export async function endFormerGrant(
  { stores, ...ports }: EndPorts,
  { userId, host, grant }: FormerGrant,
  deadline: Instant,
): Promise<boolean> {
  const { authorization } = requireHost(ports, host);
  try {
    await authorization.revoke({ ownerId: userId, grant, deadline });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'host-unavailable') return false;
    // A grant the host refuses is dead: there is nothing left to end.
    if (!isRefusal(error)) throw error;
  }
  await stores.hostConnections.removeFormerGrant({ userId, host, grant });
  return true;
}

/**
 * Ends one stored former grant that is due; false: none is. One that could not be ended is due again after 5 minutes.
 */
export async function endDueFormerGrant(ports: EndPorts): Promise<boolean> {
  const { name } = requireHost(ports);
  const former = await ports.stores.hostConnections.claimFormerGrant(name, ports.clock(), REVOKE_AGAIN_AFTER);
  if (former !== undefined) await endFormerGrant(ports, former, ports.clock() + HOST_ANSWERS_WITHIN);
  return former !== undefined;
}

/** How often callers that wait for a new grant look for it, in milliseconds. */
const LOOK_FOR_GRANT_EVERY = 100;
/** How long after the deadline of a refresh another caller may start one, in milliseconds. */
const REFRESH_GRACE = 1_000;
/** How many times storing a new grant is tried. */
const STORE_TRIES = 4;

/** Marks the connection as refused. If it holds another grant by now, returns it, so that the other grant is tried. */
const markRejected = async (
  ports: Pick<HostPorts, 'stores' | 'clock'>,
  refused: HostConnection,
): Promise<HostConnection | undefined> => {
  const current = await ports.stores.hostConnections.of(refused.userId, refused.host);
  const isNews = current?.grant.sealed === refused.grant.sealed && current.state === 'ok';
  if (isNews) await markIssuesStale(ports, refused);
  const now = await changeConnection(ports.stores, refused, ({ state }) => ({
    state: state === 'ok' ? 'rejected' : state,
  }));
  // An import may have completed between the first mark and the change of the connection.
  if (isNews && now?.state === 'rejected') await markIssuesStale(ports, refused);
  return now?.state === 'ok' ? now : undefined;
};

/**
 * Stores the new grant of a refresh; tries again while the database cannot be reached, since the host gives it only
 * once.
 */
const storeNewGrant = async (
  ports: HostPorts,
  spent: HostConnection,
  grant: Grant,
  tries = STORE_TRIES,
): Promise<HostConnection | undefined> => {
  try {
    // A refusal that was marked during the refresh concerned the spent grant, so it is cleared.
    return await changeConnection(ports.stores, spent, ({ state }) => ({
      grant,
      state: state === 'revoking' ? state : 'ok',
    }));
  } catch (error) {
    if (tries <= 1 || !(error instanceof DomainError) || error.code !== 'unavailable') throw error;
    await ports.pause(LOOK_FOR_GRANT_EVERY);
    return storeNewGrant(ports, spent, grant, tries - 1);
  }
};

const storeRenewed = async (
  ports: HostPorts,
  host: ConfiguredHost,
  spent: HostConnection,
  grant: Grant,
  deadline: Instant,
): Promise<HostConnection> => {
  const now = await storeNewGrant(ports, spent, grant);
  if (now?.grant.sealed !== grant.sealed) {
    // Disconnected or approved again while refreshing: only this process knows the new grant, so it is stored to be ended.
    await storeFormerGrant(ports.stores, { ...spent, grant }, ports.clock());
    await endFormerGrant(ports, { ...spent, grant }, deadline).catch(() => false);
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

/** Reads the stored connection. @throws DomainError `host-not-connected`, `host-rejected` when it was refused since it was seen */
const readConnection = async (
  { stores }: HostPorts,
  host: ConfiguredHost,
  seen: HostConnection,
): Promise<HostConnection> => {
  const current = await requireConnection(stores, seen.userId, host);
  if (current.state === 'rejected' && seen.state === 'ok') throw rejected(host);
  return current;
};

/** Lets other callers renew the grant at once when this one did not; a claim that cannot be given back expires by itself. */
const giveBack = ({ stores }: HostPorts, { userId, host }: HostConnection, until: Instant): Promise<void> =>
  stores.hostConnections.releaseRefresh(userId, host, until).catch(() => undefined);

/**
 * Returns the connection with a newer grant than the one seen: refreshed here, or by another caller or instance that was first.
 * A refresh that begins shortly before the deadline may end after it: a host whose answer is cut off has spent the old grant,
 * and the new one is lost.
 * @throws DomainError `host-rejected`, `host-not-connected`, `host-not-configured`, `host-unavailable`
 */
const renewGrant = async (ports: HostPorts, seen: HostConnection, deadline: Instant): Promise<HostConnection> => {
  const { stores, clock, pause } = ports;
  const host = requireHost(ports, seen.host);
  const isNew = ({ grant }: HostConnection) => grant.sealed !== seen.grant.sealed;
  for (let left = deadline - clock(); ; left -= LOOK_FOR_GRANT_EVERY) {
    const current = await readConnection(ports, host, seen);
    if (isNew(current)) return current;
    const now = clock();
    const refreshBy = Math.max(deadline, now + HOST_ANSWERS_WITHIN);
    const leaseMs = refreshBy - now + REFRESH_GRACE;
    if (now < deadline && (await stores.hostConnections.claimRefresh(seen.userId, seen.host, now, leaseMs))) {
      const release = () => giveBack(ports, seen, now + leaseMs);
      try {
        // The instance that refreshed until now may just have stored a new grant.
        const claimed = await readConnection(ports, host, seen);
        if (!isNew(claimed)) return await refresh(ports, host, claimed, refreshBy);
        await release();
        return claimed;
      } catch (error) {
        await release();
        throw error;
      }
    }
    if (left <= LOOK_FOR_GRANT_EVERY || clock() + LOOK_FOR_GRANT_EVERY >= deadline) break;
    await pause(LOOK_FOR_GRANT_EVERY);
  }
  const message = `${host.title} has not renewed the connection in time.`;
  throw new DomainError('host-unavailable', message, { cause: 'timeout' });
};

/** A grant that ends within so many milliseconds is renewed before it is used: 1 minute. */
export const RENEW_WITHIN = 60_000;

const endsSoon = ({ grant: { expiresAt } }: HostConnection, now: Instant): boolean =>
  expiresAt !== null && expiresAt - now <= RENEW_WITHIN;

/**
 * Returns the connection with another grant than the refused one, renewed or stored by another instance; undefined: there is
 * none, and the connection is now marked as refused.
 */
const afterRefusal = async (
  ports: HostPorts,
  refused: HostConnection,
  deadline: Instant,
): Promise<HostConnection | undefined> => {
  // Another instance may just have renewed the grant, or the host's clock is ahead; only the host can tell.
  if (refused.grant.expiresAt !== null) return renewGrant(ports, refused, deadline);
  return markRejected(ports, refused);
};

/**
 * Does the work with a grant that is valid for a minute at least. The work must only read, since it may be done twice.
 * One caller at a time, over all instances, renews the grant. Not to be called inside a transaction. A connection whose
 * grant the host refuses is marked `rejected`, unless it holds another grant by then.
 * @throws DomainError `host-rejected`, `host-not-connected`, `host-not-configured`, `host-unavailable`, what the work
 * throws
 */
export async function withAccess<Result>(
  ports: HostPorts,
  connection: HostConnection,
  deadline: Instant,
  work: (access: HostAccess) => Promise<Result>,
): Promise<Result> {
  const fresh = endsSoon(connection, ports.clock()) ? await renewGrant(ports, connection, deadline) : connection;
  try {
    return await work(accessOf(fresh, deadline));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const other = await afterRefusal(ports, fresh, deadline);
    if (other === undefined) throw error;
    try {
      return await work(accessOf(other, deadline));
    } catch (again) {
      if (!isRefusal(again) || (await markRejected(ports, other)) === undefined) throw again;
      // The grant was renewed elsewhere during both attempts: the refused grant is no longer the stored one.
      throw new DomainError('host-unavailable', 'The connection was being renewed; ask again.', { cause: 'timeout' });
    }
  }
}
