import type { ApiKeyStore } from '@shipworthy/domain';
import { personWithRoles } from './accounts.js';
import { descending } from './order.js';
import type { TableAccess } from './table-access.js';

export const apiKeyStore = ({ read, change }: TableAccess): ApiKeyStore => ({
  create: (key) => change(({ apiKeys }) => apiKeys.put(key.id, key)),
  byHash: (hash) =>
    read((tables) => {
      const [key] = tables.apiKeys.where('hash', hash);
      const person = key === undefined ? undefined : personWithRoles(tables, key.userId);
      return key === undefined || person === undefined ? undefined : { key, ...person };
    }),
  ofUser: (userId) =>
    read(({ apiKeys }) => {
      const valid = apiKeys.where('user', userId).filter(({ revokedAt }) => revokedAt === null);
      return descending(valid, ({ createdAt, id }) => [createdAt, id]);
    }),
  revoke: (userId, keyId, at) =>
    change(({ apiKeys }) => {
      const key = apiKeys.get(keyId);
      if (key?.userId !== userId || key.revokedAt !== null) return false;
      apiKeys.put(keyId, { ...key, revokedAt: at });
      return true;
    }),
  touch: (keyId, at, address) =>
    change(({ apiKeys }) => {
      const key = apiKeys.get(keyId);
      if (key !== undefined) apiKeys.put(keyId, { ...key, lastUsedAt: at, lastUsedAddress: address });
    }),
  reaching: (teamId, at) =>
    read(({ apiKeys, memberships, users }) => {
      const found = memberships.where('team', teamId).flatMap(({ userId }) => {
        const maker = users.get(userId)?.user;
        return maker === undefined ? [] : apiKeys.where('user', userId).map((key) => ({ key, maker }));
      });
      const reaching = found.filter(
        ({ key }) =>
          (key.teamId ?? teamId) === teamId &&
          key.revokedAt === null &&
          key.expiresAt > at &&
          !key.barredTeams.includes(teamId),
      );
      return descending(reaching, ({ key }) => [key.createdAt, key.id]);
    }),
  bar: (keyId, teamId) =>
    change(({ apiKeys }) => {
      const key = apiKeys.get(keyId);
      if (key === undefined || key.barredTeams.includes(teamId)) return false;
      apiKeys.put(keyId, { ...key, barredTeams: [...key.barredTeams, teamId] });
      return true;
    }),
});
