import { addressKey, type User, type UserStore } from '@shipworthy/domain';
import type { Access } from './access.js';
import { pageOf } from './page-of.js';
import { insert, momentOrNull, update } from './sql.js';
import { USER_COLUMNS, type UserRow, userOf } from './user-row.js';

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
    await update(access, 'users', { disabled_at: momentOrNull(access, at) }, 'id = ?', [userId]);
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
    return pageOf(access, listing, page, userOf, ({ createdAt, id }) => [createdAt, id]);
  },
  any: async () => (await access.read('select 1 as there from users limit 1')).length === 1,
});
