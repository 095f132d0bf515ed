import type { Session, SessionStore } from '@shipworthy/domain';
import type { Access } from './access.js';
import { removeInPortions } from './portions.js';
import { insert, remove, update } from './sql.js';
import { ROLE_COLUMNS, type RoleRow, rolesOf, USER_COLUMNS, type UserRow, userOf } from './user-row.js';

interface SessionRow extends UserRow, RoleRow {
  readonly id: string;
  readonly secret_hash: string;
  readonly created_at: number;
  readonly last_seen_at: number;
  readonly expires_at: number;
}

const sessionOf = (row: SessionRow): Session => ({
  id: row.id,
  secretHash: row.secret_hash,
  userId: row.user_id,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  expiresAt: row.expires_at,
});

export const sessionStore = (access: Access): SessionStore => ({
  create: (session) =>
    insert(access, 'sessions', {
      id: session.id,
      secret_hash: session.secretHash,
      user_id: session.userId,
      created_at: access.dialect.moment(session.createdAt),
      last_seen_at: access.dialect.moment(session.lastSeenAt),
      expires_at: access.dialect.moment(session.expiresAt),
    }),
  bySecretHash: async (secretHash) => {
    const rows = await access.read<SessionRow>(
      `select s.id, s.secret_hash, s.created_at, s.last_seen_at, s.expires_at, ${USER_COLUMNS}, ${ROLE_COLUMNS}
        from sessions s join users u on u.id = s.user_id left join memberships m on m.user_id = u.id
        where s.secret_hash = ?`,
      [secretHash],
      'session-by-secret',
    );
    const [row] = rows;
    return row && { session: sessionOf(row), user: userOf(row), roles: rolesOf(rows) };
  },
  touch: async (sessionId, at) => {
    await update(access, 'sessions', { last_seen_at: access.dialect.moment(at) }, 'id = ?', [sessionId]);
  },
  remove: async (sessionId) => {
    await remove(access, 'sessions', 'id = ?', [sessionId]);
  },
  removeOthers: async (userId, keptSessionId) => {
    if (keptSessionId === null) await remove(access, 'sessions', 'user_id = ?', [userId]);
    else await remove(access, 'sessions', 'user_id = ? and id <> ?', [userId, keptSessionId]);
  },
  removeExpired: (now) => removeInPortions(access, 'sessions', 'expires_at <= ?', access.dialect.moment(now)),
});
