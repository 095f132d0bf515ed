import type { Addresses } from '../addresses.js';
import type { Account } from '../records.js';

export const accountView = ({ webUrl }: Addresses, account: Account): object => ({
  __typename: account.kind,
  id: account.nodeId,
  databaseId: account.id,
  login: account.login,
  name: account.login,
  url: `${webUrl}/${account.login}`,
  resourcePath: `/${account.login}`,
  avatarUrl: `${webUrl}/avatars/${account.id}`,
});
