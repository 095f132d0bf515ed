import { DomainError } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Ports, Stores } from '../ports.js';
import type { HostAccess } from '../repository/host-account.js';
import type { HostConnection } from '../repository/host-connection.js';
import type { ConfiguredHost } from '../repository/repository-host.js';

/** What every use case that asks the repository host needs. */
export type HostPorts = Pick<Ports, 'stores' | 'clock' | 'pause' | 'repositoryHost'>;

/** Within so many milliseconds the host has answered or counts as unavailable, when somebody waits for it. */
export const HOST_ANSWERS_WITHIN = 4_500;

/** The host this service is set up with; `name`: only if it is that one. @throws DomainError `host-not-configured` */
export const requireHost = ({ repositoryHost }: Pick<Ports, 'repositoryHost'>, name?: string): ConfiguredHost => {
  if (repositoryHost !== null && (name === undefined || repositoryHost.name === name)) return repositoryHost;
  throw new DomainError(
    'host-not-configured',
    'The server is not set up to connect the repository host; its administrator must enable it.',
  );
};

export const notConnected = ({ title }: Pick<ConfiguredHost, 'title'>): DomainError =>
  new DomainError('host-not-connected', `No account at ${title} is connected; connect one and approve read access.`);

export const rejected = ({ title }: Pick<ConfiguredHost, 'title'>): DomainError =>
  new DomainError('host-rejected', `${title} refused the connection; approve access again.`);

/** Whether the host itself refused the grant or the code. */
export const isRefusal = (error: unknown): boolean => error instanceof DomainError && error.code === 'host-rejected';

/** The connection, unless it is not there or being ended. */
export const connectedOf = async (
  { hostConnections }: Pick<Stores, 'hostConnections'>,
  userId: string,
  host: string,
): Promise<HostConnection | undefined> => {
  const connection = await hostConnections.of(userId, host);
  return connection?.state === 'revoking' ? undefined : connection;
};

/** The connection, whether it still works or not. @throws DomainError `host-not-connected` */
export const requireConnection = async (
  stores: Pick<Stores, 'hostConnections'>,
  userId: string,
  host: ConfiguredHost,
): Promise<HostConnection> => {
  const connection = await connectedOf(stores, userId, host.name);
  if (connection === undefined) throw notConnected(host);
  return connection;
};

/** The connection, if the host has not refused it. @throws DomainError `host-not-connected`, `host-rejected` */
export const requireWorking = async (
  stores: Pick<Stores, 'hostConnections'>,
  userId: string,
  host: ConfiguredHost,
): Promise<HostConnection> => {
  const connection = await requireConnection(stores, userId, host);
  if (connection.state === 'rejected') throw rejected(host);
  return connection;
};

export const accessOf = ({ userId, grant }: HostConnection, deadline: Instant): HostAccess => ({
  ownerId: userId,
  grant,
  deadline,
});

/** Changes the stored connection as long as it holds the grant that was seen; answers what is stored then. */
export const amend = async (
  { hostConnections }: Pick<Stores, 'hostConnections'>,
  seen: HostConnection,
  change: (current: HostConnection) => Partial<Pick<HostConnection, 'grant' | 'state' | 'pausedUntil'>>,
): Promise<HostConnection | undefined> => {
  for (;;) {
    const current = await hostConnections.of(seen.userId, seen.host);
    if (current?.grant.sealed !== seen.grant.sealed) return current;
    const next = { ...current, ...change(current), version: current.version + 1 };
    if (await hostConnections.replace(next)) return next;
  }
};
