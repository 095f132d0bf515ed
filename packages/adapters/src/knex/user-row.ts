import type { Role, User } from '@shipworthy/domain';

export interface UserRow {
  readonly user_id: string;
  readonly email: string;
  readonly user_name: string;
  readonly administrator: number;
  readonly user_created_at: number;
  readonly email_verified: number;
  readonly disabled_at: number | null;
}

export const USER_COLUMNS = `u.id as user_id, u.email, u.name as user_name, u.administrator, u.created_at as user_created_at,
  u.email_verified, u.disabled_at`;

export const userOf = (row: UserRow): User => ({
  id: row.user_id,
  email: row.email,
  emailVerified: row.email_verified === 1,
  name: row.user_name,
  administrator: row.administrator === 1,
  createdAt: row.user_created_at,
  disabledAt: row.disabled_at,
});

/** A person's place in one of the teams; null where the person is in none. */
export interface RoleRow {
  readonly role_team_id: string | null;
  readonly role: Role;
}

export const ROLE_COLUMNS = 'm.team_id as role_team_id, m.role';

export const rolesOf = (rows: readonly RoleRow[]): ReadonlyMap<string, Role> =>
  new Map(rows.flatMap(({ role_team_id, role }) => (role_team_id === null ? [] : [[role_team_id, role] as const])));
