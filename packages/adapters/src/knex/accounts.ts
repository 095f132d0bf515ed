import {
  addressKey,
  type Instant,
  type Invitation,
  type Role,
  type Session,
  type SignInAttempt,
  type SignInCounts,
  type User,
} from '@shipworthy/domain';
import type { InvitationStore, SessionStore, SignInStore, UserStore } from '@shipworthy/domain/ports';
import type { Value } from './dialect.js';
import {
  type Access,
  boundMoment,
  insert,
  insertUnlessThere,
  keysetPage,
  remove,
  removeInPortions,
  update,
} from './sql.js';

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

const columns = (access: Access, user: User, passwordHash: string) => ({
  id: user.id,
  email: user.email,
  email_key: addressKey(user.email),
  name: user.name,
  administrator: user.administrator ? 1 : 0,
  password_hash: passwordHash,
  created_at: access.dialect.moment(user.createdAt),
  ...(user.emailVerified ? { email_verified: 1 } : {}),
  ...(user.disabledAt === null ? {} : { disabled_at: access.dialect.moment(user.disabledAt) }),
});

const createFirst = async (access: Access, user: User, passwordHash: string): Promise<boolean> => {
  const { moment, types } = access.dialect;
  // Two at once meet in the constraint on `first`; the condition keeps the first out once there are others.
  const stored = await access.write(
    `insert into users (id, email, email_key, name, administrator, password_hash, created_at, email_verified, first)
      select cast(? as ${types.id}), ?, ?, ?, ?, ?, cast(? as ${types.moment}), cast(? as ${types.integer}), 1
        where not exists (select 1 from users) on conflict (first) do nothing returning id`,
    [
      user.id,
      user.email,
      addressKey(user.email),
      user.name,
      user.administrator ? 1 : 0,
      passwordHash,
      moment(user.createdAt),
      user.emailVerified ? 1 : 0,
    ],
  );
  return stored.length === 1;
};

export const userStore = (access: Access): UserStore => ({
  createFirst: (user, passwordHash) => createFirst(access, user, passwordHash),
  create: (user, passwordHash) =>
    access.atomically((inside) => insert(inside, 'users', columns(access, user, passwordHash))),
  byId: async (userId) => {
    const [row] = await access.read<UserRow>(`select ${USER_COLUMNS} from users u where u.id = ?`, [userId]);
    return row && userOf(row);
  },
  byEmail: async (email) => {
    const [row] = await access.read<UserRow & { readonly password_hash: string }>(
      `select ${USER_COLUMNS}, u.password_hash from users u where u.email_key in (?, ?)
        order by case u.email_key when ? then 0 else 1 end limit 1`,
      // Keys of accounts made before addresses were compared after NFKC are in lower case only.
      [addressKey(email), email.toLowerCase(), addressKey(email)],
    );
    return row && { user: userOf(row), passwordHash: row.password_hash };
  },
  verifyEmail: async (userId) => {
    await update(access, 'users', { email_verified: 1 }, 'id = ?', [userId]);
  },
  changePassword: async (userId, passwordHash) => {
    await update(access, 'users', { password_hash: passwordHash }, 'id = ?', [userId]);
  },
  administrators: async () => {
    const rows = await access.read<UserRow>(
      `select ${USER_COLUMNS} from users u where u.administrator = 1 order by u.created_at, u.id`,
    );
    return rows.map(userOf);
  },
  setDisabled: async (userId, at) => {
    await update(access, 'users', { disabled_at: boundMoment(access, at) }, 'id = ?', [userId]);
  },
  lock: async (userId) => {
    await access.write(`select id from users where id = ? ${access.dialect.forUpdate}`, [userId]);
  },
  lockAdministrators: async () => {
    await access.write(`select id from users where administrator = 1 order by id ${access.dialect.forUpdate}`);
  },
  page: (page) => {
    const listing = {
      select: `select ${USER_COLUMNS} from users u`,
      conditions: [],
      bindings: [],
      sort: [
        { name: 'u.created_at', kind: 'moment' },
        { name: 'u.id', kind: 'text' },
      ],
      descending: false,
    } as const;
    return keysetPage(access, listing, page, userOf, ({ createdAt, id }) => [createdAt, id]);
  },
  any: async () => (await access.read('select 1 as there from users limit 1')).length === 1,
});

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

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface CountsRow {
  readonly pair: number;
  readonly address: number;
  readonly account: number;
  readonly known: number;
}

const attempt = async (access: Access, { id, account, address, at }: SignInAttempt): Promise<SignInCounts> => {
  const { moment } = access.dialect;
  // Noted and committed by itself first: of many at once, each sees those before it.
  await insert(access, 'sign_in_attempts', { id, account, address, at: moment(at) });
  const [minute, hour] = [moment(at - MINUTE), moment(at - HOUR)];
  // Without an end: of two at once, the later one may be noted first, and clocks of instances differ.
  const [counts] = await access.write<CountsRow>(
    `select
      (select count(*) from sign_in_attempts where account = ? and address = ? and at > ?) as pair,
      (select count(*) from sign_in_attempts where address = ? and at > ?) as address,
      (select count(*) from sign_in_attempts where account = ? and at > ?) as account,
      (select count(*) from known_addresses where account = ? and address = ?) as known`,
    [account, address, minute, address, minute, account, hour, account, address],
  );
  return {
    pair: counts?.pair ?? 0,
    address: counts?.address ?? 0,
    account: counts?.account ?? 0,
    addressKnown: counts !== undefined && counts.known > 0,
  };
};

export const signInStore = (access: Access): SignInStore => ({
  attempt: (given) => attempt(access, given),
  succeeded: ({ id, account, address }) =>
    access.atomically(async (inside) => {
      await remove(inside, 'sign_in_attempts', 'id = ?', [id]);
      await insertUnlessThere(inside, 'known_addresses', { account, address }, 'account, address');
    }),
  removeBefore: (at) => removeInPortions(access, 'sign_in_attempts', 'at < ?', access.dialect.moment(at)),
});

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
      accepted_at: boundMoment(access, invitation.acceptedAt),
      revoked_at: boundMoment(access, invitation.revokedAt),
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
