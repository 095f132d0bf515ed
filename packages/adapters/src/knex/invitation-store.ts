import type { Invitation, InvitationStore, Role } from '@shipworthy/domain';
import type { Access } from './access.js';
import { insert, momentOrNull, remove, update } from './sql.js';

interface InvitationRow {
  readonly id: string;
  readonly secret_hash: string;
  readonly team_id: string | null;
  readonly role: Role;
  readonly created_by: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly accepted_at: number | null;
}

interface PendingRow {
  readonly id: string;
  readonly role: Role;
  readonly created_by: string;
  readonly created_at: number;
  readonly expires_at: number;
}

const invitationOf = (row: InvitationRow): Invitation => ({
  id: row.id,
  secretHash: row.secret_hash,
  team: row.team_id === null ? null : { id: row.team_id, role: row.role },
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  acceptedAt: row.accepted_at,
});

export const invitationStore = (access: Access): InvitationStore => ({
  create: (invitation) =>
    insert(access, 'invitations', {
      id: invitation.id,
      secret_hash: invitation.secretHash,
      team_id: invitation.team?.id ?? null,
      role: invitation.team?.role ?? null,
      created_by: invitation.createdBy,
      created_at: access.dialect.moment(invitation.createdAt),
      expires_at: access.dialect.moment(invitation.expiresAt),
      accepted_at: momentOrNull(access, invitation.acceptedAt),
    }),
  bySecretHash: async (secretHash) => {
    const [row] = await access.read<InvitationRow>(
      `select id, secret_hash, team_id, role, created_by, created_at, expires_at, accepted_at
        from invitations where secret_hash = ?`,
      [secretHash],
    );
    return row && invitationOf(row);
  },
  accept: async (invitationId, at) => {
    const moment = access.dialect.moment(at);
    const condition = 'id = ? and accepted_at is null and expires_at > ?';
    return (await update(access, 'invitations', { accepted_at: moment }, condition, [invitationId, moment])) === 1;
  },
  pending: async (teamId, at) => {
    const rows = await access.read<PendingRow>(
      `select i.id, i.role, u.name as created_by, i.created_at, i.expires_at
        from invitations i join users u on cast(u.id as text) = i.created_by
        join memberships m on m.team_id = i.team_id and m.user_id = u.id and m.role = 'owner'
        where i.team_id = ? and i.accepted_at is null and i.expires_at > ? order by i.created_at, i.id`,
      [teamId, access.dialect.moment(at)],
    );
    return rows.map(({ id, role, created_by, created_at, expires_at }) => ({
      id,
      role,
      createdBy: created_by,
      createdAt: created_at,
      expiresAt: expires_at,
    }));
  },
  remove: async (teamId, invitationId) =>
    (await remove(access, 'invitations', 'id = ? and team_id = ? and accepted_at is null', [invitationId, teamId])) ===
    1,
});
