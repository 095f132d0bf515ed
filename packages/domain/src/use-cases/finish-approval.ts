import type { Actor } from '../access/actor.js';
import { DomainError } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Ports } from '../ports.js';
import type { HostConnection, PendingApproval } from '../repository/host-connection.js';
import type { ConfiguredHost } from '../repository/repository-host.js';
import { change } from './change.js';
import { askMayWrite } from './check-host-connection.js';
import { endFormer, keepFormer } from './end-former-grant.js';
import { HOST_ANSWERS_WITHIN, requireHost } from './in-connection.js';

export interface FinishApproval {
  readonly by: Actor;
  /** As the host sent it back. */
  readonly state: string;
  readonly code: string;
}

type FinishPorts = Pick<Ports, 'stores' | 'clock' | 'newId' | 'secrets' | 'repositoryHost'>;

/** Whoever asks first takes the approval away, so that a state is good for one try. */
const takeApproval = async (
  { stores, clock, secrets }: FinishPorts,
  host: ConfiguredHost,
  { by, state }: FinishApproval,
): Promise<PendingApproval> => {
  const { id: sessionId, userId } = by.principal;
  const pending = await stores.hostConnections.take(secrets.hash(state));
  const own = pending?.sessionId === sessionId && pending.userId === userId && pending.host === host.name;
  if (pending !== undefined && own && clock() < pending.expiresAt) return pending;
  throw new DomainError(
    'approval-unusable',
    'This approval was used, has expired, or was begun in another session; connect again.',
  );
};

/** Connects the person by that grant, in place of what was connected before, which is ended at the host. */
const connectBy = async (
  ports: Pick<FinishPorts, 'stores' | 'clock' | 'newId' | 'repositoryHost'>,
  by: Actor,
  host: ConfiguredHost,
  { grant, account }: Pick<HostConnection, 'grant' | 'account'>,
  deadline: Instant,
): Promise<HostConnection> => {
  const { userId } = by.principal;
  const { former, connection } = await change(ports, by, async ({ stores, now, note }) => {
    const before = await stores.hostConnections.of(userId, host.name);
    const connection: HostConnection = {
      ...{ userId, host: host.name, account, grant, state: 'ok', pausedUntil: null, connectedAt: now },
      // A new version, so that work that began with the former connection finds that it has changed.
      version: (before?.version ?? 0) + 1,
    };
    await stores.hostConnections.put(connection);
    if (before !== undefined) await keepFormer(stores, before, now);
    const resource = { type: 'host_connection', id: userId };
    const detail = { host: host.name, account: account.name };
    await note({ teamId: null, action: 'host.connect', resource, detail });
    return { former: before, connection };
  });
  // The person is connected even when ending the former grant fails; the background work ends it later.
  if (former !== undefined) await endFormer(ports, former, deadline).catch(() => false);
  return connection;
};

export interface ConnectByToken {
  readonly by: Actor;
  /** As the person made it at the host. */
  readonly token: string;
}

export interface ConnectedByToken {
  readonly connection: HostConnection;
  /** Whether the token would also let its holder write; null: the host did not say. */
  readonly mayWrite: boolean | null;
}

/**
 * Connects a person by a token that the host takes for one of the person's own, such as one for chosen repositories.
 * @throws DomainError `host-not-configured`, `host-rejected` when the host refuses the token, `host-unavailable`
 */
export const connectByToken =
  (ports: Pick<FinishPorts, 'stores' | 'clock' | 'newId' | 'repositoryHost'>) =>
  async ({ by, token }: ConnectByToken): Promise<ConnectedByToken> => {
    const host = requireHost(ports);
    const deadline = ports.clock() + HOST_ANSWERS_WITHIN;
    const ownerId = by.principal.userId;
    const adopted = await host.authorization.adopt({ ownerId, token, deadline });
    const mayWrite = await askMayWrite(host, { ownerId, grant: adopted.grant, deadline });
    return { connection: await connectBy(ports, by, host, adopted, deadline), mayWrite };
  };

/**
 * Ends an approval: the person is connected, in place of what was connected before, which is ended at the host.
 * @throws DomainError `host-not-configured`, `approval-unusable`, `host-rejected` when the host refuses the code, `host-unavailable`
 */
export const finishApproval =
  (ports: FinishPorts) =>
  async (command: FinishApproval): Promise<HostConnection> => {
    const host = requireHost(ports);
    const { by, code } = command;
    const { userId, redirectUrl, sealedVerifier } = await takeApproval(ports, host, command);
    const deadline = ports.clock() + HOST_ANSWERS_WITHIN;
    const request = { ownerId: userId, redirectUrl, sealedVerifier, code, deadline };
    const redeemed = await host.authorization.redeem(request);
    return connectBy(ports, by, host, redeemed, deadline);
  };
