import type { HostConnection, Instant } from '@shipworthy/domain';
import type {
  ClaimedConnection,
  ConnectionState,
  FormerGrant,
  HostConnectionStore,
  PendingApproval,
} from '@shipworthy/domain/ports';
import { query, skippingLocked, type TableOf } from './query.js';
import { makeDue } from './repository-links.js';
import { type Access, boundMoment, removeInPortions } from './sql.js';
import { claimConnection } from './work-sql.js';

interface EndingRow {
  readonly user_id: string;
  readonly host: string;
  readonly sealed: string;
  readonly grant_expires_at: number | null;
}

interface EndingColumns extends EndingRow {
  readonly due_at: number;
}

interface ConnectionColumns extends ConnectionRow {
  readonly refresh_until: number | null;
  readonly lease: string | null;
  readonly claimed_until: number | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    host_endings: TableOf<EndingColumns, 'grant_expires_at' | 'due_at'>;
    host_connections: TableOf<
      ConnectionColumns,
      'grant_expires_at' | 'paused_until' | 'connected_at' | 'refresh_until' | 'claimed_until'
    >;
    host_approvals: TableOf<ApprovalRow, 'expires_at'>;
  }
}

const formerGrantOf = (row: EndingRow): FormerGrant => ({
  userId: row.user_id,
  host: row.host,
  grant: { sealed: row.sealed, expiresAt: row.grant_expires_at },
});

/** The grants that must still be ended at the host. */
const formerGrants = (
  access: Access,
): Pick<HostConnectionStore, 'putFormerGrant' | 'claimFormerGrant' | 'removeFormerGrant'> => ({
  putFormerGrant: async ({ userId, host, grant: { sealed, expiresAt } }, dueAt) => {
    const grant_expires_at = boundMoment(access, expiresAt);
    await query(access)
      .from('host_endings')
      .insert({ user_id: userId, host, sealed, grant_expires_at, due_at: access.dialect.moment(dueAt) });
  },
  claimFormerGrant: async (host, now, leaseMs) => {
    const { moment } = access.dialect;
    const next = query(access)
      .from('host_endings')
      .where('host', host)
      .where('due_at', '<=', moment(now))
      .orderBy(['due_at', 'sealed'])
      .limit(1)
      .select('sealed');
    // One statement claims a grant; no two grants have the same sealed text.
    const [row] = await query(access)
      .from('host_endings')
      .where('sealed', skippingLocked(access, next))
      .update({ due_at: moment(now + leaseMs) }, ['user_id', 'host', 'sealed', 'grant_expires_at']);
    return row && formerGrantOf(row);
  },
  removeFormerGrant: async ({ userId, host, grant: { sealed } }) =>
    (await query(access).from('host_endings').where({ user_id: userId, host, sealed }).delete()) > 0,
});

interface ConnectionRow {
  readonly user_id: string;
  readonly host: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly sealed: string;
  readonly grant_expires_at: number | null;
  readonly state: ConnectionState;
  readonly paused_until: number | null;
  readonly connected_at: number;
  readonly version: number;
}

const CONNECTION_COLUMNS = [
  'user_id',
  'host',
  'account_id',
  'account_name',
  'sealed',
  'grant_expires_at',
  'state',
  'paused_until',
  'connected_at',
  'version',
] as const;

const connectionOf = (row: ConnectionRow): HostConnection => ({
  userId: row.user_id,
  host: row.host,
  account: { id: row.account_id, name: row.account_name },
  grant: { sealed: row.sealed, expiresAt: row.grant_expires_at },
  state: row.state,
  pausedUntil: row.paused_until,
  connectedAt: row.connected_at,
  version: row.version,
});

/** The columns of a connection, except its person and host (its key) and its claims. */
const connectionColumns = (access: Access, connection: HostConnection) => ({
  account_id: connection.account.id,
  account_name: connection.account.name,
  sealed: connection.grant.sealed,
  grant_expires_at: boundMoment(access, connection.grant.expiresAt),
  state: connection.state,
  paused_until: boundMoment(access, connection.pausedUntil),
  connected_at: access.dialect.moment(connection.connectedAt),
  version: connection.version,
});

interface ApprovalRow {
  readonly id: string;
  readonly session_id: string;
  readonly user_id: string;
  readonly host: string;
  readonly sealed_verifier: string;
  readonly redirect_url: string;
  readonly expires_at: number;
}

const approvalOf = (row: ApprovalRow): PendingApproval => ({
  stateHash: row.id,
  sessionId: row.session_id,
  userId: row.user_id,
  host: row.host,
  sealedVerifier: row.sealed_verifier,
  redirectUrl: row.redirect_url,
  expiresAt: row.expires_at,
});

const approvalColumns = (access: Access, approval: PendingApproval) => ({
  id: approval.stateHash,
  session_id: approval.sessionId,
  user_id: approval.userId,
  host: approval.host,
  sealed_verifier: approval.sealedVerifier,
  redirect_url: approval.redirectUrl,
  expires_at: access.dialect.moment(approval.expiresAt),
});

/** A person's connection with a host. */
const theirs = (access: Access, userId: string, host: string) =>
  query(access).from('host_connections').where({ user_id: userId, host });

const put = (access: Access, connection: HostConnection): Promise<void> =>
  access.atomically(async (inside) => {
    const { userId, host, connectedAt: dueAt } = connection;
    const columns = { ...connectionColumns(access, connection), refresh_until: null, lease: null, claimed_until: null };
    await query(inside)
      .from('host_connections')
      .insert({ user_id: userId, host, ...columns })
      .onConflict(['user_id', 'host'])
      .merge(columns);
    await makeDue(inside, { user_id: userId, host }, { dueAt });
  });

/** Replaces a connection. A claim to refresh its grant stays valid only while grant and state stay the same. */
const replace = (access: Access, next: HostConnection): Promise<boolean> =>
  access.atomically(async (inside) => {
    const { userId, host, version, grant, state } = next;
    const connection = () => theirs(inside, userId, host).where('version', version - 1);
    const before = await connection().forUpdate().first('sealed', 'state');
    if (before === undefined) return false;
    const isSame = before.sealed === grant.sealed && before.state === state;
    const columns = { ...connectionColumns(access, next), ...(isSame ? {} : { refresh_until: null }) };
    return (await connection().update(columns)) === 1;
  });

const claimWork = async (
  access: Access,
  host: string,
  now: Instant,
  leaseMs: number,
  lease: string,
): Promise<ClaimedConnection | undefined> => {
  const columns = CONNECTION_COLUMNS.join(', ');
  const row = await claimConnection<ConnectionRow>(access, columns, { host, now, leaseMs, lease });
  return row && { connection: connectionOf(row), lease };
};

const claimRefresh = async (
  access: Access,
  userId: string,
  host: string,
  now: Instant,
  leaseMs: number,
): Promise<boolean> => {
  const { moment } = access.dialect;
  const claimed = await theirs(access, userId, host)
    .where((free) => free.whereNull('refresh_until').orWhere('refresh_until', '<=', moment(now)))
    .update({ refresh_until: moment(now + leaseMs) });
  return claimed === 1;
};

export const hostConnectionStore = (access: Access): HostConnectionStore => ({
  ...formerGrants(access),
  put: (connection) => put(access, connection),
  of: async (userId, host) => {
    const row = await theirs(access, userId, host).first(...CONNECTION_COLUMNS);
    return row && connectionOf(row);
  },
  replace: (next) => replace(access, next),
  remove: async ({ userId, host, version }) =>
    (await theirs(access, userId, host).where('version', version).delete()) === 1,
  claimRefresh: (userId, host, now, leaseMs) => claimRefresh(access, userId, host, now, leaseMs),
  releaseRefresh: async (userId, host, until) => {
    await theirs(access, userId, host)
      .where('refresh_until', access.dialect.moment(until))
      .update({ refresh_until: null });
  },
  claimWork: (host, now, leaseMs, lease) => claimWork(access, host, now, leaseMs, lease),
  keepWork: async ({ connection: { userId, host }, lease }, until) => {
    const claimed_until = access.dialect.moment(until);
    return (await theirs(access, userId, host).where('lease', lease).update({ claimed_until })) === 1;
  },

  begin: async (approval) => {
    await query(access).from('host_approvals').insert(approvalColumns(access, approval));
  },
  take: (stateHash, sessionId) =>
    access.atomically(async (inside) => {
      const approval = () => query(inside).from('host_approvals').where({ id: stateHash, session_id: sessionId });
      const row = await approval().forUpdate().first();
      // Of simultaneous takers the one that locks the row removes it, and the others find none.
      if (row !== undefined) await approval().delete();
      return row && approvalOf(row);
    }),
  removeExpired: (before) =>
    removeInPortions(access, 'host_approvals', 'expires_at < ?', access.dialect.moment(before)),
});
