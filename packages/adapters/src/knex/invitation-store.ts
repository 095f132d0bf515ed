import { addressKey, type Instant, type Invitation, type InvitationStore, type Role } from '@shipworthy/domain';
import type { Access } from './access.js';
import type { Value } from './dialect.js';
import { insert, momentOrNull, update } from './sql.js';

interface InvitationRow {
  readonly id: string;
  readonly secret_hash: string;
  readonly team_id: string | null;
  readonly role: Role;
  readonly email: string | null;
  readonly created_by: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly accepted_at: number | null;
  readonly revoked_at: number | null;
}

interface PendingRow {
  readonly id: string;
  readonly role: Role | null;
  readonly email: string | null;
  readonly created_by: string;
  readonly created_at: number;
  readonly expires_at: number;
}

interface ReceivedRow extends PendingRow {
  readonly role: Role;
  readonly team_id: string;
  readonly team_name: string;
}

const COLUMNS = 'id, secret_hash, team_id, role, email, created_by, created_at, expires_at, accepted_at, revoked_at';

const invitationOf = (row: InvitationRow): Invitation => ({
  id: row.id,
  secretHash: row.secret_hash,
  team: row.team_id === null ? null : { id: row.team_id, role: row.role },
  email: row.email,
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  acceptedAt: row.accepted_at,
  revokedAt: row.revoked_at,
});

/** Reads the pending invitations that meet the condition; `more` are further columns, of the team t where there is one. */
const pendingWhere = <Row extends PendingRow>(
  access: Access,
  condition: string,
  bindings: readonly Value[],
  at: Instant,
  more = '',
): Promise<readonly Row[]> =>
  access.read<Row>(
    `select i.id, i.role, i.email, u.name as created_by, i.created_at, i.expires_at ${more}
      from invitations i join users u on cast(u.id as text) = i.created_by
        left join teams t on t.id = i.team_id left join memberships m on m.team_id = i.team_id and m.user_id = u.id
      where ${condition} and i.accepted_at is null and i.revoked_at is null and i.expires_at > ? and u.disabled_at is null
        and (m.role = 'owner' or (i.team_id is null and u.administrator = 1))
      order by i.created_at, i.id`,
    [...bindings, access.dialect.moment(at)],
  );

/** The condition on the team of an invitation, with its bindings; null: into none. */
const into = (teamId: string | null): readonly [condition: string, bindings: readonly Value[]] =>
  teamId === null ? ['team_id is null', []] : ['team_id = ?', [teamId]];

const UNUSED = 'accepted_at is null and revoked_at is null';

export const invitationStore = (access: Access): InvitationStore => ({
  create: (invitation) =>
    insert(access, 'invitations', {
      id: invitation.id,
      secret_hash: invitation.secretHash,
      team_id: invitation.team?.id ?? null,
      role: invitation.team?.role ?? null,
      email: invitation.email,
      email_key: invitation.email === null ? null : addressKey(invitation.email),
      created_by: invitation.createdBy,
      created_at: access.dialect.moment(invitation.createdAt),
      expires_at: access.dialect.moment(invitation.expiresAt),
      accepted_at: momentOrNull(access, invitation.acceptedAt),
      revoked_at: momentOrNull(access, invitation.revokedAt),
    }),
  byId: async (invitationId) => {
    const [row] = await access.read<InvitationRow>(`select ${COLUMNS} from invitations where id = ?`, [invitationId]);
    return row && invitationOf(row);
  },
  bySecretHash: async (secretHash) => {
    const [row] = await access.read<InvitationRow>(`select ${COLUMNS} from invitations where secret_hash = ?`, [
      secretHash,
    ]);
    return row && invitationOf(row);
  },
  accept: async (invitationId, at) => {
    const moment = access.dialect.moment(at);
    const condition = `id = ? and ${UNUSED} and expires_at > ?`;
    return (await update(access, 'invitations', { accepted_at: moment }, condition, [invitationId, moment])) === 1;
  },
  pending: async (teamId, at) => {
    const [condition, bindings] = into(teamId);
    const rows = await pendingWhere(access, `i.${condition}`, bindings, at);
    return rows.map(({ id, role, email, created_by, created_at, expires_at }) => ({
      id,
      role,
      email,
      createdBy: created_by,
      createdAt: created_at,
      expiresAt: expires_at,
    }));
  },
  received: async (key, at) => {
    const columns = ', i.team_id, t.name as team_name';
    const condition = 'i.email_key = ? and i.team_id is not null';
    const rows = await pendingWhere<ReceivedRow>(access, condition, [key], at, columns);
    return rows.map(({ id, role, team_id, team_name, created_by, created_at, expires_at }) => ({
      id,
      team: { id: team_id, name: team_name },
      role,
      createdBy: created_by,
      createdAt: created_at,
      expiresAt: expires_at,
    }));
  },
  revoke: async (teamId, invitationId, at) => {
    const [condition, bindings] = into(teamId);
    const columns = { revoked_at: access.dialect.moment(at) };
    const where = `id = ? and ${condition} and ${UNUSED}`;
    return (await update(access, 'invitations', columns, where, [invitationId, ...bindings])) === 1;
  },
  revokeMadeBy: async ({ userId, teamId }, at) => {
    const columns = { revoked_at: access.dialect.moment(at) };
    const [condition, bindings] = teamId === undefined ? ['1 = 1', []] : into(teamId);
    await update(access, 'invitations', columns, `created_by = ? and ${condition} and ${UNUSED}`, [
      userId,
      ...bindings,
    ]);
  },
});
