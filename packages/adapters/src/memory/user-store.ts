import type { UserStore } from '@shipworthy/domain';
import { addressKey, DomainError } from '@shipworthy/domain';
import { ascending, pageUp } from './order.js';
import type { TableAccess } from './table-access.js';

export const userStore = ({ read, change }: TableAccess): UserStore => ({
  createFirst: (user, passwordHash) =>
    change(({ users }) => {
      if (users.all().length > 0) return false;
      users.put(user.id, { user, passwordHash });
      return true;
    }),
  create: (user, passwordHash) =>
    change(({ users }) => {
      if (users.where('email', addressKey(user.email)).length > 0) {
        throw new DomainError('email-taken', 'Somebody has this email address already.');
      }
      users.put(user.id, { user, passwordHash });
    }),
  byId: (userId) => read(({ users }) => users.get(userId)?.user),
  byEmail: (email) => read(({ users }) => users.where('email', addressKey(email))[0]),
  verifyEmail: (userId) =>
    change(({ users }) => {
      const found = users.get(userId);
      if (found !== undefined) users.put(userId, { ...found, user: { ...found.user, emailVerified: true } });
    }),
  changePassword: (userId, passwordHash) =>
    change(({ users }) => {
      const found = users.get(userId);
      if (found !== undefined) users.put(userId, { ...found, passwordHash });
    }),
  administrators: () =>
    read(({ users }) => {
      const all = users.all().flatMap(({ user }) => (user.administrator ? [user] : []));
      return ascending(all, ({ createdAt, id }) => [createdAt, id]);
    }),
  setDisabled: (userId, at) =>
    change(({ users }) => {
      const found = users.get(userId);
      if (found !== undefined) users.put(userId, { ...found, user: { ...found.user, disabledAt: at } });
    }),
  // Transactions run one at a time.
  lock: () => read(() => undefined),
  lockAdministrators: () => read(() => undefined),
  page: (page) =>
    read(({ users }) => {
      const all = users.all().map(({ user }) => user);
      return pageUp(all, ({ createdAt, id }) => [createdAt, id], page);
    }),
  any: () => read(({ users }) => users.all().length > 0),
});
