import {
  addressKey,
  type Instant,
  type Invitation,
  type Role,
  type SearchText,
  type Session,
  type SignInAttempt,
  type SignInCounts,
  type User,
} from '@shipworthy/domain';
import type { InvitationStore, SessionStore, SignInStore, UserStore } from '@shipworthy/domain/ports';
import { expression, query, readKept, type TableOf } from './query.js';
import { whereHoldsWords } from './search-sql.js';
import { type Access, boundMoment, keysetPage, type Listing, removeInPortions } from './sql.js';

interface UserColumns {
  readonly id: string;
  readonly email: string;
  readonly email_key: string;
  readonly name: string;
  readonly administrator: number;
  readonly password_hash: string;
  readonly created_at: number;
  /** 1 for the first account of the service; null for all others. */
  readonly first: 1 | null;
  readonly email_verified: number;
  readonly disabled_at: number | null;
}

interface SessionColumns {
  readonly id: string;
  readonly secret_hash: string;
  readonly user_id: string;
  readonly created_at: number;
  readonly last_seen_at: number;
  readonly expires_at: number;
}

interface AttemptColumns {
  readonly id: string;
  readonly account: string;
  readonly address: string;
  readonly at: number;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    users: TableOf<UserColumns, 'created_at' | 'disabled_at', 'email_verified'>;
    sessions: TableOf<SessionColumns, 'created_at' | 'last_seen_at' | 'expires_at'>;
    sign_in_attempts: TableOf<AttemptColumns, 'at'>;
    known_addresses: { readonly account: string; readonly address: string };
    invitations: TableOf<InvitationColumns, 'created_at' | 'expires_at' | 'accepted_at' | 'revoked_at'>;
  }
}

export interface UserRow {
  readonly user_id: string;
  readonly email: string;
  readonly user_name: string;
  readonly administrator: number;
  readonly user_created_at: number;
  readonly email_verified: number;
  readonly disabled_at: number | null;
}

/** The columns of an account, of the table `u`. */
export const USER_COLUMNS = [
  'u.id as user_id',
  'u.email',
  'u.name as user_name',
  'u.administrator',
  'u.created_at as user_created_at',
  'u.email_verified',
  'u.disabled_at',
] as const;

export const userOf = (row: UserRow): User => ({
  id: row.user_id,
  email: row.email,
  emailVerified: row.email_verified === 1,
  name: row.user_name,
  administrator: row.administrator === 1,
  createdAt: row.user_created_at,
  disabledAt: row.disabled_at,
});

/** One membership of a person; `role_team_id` is null when the person is in no team. */
export interface RoleRow {
  readonly role_team_id: string | null;
  readonly role: Role;
}

/** The columns of a role, of the memberships `m`. */
export const ROLE_COLUMNS = ['m.team_id as role_team_id', 'm.role'] as const;

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

/** Selects accounts as `u`; callers may add conditions. */
const users = (access: Access) => query(access).from('users as u').select<UserRow[]>(USER_COLUMNS);

const anyUser = async (access: Access): Promise<boolean> =>
  (await query(access).from('users').first('id')) !== undefined;

const createFirst = (access: Access, user: User, passwordHash: string): Promise<boolean> =>
  access.atomically(async (inside) => {
    if (await anyUser(inside)) return false;
    // When two first users are created at once, both may find none: the unique constraint on `first` refuses one.
    const made = await query(inside)
      .from('users')
      .insert({ ...columns(access, user, passwordHash), first: 1 }, ['id'])
      .onConflict('first')
      .ignore();
    return made.length === 1;
  });

const byEmail = async (access: Access, email: string) => {
  const key = addressKey(email);
  // Accounts from before keys were normalized by NFKC have a key that is only in lower case.
  const rows = await users(access)
    .whereIn('u.email_key', [key, email.toLowerCase()])
    .select<(UserRow & Pick<UserColumns, 'password_hash' | 'email_key'>)[]>('u.password_hash', 'u.email_key');
  const row = rows.find(({ email_key }) => email_key === key) ?? rows[0];
  return row && { user: userOf(row), passwordHash: row.password_hash };
};

/** The text that a search looks in, as `namesOfUser` makes it. */
const SEARCHED_TEXT = "(u.name || ' ' || u.email)";

const usersPage = (access: Access, text: Pick<SearchText, 'words'> | undefined): Listing => {
  const rows = users(access);
  whereHoldsWords(access, rows, SEARCHED_TEXT, text);
  const sort = [
    { name: 'u.created_at', kind: 'moment' },
    { name: 'u.id', kind: 'text' },
  ] as const;
  return { rows, sort, descending: false };
};

export const userStore = (access: Access): UserStore => ({
  createFirst: (user, passwordHash) => createFirst(access, user, passwordHash),
  create: (user, passwordHash) =>
    access.atomically(async (inside) => {
      await query(inside)
        .from('users')
        .insert(columns(access, user, passwordHash));
    }),
  byId: async (userId) => {
    const [row] = await users(access).where('u.id', userId);
    return row && userOf(row);
  },
  byEmail: (email) => byEmail(access, email),
  verifyEmail: async (userId) => {
    await query(access).from('users').where('id', userId).update({ email_verified: 1 });
  },
  changePassword: async (userId, passwordHash) => {
    await query(access).from('users').where('id', userId).update({ password_hash: passwordHash });
  },
  administrators: async () => {
    const rows = await users(access).where('u.administrator', 1).orderBy(['u.created_at', 'u.id']);
    return rows.map(userOf);
  },
  setDisabled: async (userId, at) => {
    await query(access)
      .from('users')
      .where('id', userId)
      .update({ disabled_at: boundMoment(access, at) });
  },
  lock: async (userId) => {
    await query(access).from('users').where('id', userId).select('id').forUpdate();
  },
  lockAdministrators: async () => {
    await query(access).from('users').where('administrator', 1).orderBy('id').select('id').forUpdate();
  },
  page: (page, text) =>
    keysetPage(access, usersPage(access, text), page, userOf, ({ createdAt, id }) => [createdAt, id]),
  any: () => anyUser(access),
});

/** A session with its account and one of that person's roles; one row for each role. */
type SessionRow = Omit<SessionColumns, 'user_id'> & UserRow & RoleRow;

const sessionOf = (row: SessionRow): Session => ({
  id: row.id,
  secretHash: row.secret_hash,
  userId: row.user_id,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  expiresAt: row.expires_at,
});

export const sessionStore = (access: Access): SessionStore => ({
  create: async (session) => {
    const { moment } = access.dialect;
    await query(access)
      .from('sessions')
      .insert({
        id: session.id,
        secret_hash: session.secretHash,
        user_id: session.userId,
        created_at: moment(session.createdAt),
        last_seen_at: moment(session.lastSeenAt),
        expires_at: moment(session.expiresAt),
      });
  },
  bySecretHash: async (secretHash) => {
    const rows = await readKept<SessionRow>(access, 'session-by-secret', [secretHash], (from) =>
      from
        .from('sessions as s')
        .join('users as u', 'u.id', 's.user_id')
        .leftJoin('memberships as m', 'm.user_id', 'u.id')
        .where('s.secret_hash', secretHash)
        .select('s.id', 's.secret_hash', 's.created_at', 's.last_seen_at', 's.expires_at')
        .select(USER_COLUMNS)
        .select(ROLE_COLUMNS),
    );
    const [row] = rows;
    return row && { session: sessionOf(row), user: userOf(row), roles: rolesOf(rows) };
  },
  touch: async (sessionId, at) => {
    const last_seen_at = access.dialect.moment(at);
    await query(access).from('sessions').where('id', sessionId).update({ last_seen_at });
  },
  remove: async (sessionId) => {
    await query(access).from('sessions').where('id', sessionId).delete();
  },
  removeOthers: async (userId, keptSessionId) => {
    const theirs = query(access).from('sessions').where('user_id', userId);
    await (keptSessionId === null ? theirs : theirs.whereNot('id', keptSessionId)).delete();
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
  // Committed before the count: so each of many simultaneous attempts counts those stored before it.
  await query(access)
    .from('sign_in_attempts')
    .insert({ id, account, address, at: moment(at) });
  const attempts = () => query(access).from('sign_in_attempts').count();
  const [minute, hour] = [moment(at - MINUTE), moment(at - HOUR)];
  // Has no upper bound for `at`: an attempt with a later time may be stored before this one, and clocks of instances differ.
  const [counts] = await query(access).select<CountsRow[]>(
    attempts().where({ account, address }).where('at', '>', minute).as('pair'),
    attempts().where({ address }).where('at', '>', minute).as('address'),
    attempts().where({ account }).where('at', '>', hour).as('account'),
    query(access).from('known_addresses').count().where({ account, address }).as('known'),
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
      await query(inside).from('sign_in_attempts').where('id', id).delete();
      await query(inside)
        .from('known_addresses')
        .insert({ account, address })
        .onConflict(['account', 'address'])
        .ignore();
    }),
  removeBefore: (at) => removeInPortions(access, 'sign_in_attempts', 'at < ?', access.dialect.moment(at)),
});

interface InvitationColumns {
  readonly id: string;
  readonly secret_hash: string;
  readonly team_id: string | null;
  readonly role: Role | null;
  readonly email: string | null;
  readonly email_key: string | null;
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

const COLUMNS = [
  'id',
  'secret_hash',
  'team_id',
  'role',
  'email',
  'created_by',
  'created_at',
  'expires_at',
  'accepted_at',
  'revoked_at',
] as const;

type InvitationRow = Pick<InvitationColumns, (typeof COLUMNS)[number]>;

const invitationOf = (row: InvitationRow): Invitation => ({
  id: row.id,
  secretHash: row.secret_hash,
  team: row.team_id === null || row.role === null ? null : { id: row.team_id, role: row.role },
  email: row.email,
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  acceptedAt: row.accepted_at,
  revokedAt: row.revoked_at,
});

/** Selects pending invitations as `i` (team: `t`) whose makers may still invite; callers may add conditions. */
const pending = (access: Access, at: Instant) =>
  query(access)
    .from('invitations as i')
    // `created_by` is text, but `id` is a uuid on PostgreSQL.
    .join('users as u', (by) => by.on('i.created_by', '=', expression(access, access.dialect.asText('u.id'))))
    .leftJoin('teams as t', 't.id', 'i.team_id')
    .leftJoin('memberships as m', (by) => by.on('m.team_id', 'i.team_id').on('m.user_id', 'u.id'))
    .whereNull('i.accepted_at')
    .whereNull('i.revoked_at')
    .where('i.expires_at', '>', access.dialect.moment(at))
    .whereNull('u.disabled_at')
    .where((or) => or.where('m.role', 'owner').orWhere((and) => and.whereNull('i.team_id').where('u.administrator', 1)))
    .orderBy(['i.created_at', 'i.id'])
    .select<PendingRow[]>('i.id', 'i.role', 'i.email', 'u.name as created_by', 'i.created_at', 'i.expires_at');

/** The invitations that were neither accepted nor revoked. */
const unused = (access: Access) => query(access).from('invitations').whereNull('accepted_at').whereNull('revoked_at');

const oneInvitation = async (access: Access, which: Partial<Pick<InvitationColumns, 'id' | 'secret_hash'>>) => {
  const row = await query(access)
    .from('invitations')
    .where(which)
    .first(...COLUMNS);
  return row && invitationOf(row);
};

export const invitationStore = (access: Access): InvitationStore => ({
  create: async (invitation) => {
    const { moment } = access.dialect;
    await query(access)
      .from('invitations')
      .insert({
        id: invitation.id,
        secret_hash: invitation.secretHash,
        team_id: invitation.team?.id ?? null,
        role: invitation.team?.role ?? null,
        email: invitation.email,
        email_key: invitation.email === null ? null : addressKey(invitation.email),
        created_by: invitation.createdBy,
        created_at: moment(invitation.createdAt),
        expires_at: moment(invitation.expiresAt),
        accepted_at: boundMoment(access, invitation.acceptedAt),
        revoked_at: boundMoment(access, invitation.revokedAt),
      });
  },
  byId: (invitationId) => oneInvitation(access, { id: invitationId }),
  bySecretHash: (secretHash) => oneInvitation(access, { secret_hash: secretHash }),
  accept: async (invitationId, at) => {
    const moment = access.dialect.moment(at);
    const open = unused(access).where('id', invitationId).where('expires_at', '>', moment);
    return (await open.update({ accepted_at: moment })) === 1;
  },
  pending: async (teamId, at) => {
    const rows = await pending(access, at).where({ 'i.team_id': teamId });
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
    const rows = await pending(access, at)
      .where('i.email_key', key)
      .whereNotNull('i.team_id')
      .select<ReceivedRow[]>('i.team_id', 't.name as team_name');
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
    const which = { id: invitationId, team_id: teamId };
    return (
      (await unused(access)
        .where(which)
        .update({ revoked_at: access.dialect.moment(at) })) === 1
    );
  },
  revokeMadeBy: async ({ userId, teamId }, at) => {
    const which = { created_by: userId, ...(teamId === undefined ? {} : { team_id: teamId }) };
    await unused(access)
      .where(which)
      .update({ revoked_at: access.dialect.moment(at) });
  },
});
