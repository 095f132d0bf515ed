import type { Actor, Principal } from '../access/principal.js';
import { DomainError } from '../errors.js';
import type { Ports, Stores } from '../ports.js';
import type { HostConnection, PendingApproval } from '../repository/connection.js';
import { type ConfiguredHost, type HostAccess, type HostAccount, plainAccount } from '../repository/host.js';
import type { Instant } from '../time.js';
import { type Change, change } from './change.js';
import {
  changeConnection,
  endFormerGrant,
  endGrant,
  HOST_ANSWERS_WITHIN,
  type HostPorts,
  isRefusal,
  markIssuesStale,
  requireConnection,
  requireHost,
  storeFormerGrant,
  usableConnection,
  withAccess,
} from './host-grant.js';

/** How long a person has to approve at the host, in milliseconds: 10 minutes. */
export const APPROVAL_LIFE = 600_000;

interface BeginApproval {
  readonly by: Actor;
  /** Where the host sends the person back to, exactly. */
  readonly redirectUrl: string;
}

/**
 * Begins to connect the repository host; returns the page there on which the person approves read access.
 * @throws DomainError `host-not-configured`
 */
export async function beginApproval(
  ports: Pick<Ports, 'stores' | 'clock' | 'secrets' | 'repositoryHost'>,
  { by, redirectUrl }: BeginApproval,
): Promise<{ readonly url: string }> {
  const host = requireHost(ports);
  const { id: sessionId, userId } = by.principal;
  const { url, state, sealedVerifier } = await host.authorization.begin({ ownerId: userId, redirectUrl });
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
}

/** The state of a connection according to the host. */
interface CheckedConnection {
  readonly status: 'ok' | 'rejected';
  /** Whether its grant would also let its holder write; null: the host did not say, or refused it. */
  readonly mayWrite: boolean | null;
}

/** Whether the grant may write; null also when the host cannot be asked now, since nothing depends on it. */
const askMayWrite = async (host: ConfiguredHost, access: HostAccess): Promise<boolean | null> => {
  try {
    return await host.reader.mayWrite(access);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
};

/**
 * Asks the host whether the caller's connection still works, within 4.5 seconds; `rejected` only when the host refused it.
 * @throws DomainError `host-not-configured`, `host-not-connected`, `host-unavailable`
 */
export async function checkHostConnection(
  ports: HostPorts,
  { principal }: { readonly principal: Principal },
): Promise<CheckedConnection> {
  const host = requireHost(ports);
  const deadline = ports.clock() + HOST_ANSWERS_WITHIN;
  const connection = await requireConnection(ports.stores, principal.userId, host);
  try {
    const mayWrite = await withAccess(ports, connection, deadline, async (access) => {
      await host.reader.account(access);
      return askMayWrite(host, access);
    });
    // A renewed grant is stored as ok already; this is for one that works although it was refused before.
    if (connection.state === 'rejected')
      await changeConnection(ports.stores, connection, ({ state }) => ({ state: state === 'rejected' ? 'ok' : state }));
    return { status: 'ok', mayWrite };
  } catch (error) {
    if (isRefusal(error)) return { status: 'rejected', mayWrite: null };
    throw error;
  }
}

interface FinishApproval {
  readonly by: Actor;
  /** The state as the host sent it back. */
  readonly state: string;
  readonly code: string;
}

type FinishPorts = Pick<Ports, 'stores' | 'clock' | 'newId' | 'secrets' | 'repositoryHost'>;

/** Reads and removes the approval, so that a state is good for one try in the session that began it. */
const takeApproval = async (
  { stores, clock, secrets }: FinishPorts,
  host: ConfiguredHost,
  { by, state }: FinishApproval,
): Promise<PendingApproval> => {
  const { id: sessionId, userId } = by.principal;
  const pending = await stores.hostConnections.take(secrets.hash(state), sessionId);
  const own = pending?.userId === userId && pending.host === host.name;
  if (pending !== undefined && own && clock() < pending.expiresAt) return pending;
  throw new DomainError(
    'approval-unusable',
    'This approval was used, has expired, or was begun in another session; connect again.',
  );
};

/**
 * Connects the person by that grant, in place of what was connected before, which is ended at the host. If the account was
 * disabled while the host answered, the grant is ended instead. @throws DomainError `forbidden`
 */
const connectBy = async (
  ports: Pick<FinishPorts, 'stores' | 'clock' | 'newId' | 'repositoryHost'>,
  by: Actor,
  host: ConfiguredHost,
  { grant, account: named }: Pick<HostConnection, 'grant' | 'account'>,
  deadline: Instant,
): Promise<HostConnection> => {
  const { userId } = by.principal;
  const account = plainAccount(named);
  const put = async ({ stores, now, note }: Change) => {
    if ((await stores.users.byId(userId))?.disabledAt != null) {
      const refused = { userId, host: host.name, grant };
      await storeFormerGrant(stores, refused, now);
      return { ended: refused, connection: null };
    }
    const before = await stores.hostConnections.of(userId, host.name);
    const connection: HostConnection = {
      ...{ userId, host: host.name, account, grant, state: 'ok', pausedUntil: null, connectedAt: now },
      // A new version, so that work that began with the former connection finds that it has changed.
      version: (before?.version ?? 0) + 1,
    };
    await stores.hostConnections.put(connection);
    if (before !== undefined) await storeFormerGrant(stores, before, now);
    const resource = { type: 'host_connection', id: userId };
    const detail = { host: host.name, account: account.name };
    await note({ teamId: null, action: 'host.connect', resource, detail });
    return { ended: before, connection };
  };
  // Locked, so that a request that disables the account at this moment either finds the new connection or is noticed here.
  const { ended, connection } = await change(ports, by, put, ({ users }) => users.lock(userId));
  // Nothing here depends on it: what cannot be ended at the host now, the background work ends later.
  if (ended !== undefined) await endFormerGrant(ports, ended, deadline).catch(() => false);
  if (connection === null) throw new DomainError('forbidden', 'The account is disabled.');
  return connection;
};

interface ConnectByToken {
  readonly by: Actor;
  /** The token the person made at the host. */
  readonly token: string;
}

interface ConnectedByToken {
  readonly connection: HostConnection;
  /** Whether the token would also let its holder write; null: the host did not say. */
  readonly mayWrite: boolean | null;
}

/**
 * Connects a person by a token that the host takes for one of the person's own, such as one for chosen repositories.
 * @throws DomainError `host-not-configured`, `host-rejected` when the host refuses the token, `host-unavailable`, `forbidden`
 */
export async function connectByToken(
  ports: Pick<FinishPorts, 'stores' | 'clock' | 'newId' | 'repositoryHost'>,
  { by, token }: ConnectByToken,
): Promise<ConnectedByToken> {
  const host = requireHost(ports);
  const deadline = ports.clock() + HOST_ANSWERS_WITHIN;
  const ownerId = by.principal.userId;
  const adopted = await host.authorization.adopt({ ownerId, token, deadline });
  const mayWrite = await askMayWrite(host, { ownerId, grant: adopted.grant, deadline });
  return { connection: await connectBy(ports, by, host, adopted, deadline), mayWrite };
}

/**
 * Finishes an approval: the person is connected, in place of what was connected before, which is ended at the host.
 * @throws DomainError `host-not-configured`, `approval-unusable`, `host-rejected` when the host refuses the code,
 * `host-unavailable`, `forbidden`
 */
export async function finishApproval(ports: FinishPorts, command: FinishApproval): Promise<HostConnection> {
  const host = requireHost(ports);
  const { by, code } = command;
  const { userId, redirectUrl, sealedVerifier } = await takeApproval(ports, host, command);
  const deadline = ports.clock() + HOST_ANSWERS_WITHIN;
  const request = { ownerId: userId, redirectUrl, sealedVerifier, code, deadline };
  const redeemed = await host.authorization.redeem(request);
  return connectBy(ports, by, host, redeemed, deadline);
}

interface HostConnectionStatus {
  /** false: the server is not set up to connect the repository host. */
  readonly configured: boolean;
  /** false: the caller's account is not connected. */
  readonly connected: boolean;
  /** The account of the connection at the host; null: not connected. */
  readonly account: HostAccount | null;
}

/** Whether the caller is connected to the repository host; the host is not asked. */
export async function readHostConnection(
  { stores, repositoryHost }: Pick<Ports, 'stores' | 'repositoryHost'>,
  { principal }: { readonly principal: Principal },
): Promise<HostConnectionStatus> {
  if (repositoryHost === null) return { configured: false, connected: false, account: null };
  const connection = await usableConnection(stores, principal.userId, repositoryHost.name);
  return { configured: true, connected: connection !== undefined, account: connection?.account ?? null };
}

type DisconnectPorts = Pick<Ports, 'stores' | 'clock' | 'newId' | 'repositoryHost'>;

/** Marks a connection to be ended at the host, which makes it unusable here at once; returns the connection as stored then. */
export async function markRevoking(
  stores: Pick<Stores, 'hostConnections'>,
  connection: HostConnection,
): Promise<HostConnection | undefined> {
  let current: HostConnection | undefined = connection;
  while (current !== undefined && current.state !== 'revoking')
    current = await changeConnection(stores, current, () => ({ state: 'revoking', pausedUntil: null }));
  return current;
}

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
 * later by `endRevokedConnection` when the host cannot be reached. Nothing happens when nothing is connected. @throws DomainError `host-not-configured`
 */
export async function disconnectHost(ports: DisconnectPorts, { by }: { readonly by: Actor }): Promise<void> {
  const host = requireHost(ports);
  const { userId } = by.principal;
  if ((await usableConnection(ports.stores, userId, host.name)) !== undefined)
    await markIssuesStale(ports, { userId, host: host.name });
  const revoking = await markOwn(ports, host.name, by);
  if (revoking === undefined) return;
  // An import may have completed between the first mark and the change of the connection.
  await markIssuesStale(ports, revoking);
  try {
    await endGrant(ports, revoking, ports.clock() + HOST_ANSWERS_WITHIN);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'host-unavailable') throw error;
  }
}
