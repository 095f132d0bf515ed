import type { HostConnection, Instant } from '@shipworthy/domain';
import type { FormerGrant, HostConnectionStore } from '@shipworthy/domain/ports';
import { ascending } from './table.js';
import { keyOf, type StoredConnection, type StoredLink, type TableAccess, type Tables } from './tables.js';

export const hostConnectionStore = ({ read, change }: TableAccess): HostConnectionStore => ({
  ...formerGrants({ change }),
  put: (connection) =>
    change((tables) => {
      const key = connectionKey(connection);
      tables.connections.put(key, { connection, refreshUntil: null, lease: null, claimedUntil: null });
      for (const row of tables.links.where('connection', key)) makeDue(tables, row, connection.connectedAt);
    }),
  of: (userId, host) => read(({ connections }) => connections.get(keyOf(userId, host))?.connection),
  replace: (next) =>
    change(({ connections }) => {
      const key = connectionKey(next);
      const before = connections.get(key);
      if (before?.connection.version !== next.version - 1) return false;
      const { grant, state } = before.connection;
      const refreshing = grant.sealed === next.grant.sealed && state === next.state;
      connections.put(key, { ...before, connection: next, refreshUntil: refreshing ? before.refreshUntil : null });
      return true;
    }),
  remove: ({ userId, host, version }) =>
    change(({ connections }) => {
      const key = keyOf(userId, host);
      return connections.get(key)?.connection.version === version && connections.remove(key);
    }),
  claimRefresh: (userId, host, now, leaseMs) =>
    change(({ connections }) => {
      const key = keyOf(userId, host);
      const row = connections.get(key);
      if (row === undefined || !isFree(row.refreshUntil, now)) return false;
      connections.put(key, { ...row, refreshUntil: now + leaseMs });
      return true;
    }),
  releaseRefresh: (userId, host, until) =>
    change(({ connections }) => {
      const key = keyOf(userId, host);
      const row = connections.get(key);
      if (row?.refreshUntil === until) connections.put(key, { ...row, refreshUntil: null });
    }),
  claimWork: (host, now, leaseMs, lease) =>
    change((tables) => {
      const row = longestWaiting(tables, host, now);
      if (row === undefined) return undefined;
      const { connection } = row;
      tables.connections.put(connectionKey(connection), { ...row, lease, claimedUntil: now + leaseMs });
      return { connection, lease };
    }),
  keepWork: ({ connection, lease }, until) =>
    change(({ connections }) => {
      const key = connectionKey(connection);
      const row = connections.get(key);
      if (row?.lease !== lease) return false;
      connections.put(key, { ...row, claimedUntil: until });
      return true;
    }),

  begin: (approval) => change(({ approvals }) => approvals.put(approval.stateHash, approval)),
  take: (stateHash, sessionId) =>
    change(({ approvals }) => {
      const approval = approvals.get(stateHash);
      if (approval?.sessionId !== sessionId) return undefined;
      approvals.remove(stateHash);
      return approval;
    }),
  removeExpired: (before) =>
    change(({ approvals }) => {
      const expired = approvals.all().filter(({ expiresAt }) => expiresAt < before);
      for (const { stateHash } of expired) approvals.remove(stateHash);
      return expired.length;
    }),
});

export const connectionKey = ({ userId, host }: Whose): string => keyOf(userId, host);

/**
 * Makes a link due at `at`. A link that is due by then already becomes due a millisecond earlier, so that the worker
 * that reads it sees the new request.
 */
export const makeDue = (tables: Tables, row: StoredLink, at: Instant, suspects: readonly string[] = []): void => {
  const { link, state } = row.linked;
  const dueAt = Math.min(at, state.dueAt - 1);
  const suspectIssueIds = [...new Set([...state.suspectIssueIds, ...suspects])];
  tables.links.put(link.id, {
    ...row,
    linked: { link, state: { ...state, dueAt, suspectIssueIds } },
    rerunRequested: row.rerunRequested || state.startedAt !== null,
  });
};

const formerGrantKey = ({ userId, host, grant }: FormerGrant): string => keyOf(userId, host, grant.sealed);

/** The grants that must still be ended at the host. */
const formerGrants = ({
  change,
}: Pick<TableAccess, 'change'>): Pick<
  HostConnectionStore,
  'putFormerGrant' | 'claimFormerGrant' | 'removeFormerGrant'
> => ({
  putFormerGrant: (ending, dueAt) => change(({ endings }) => endings.put(formerGrantKey(ending), { ending, dueAt })),
  claimFormerGrant: (host, now, leaseMs) =>
    change(({ endings }) => {
      const due = endings.all().filter(({ ending, dueAt }) => ending.host === host && dueAt <= now);
      const first = ascending(due, ({ ending, dueAt }) => [dueAt, formerGrantKey(ending)])[0];
      if (first !== undefined) endings.put(formerGrantKey(first.ending), { ...first, dueAt: now + leaseMs });
      return first?.ending;
    }),
  removeFormerGrant: (ending) => change(({ endings }) => endings.remove(formerGrantKey(ending))),
});

type Whose = Pick<HostConnection, 'userId' | 'host'>;

const isFree = (until: Instant | null, now: Instant): boolean => until === null || until <= now;

/** Since when a connection has work that waits; undefined: none is due. */
const waitingSince = (tables: Tables, { connection }: StoredConnection, now: Instant): Instant | undefined => {
  if (!isFree(connection.pausedUntil, now)) return undefined;
  if (connection.state === 'revoking') return connection.connectedAt;
  if (connection.state === 'rejected') return undefined;
  const due = tables.links.where('connection', connectionKey(connection)).map(({ linked }) => linked.state.dueAt);
  const first = Math.min(...due);
  return first <= now ? first : undefined;
};

const longestWaiting = (tables: Tables, host: string, now: Instant): StoredConnection | undefined => {
  const waiting = tables.connections.where('host', host).flatMap((row) => {
    const since = isFree(row.claimedUntil, now) ? waitingSince(tables, row, now) : undefined;
    return since === undefined ? [] : [{ row, since }];
  });
  return ascending(waiting, ({ row, since }) => [since, row.connection.userId])[0]?.row;
};
