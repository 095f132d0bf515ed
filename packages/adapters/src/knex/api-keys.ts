import type { ApiKey, Scope } from '@shipworthy/domain';
import type { ApiKeyStore } from '@shipworthy/domain/ports';
import { ROLE_COLUMNS, type RoleRow, rolesOf, USER_COLUMNS, type UserRow, userOf } from './accounts.js';
import { asJson } from './dialect.js';
import { type Access, boundMoment, insert, update } from './sql.js';

interface KeyRow {
  readonly id: string;
  readonly key_user_id: string;
  readonly name: string;
  readonly scopes: string;
  readonly team_id: string | null;
  readonly project_id: string | null;
  readonly home_teams: string;
  readonly barred_teams: string;
  readonly hash: string;
  readonly prefix: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly last_used_at: number | null;
  readonly last_used_address: string | null;
  readonly revoked_at: number | null;
}

const COLUMNS = `k.id, k.user_id as key_user_id, k.name, k.scopes, k.team_id, k.project_id, k.home_teams, k.barred_teams, k.hash,
  k.prefix, k.created_at, k.expires_at, k.last_used_at, k.last_used_address, k.revoked_at`;

const idsOf = (text: string): readonly string[] => JSON.parse(text) as readonly string[];

const keyOf = (row: KeyRow): ApiKey => ({
  id: row.id,
  userId: row.key_user_id,
  name: row.name,
  scopes: JSON.parse(row.scopes) as readonly Scope[],
  teamId: row.team_id,
  projectId: row.project_id,
  homeTeams: idsOf(row.home_teams),
  barredTeams: idsOf(row.barred_teams),
  hash: row.hash,
  prefix: row.prefix,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  lastUsedAddress: row.last_used_address,
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
      project_id: key.projectId,
      home_teams: asJson(key.homeTeams),
      barred_teams: asJson(key.barredTeams),
      hash: key.hash,
      prefix: key.prefix,
      created_at: access.dialect.moment(key.createdAt),
      expires_at: access.dialect.moment(key.expiresAt),
      last_used_at: boundMoment(access, key.lastUsedAt),
      last_used_address: key.lastUsedAddress,
      revoked_at: boundMoment(access, key.revokedAt),
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
  touch: async (keyId, at, address) => {
    const columns = { last_used_at: access.dialect.moment(at), last_used_address: address };
    await update(access, 'api_keys', columns, 'id = ?', [keyId]);
  },
  reaching: async (teamId, at) => {
    const rows = await access.read<KeyRow & UserRow>(
      `select ${COLUMNS}, ${USER_COLUMNS}
        from memberships m join users u on u.id = m.user_id join api_keys k on k.user_id = u.id
        where m.team_id = ? and (k.team_id is null or k.team_id = m.team_id) and k.revoked_at is null and k.expires_at > ?
        order by k.created_at desc, k.id desc`,
      [teamId, access.dialect.moment(at)],
    );
    const found = rows.map((row) => ({ key: keyOf(row), maker: userOf(row) }));
    return found.filter(({ key }) => !key.barredTeams.includes(teamId));
  },
  bar: (keyId, teamId) =>
    access.atomically(async (inside) => {
      const [row] = await inside.write<Pick<KeyRow, 'barred_teams'>>(
        `select barred_teams from api_keys where id = ? ${inside.dialect.forUpdate}`,
        [keyId],
      );
      if (row === undefined || idsOf(row.barred_teams).includes(teamId)) return false;
      const barred = asJson([...idsOf(row.barred_teams), teamId]);
      return (await update(inside, 'api_keys', { barred_teams: barred }, 'id = ?', [keyId])) === 1;
    }),
});
