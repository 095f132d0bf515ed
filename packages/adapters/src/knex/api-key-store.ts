import type { ApiKey, ApiKeyStore, Scope } from '@shipworthy/domain';
import type { Access } from './access.js';
import { insert, momentOrNull, update } from './sql.js';
import { ROLE_COLUMNS, type RoleRow, rolesOf, USER_COLUMNS, type UserRow, userOf } from './user-row.js';
import { asJson } from './well-formed.js';

interface KeyRow {
  readonly id: string;
  readonly key_user_id: string;
  readonly name: string;
  readonly scopes: string;
  readonly team_id: string | null;
  readonly hash: string;
  readonly prefix: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

const COLUMNS = `k.id, k.user_id as key_user_id, k.name, k.scopes, k.team_id, k.hash, k.prefix, k.created_at, k.expires_at,
  k.last_used_at, k.revoked_at`;

const keyOf = (row: KeyRow): ApiKey => ({
  id: row.id,
  userId: row.key_user_id,
  name: row.name,
  scopes: JSON.parse(row.scopes) as readonly Scope[],
  teamId: row.team_id,
  hash: row.hash,
  prefix: row.prefix,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
});

export const apiKeyStore = (access: Access): ApiKeyStore => ({
  create: (key) =>
    insert(access, 'api_keys', {
      id: key.id,
      user_id: key.userId,
      name: key.name,
      scopes: asJson(key.scopes),
      team_id: key.teamId,
      hash: key.hash,
      prefix: key.prefix,
      created_at: access.dialect.moment(key.createdAt),
      expires_at: access.dialect.moment(key.expiresAt),
      last_used_at: momentOrNull(access, key.lastUsedAt),
      revoked_at: momentOrNull(access, key.revokedAt),
    }),
  byHash: async (hash) => {
    const rows = await access.read<KeyRow & UserRow & RoleRow>(
      `select ${COLUMNS}, ${USER_COLUMNS}, ${ROLE_COLUMNS}
        from api_keys k join users u on u.id = k.user_id left join memberships m on m.user_id = u.id where k.hash = ?`,
      [hash],
      'api-key-by-hash',
    );
    const [row] = rows;
    return row && { key: keyOf(row), user: userOf(row), roles: rolesOf(rows) };
  },
  ofUser: async (userId) => {
    const rows = await access.read<KeyRow>(
      `select ${COLUMNS} from api_keys k where k.user_id = ? and k.revoked_at is null order by k.created_at desc, k.id desc`,
      [userId],
    );
    return rows.map(keyOf);
  },
  revoke: async (userId, keyId, at) => {
    const columns = { revoked_at: access.dialect.moment(at) };
    return (
      (await update(access, 'api_keys', columns, 'id = ? and user_id = ? and revoked_at is null', [keyId, userId])) ===
      1
    );
  },
  touch: async (keyId, at) => {
    await update(access, 'api_keys', { last_used_at: access.dialect.moment(at) }, 'id = ?', [keyId]);
  },
});
