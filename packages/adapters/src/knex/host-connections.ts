import type { HostConnection, Instant } from '@shipworthy/domain';
import type {
  ClaimedConnection,
  ConnectionState,
  EndingGrant,
  HostConnectionStore,
  PendingApproval,
} from '@shipworthy/domain/ports';
import { makeDue } from './repository-links.js';
import { type Access, boundMoment, insert, remove, removeInPortions, type StoredColumns, update } from './sql.js';

interface EndingRow {
  readonly user_id: string;
  readonly host: string;
  readonly sealed: string;
  readonly grant_expires_at: number | null;
}

const endingOf = (row: EndingRow): EndingGrant => ({
  userId: row.user_id,
  host: row.host,
  grant: { sealed: row.sealed, expiresAt: row.grant_expires_at },
});

/** One statement claims; no two grants are sealed alike. */
const CLAIM = (skipLocked: string): string => `
  update host_endings set due_at = ? where sealed =
    (select sealed from host_endings where host = ? and due_at <= ? order by due_at, sealed limit 1 ${skipLocked})
  returning user_id, host, sealed, grant_expires_at`;

/** The grants that are to be ended at the host. */
const endingGrants = (access: Access): Pick<HostConnectionStore, 'keepEnding' | 'claimEnding' | 'removeEnding'> => ({
  keepEnding: ({ userId, host, grant: { sealed, expiresAt } }, dueAt) =>
    insert(access, 'host_endings', {
      ...{ user_id: userId, host, sealed, grant_expires_at: boundMoment(access, expiresAt) },
      due_at: access.dialect.moment(dueAt),
    }),
  claimEnding: async (host, now, leaseMs) => {
    const { moment, skipLocked } = access.dialect;
    const bindings = [moment(now + leaseMs), host, moment(now)];
    const [row] = await access.write<EndingRow>(CLAIM(skipLocked), bindings);
    return row && endingOf(row);
  },
  removeEnding: async ({ userId, host, grant }) =>
    (await remove(access, 'host_endings', 'user_id = ? and host = ? and sealed = ?', [userId, host, grant.sealed])) > 0,
});

export interface ConnectionRow {
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

const CONNECTION_COLUMNS =
  'user_id, host, account_id, account_name, sealed, grant_expires_at, state, paused_until, connected_at, version';

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

/** What a connection is stored as, beside whose it is and who works with it. */
const connectionColumns = (access: Access, connection: HostConnection): StoredColumns => ({
  account_id: connection.account.id,
  account_name: connection.account.name,
  sealed: connection.grant.sealed,
  grant_expires_at: boundMoment(access, connection.grant.expiresAt),
  state: connection.state,
  paused_until: boundMoment(access, connection.pausedUntil),
  connected_at: access.dialect.moment(connection.connectedAt),
  version: connection.version,
});

export interface ApprovalRow {
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

const approvalColumns = (access: Access, approval: PendingApproval): StoredColumns => ({
  id: approval.stateHash,
  session_id: approval.sessionId,
  user_id: approval.userId,
  host: approval.host,
  sealed_verifier: approval.sealedVerifier,
  redirect_url: approval.redirectUrl,
  expires_at: access.dialect.moment(approval.expiresAt),
});

const WHOSE = 'user_id = ? and host = ?';

const put = (access: Access, connection: HostConnection): Promise<void> =>
  access.atomically(async (inside) => {
    const { userId, host, connectedAt: dueAt } = connection;
    const columns = { ...connectionColumns(access, connection), refresh_until: null, lease: null, claimed_until: null };
    const all = { user_id: userId, host, ...columns };
    const names = Object.keys(all);
    await inside.write(
      `insert into host_connections (${names.join(', ')}) values (${names.map(() => '?').join(', ')})
        on conflict (user_id, host) do update set ${Object.keys(columns)
          .map((name) => `${name} = excluded.${name}`)
          .join(', ')}`,
      Object.values(all),
    );
    await makeDue(inside, WHOSE, [userId, host], { dueAt });
  });

/** Whoever is refreshing the grant goes on with it as long as that is what is stored, and used. */
const replace = async (access: Access, next: HostConnection): Promise<boolean> => {
  const { userId, host, version, grant, state } = next;
  const columns = connectionColumns(access, next);
  const set = Object.keys(columns).map((name) => `${name} = ?`);
  const text = `update host_connections set ${set.join(', ')},
      refresh_until = case when sealed = ? and state = ? then refresh_until end
    where ${WHOSE} and version = ? returning 1 as stored`;
  const bindings = [...Object.values(columns), grant.sealed, state, userId, host, version - 1];
  return (await access.write(text, bindings)).length === 1;
};

/**
 * One statement claims. Others step over a row that is just being claimed, and what was claimed meanwhile no longer meets
 * the condition once it is looked at again under its lock.
 */
const claimWork = async (
  access: Access,
  host: string,
  now: Instant,
  leaseMs: number,
  lease: string,
): Promise<ClaimedConnection | undefined> => {
  const { moment, skipLocked } = access.dialect;
  const at = moment(now);
  const firstDue = `select min(l.due_at) from repository_links l
    where l.user_id = c.user_id and l.host = c.host and l.due_at <= ?`;
  const [row] = await access.write<ConnectionRow>(
    `update host_connections set lease = ?, claimed_until = ? where (user_id, host) =
      (select c.user_id, c.host from host_connections c
        where c.host = ? and (c.claimed_until is null or c.claimed_until <= ?)
          and (c.paused_until is null or c.paused_until <= ?)
          and (c.state = 'revoking' or c.state = 'ok' and (${firstDue}) is not null)
        order by case when c.state = 'revoking' then c.connected_at else (${firstDue}) end, c.user_id
        limit 1 ${skipLocked})
      returning ${CONNECTION_COLUMNS}`,
    [lease, moment(now + leaseMs), host, at, at, at, at],
  );
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
  const columns = { refresh_until: moment(now + leaseMs) };
  const condition = `${WHOSE} and (refresh_until is null or refresh_until <= ?)`;
  return (await update(access, 'host_connections', columns, condition, [userId, host, moment(now)])) === 1;
};

export const hostConnectionStore = (access: Access): HostConnectionStore => ({
  ...endingGrants(access),
  put: (connection) => put(access, connection),
  of: async (userId, host) => {
    const text = `select ${CONNECTION_COLUMNS} from host_connections where ${WHOSE}`;
    const [row] = await access.read<ConnectionRow>(text, [userId, host]);
    return row && connectionOf(row);
  },
  replace: (next) => replace(access, next),
  remove: async ({ userId, host, version }) =>
    (await remove(access, 'host_connections', `${WHOSE} and version = ?`, [userId, host, version])) === 1,
  claimRefresh: (userId, host, now, leaseMs) => claimRefresh(access, userId, host, now, leaseMs),
  releaseRefresh: async (userId, host, until) => {
    const condition = `${WHOSE} and refresh_until = ?`;
    await update(access, 'host_connections', { refresh_until: null }, condition, [
      userId,
      host,
      access.dialect.moment(until),
    ]);
  },
  claimWork: (host, now, leaseMs, lease) => claimWork(access, host, now, leaseMs, lease),
  keepWork: async ({ connection: { userId, host }, lease }, until) => {
    const columns = { claimed_until: access.dialect.moment(until) };
    return (await update(access, 'host_connections', columns, `${WHOSE} and lease = ?`, [userId, host, lease])) === 1;
  },

  begin: (approval) => insert(access, 'host_approvals', approvalColumns(access, approval)),
  take: async (stateHash) => {
    const [row] = await access.write<ApprovalRow>('delete from host_approvals where id = ? returning *', [stateHash]);
    return row && approvalOf(row);
  },
  removeExpired: (before) =>
    removeInPortions(access, 'host_approvals', 'expires_at < ?', access.dialect.moment(before)),
});
