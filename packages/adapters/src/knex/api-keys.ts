import type { ApiKey, Instant, PageRequest, ReachingKey, Scope } from '@shipworthy/domain';
import type { ApiKeyStore } from '@shipworthy/domain/ports';
import { ROLE_COLUMNS, type RoleRow, rolesOf, USER_COLUMNS, type UserRow, userOf } from './accounts.js';
import { asJson } from './dialect.js';
import { query, readKept, type TableOf } from './query.js';
import { whereHoldsWords } from './search-sql.js';
import { type Access, boundMoment, keysetPage, withoutListed } from './sql.js';

interface KeyColumns {
  readonly id: string;
  readonly user_id: string;
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

declare module 'knex/types/tables.js' {
  interface Tables {
    api_keys: TableOf<KeyColumns, 'created_at' | 'expires_at' | 'last_used_at' | 'revoked_at'>;
  }
}

interface KeyRow extends Omit<KeyColumns, 'user_id'> {
  readonly key_user_id: string;
}

/** The columns of a key, of the table `k`. */
const COLUMNS = [
  'k.id',
  'k.user_id as key_user_id',
  'k.name',
  'k.scopes',
  'k.team_id',
  'k.project_id',
  'k.home_teams',
  'k.barred_teams',
  'k.hash',
  'k.prefix',
  'k.created_at',
  'k.expires_at',
  'k.last_used_at',
  'k.last_used_address',
  'k.revoked_at',
] as const;

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

const create = async (access: Access, key: ApiKey): Promise<void> => {
  const { moment } = access.dialect;
  await query(access)
    .from('api_keys')
    .insert({
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
      created_at: moment(key.createdAt),
      expires_at: moment(key.expiresAt),
      last_used_at: boundMoment(access, key.lastUsedAt),
      last_used_address: key.lastUsedAddress,
      revoked_at: boundMoment(access, key.revokedAt),
    });
};

const byHash = async (access: Access, hash: string) => {
  const rows = await readKept<KeyRow & UserRow & RoleRow>(access, 'api-key-by-hash', [hash], (from) =>
    from
      .from('api_keys as k')
      .join('users as u', 'u.id', 'k.user_id')
      .leftJoin('memberships as m', 'm.user_id', 'u.id')
      .where('k.hash', hash)
      .select(COLUMNS)
      .select(USER_COLUMNS)
      .select(ROLE_COLUMNS),
  );
  const [row] = rows;
  return row && { key: keyOf(row), user: userOf(row), roles: rolesOf(rows) };
};

const NEWEST_FIRST = [
  { column: 'k.created_at', order: 'desc' },
  { column: 'k.id', order: 'desc' },
];

/** Selects the keys that work in a team at that moment, which are keys of its members, in no order. */
const reachingRows = (access: Access, teamId: string, at: Instant) =>
  query(access)
    .from('memberships as m')
    .join('users as u', 'u.id', 'm.user_id')
    .join('api_keys as k', 'k.user_id', 'u.id')
    .where('m.team_id', teamId)
    .where((or) => or.whereNull('k.team_id').orWhere('k.team_id', teamId))
    .whereNull('k.revoked_at')
    .where('k.expires_at', '>', access.dialect.moment(at))
    .modify(withoutListed, access, 'k.barred_teams', teamId)
    .select<(KeyRow & UserRow)[]>([...COLUMNS, ...USER_COLUMNS]);

const reachingKeyOf = (row: KeyRow & UserRow): ReachingKey => ({ key: keyOf(row), maker: userOf(row) });

/** The text that a search looks in, as `namesOfKey` makes it. */
const SEARCHED_TEXT = "(k.name || ' ' || k.prefix || ' ' || u.name || ' ' || u.email)";

const reaching = (
  access: Access,
  teamId: string,
  at: Instant,
  page: PageRequest,
  text: Parameters<ApiKeyStore['reaching']>[3],
) => {
  const rows = reachingRows(access, teamId, at);
  whereHoldsWords(access, rows, SEARCHED_TEXT, text);
  const listing = {
    rows,
    sort: [
      { name: 'k.created_at', kind: 'moment' },
      { name: 'k.id', kind: 'text' },
    ],
    descending: true,
  } as const;
  return keysetPage(access, listing, page, reachingKeyOf, ({ key }) => [key.createdAt, key.id]);
};

const reachingOf = async (access: Access, teamId: string, keyId: string, at: Instant) => {
  const [row] = await reachingRows(access, teamId, at).where('k.id', keyId);
  return row && reachingKeyOf(row);
};

const bar = (access: Access, keyId: string, teamId: string): Promise<boolean> =>
  access.atomically(async (inside) => {
    const key = () => query(inside).from('api_keys').where('id', keyId);
    const row = await key().forUpdate().first('barred_teams');
    if (row === undefined || idsOf(row.barred_teams).includes(teamId)) return false;
    return (await key().update({ barred_teams: asJson([...idsOf(row.barred_teams), teamId]) })) === 1;
  });

export const apiKeyStore = (access: Access): ApiKeyStore => ({
  create: (key) => create(access, key),
  byHash: (hash) => byHash(access, hash),
  ofUser: async (userId) => {
    const rows = await query(access)
      .from('api_keys as k')
      .where('k.user_id', userId)
      .whereNull('k.revoked_at')
      .orderBy(NEWEST_FIRST)
      .select<KeyRow[]>(COLUMNS);
    return rows.map(keyOf);
  },
  revoke: async (userId, keyId, at) => {
    const theirs = query(access).from('api_keys').where({ id: keyId, user_id: userId }).whereNull('revoked_at');
    return (await theirs.update({ revoked_at: access.dialect.moment(at) })) === 1;
  },
  touch: async (keyId, at, address) => {
    const last_used_at = access.dialect.moment(at);
    await query(access).from('api_keys').where('id', keyId).update({ last_used_at, last_used_address: address });
  },
  reaching: (teamId, at, page, text) => reaching(access, teamId, at, page, text),
  reachingOf: (teamId, keyId, at) => reachingOf(access, teamId, keyId, at),
  bar: (keyId, teamId) => bar(access, keyId, teamId),
});
