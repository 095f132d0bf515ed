import type { ConnectionState, HostConnection, PendingApproval } from '@shipworthy/domain';
import type { Access } from './access.js';
import { type Columns, momentOrNull } from './sql.js';

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

export const CONNECTION_COLUMNS =
  'user_id, host, account_id, account_name, sealed, grant_expires_at, state, paused_until, connected_at, version';

export const connectionOf = (row: ConnectionRow): HostConnection => ({
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
export const connectionColumns = (access: Access, connection: HostConnection): Columns => ({
  account_id: connection.account.id,
  account_name: connection.account.name,
  sealed: connection.grant.sealed,
  grant_expires_at: momentOrNull(access, connection.grant.expiresAt),
  state: connection.state,
  paused_until: momentOrNull(access, connection.pausedUntil),
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

export const approvalOf = (row: ApprovalRow): PendingApproval => ({
  stateHash: row.id,
  sessionId: row.session_id,
  userId: row.user_id,
  host: row.host,
  sealedVerifier: row.sealed_verifier,
  redirectUrl: row.redirect_url,
  expiresAt: row.expires_at,
});

export const approvalColumns = (access: Access, approval: PendingApproval): Columns => ({
  id: approval.stateHash,
  session_id: approval.sessionId,
  user_id: approval.userId,
  host: approval.host,
  sealed_verifier: approval.sealedVerifier,
  redirect_url: approval.redirectUrl,
  expires_at: access.dialect.moment(approval.expiresAt),
});
