import { type Addresses, stamp } from '../addresses.js';
import type { Account } from '../records.js';

const JOINED = Date.UTC(2020, 0, 1);

/** The fields that every account is shown with. */
export const accountJson = ({ apiUrl, webUrl }: Addresses, account: Account) => {
  const url = `${apiUrl}/users/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: account.nodeId,
    avatar_url: `${webUrl}/avatars/${account.id}`,
    gravatar_id: '',
    url,
    html_url: `${webUrl}/${account.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.kind,
    site_admin: false,
  };
};

/** The account as it sees itself. */
export const ownAccountJson = (addresses: Addresses, account: Account) => ({
  ...accountJson(addresses, account),
  user_view_type: 'public',
  name: account.login,
  company: null,
  blog: '',
  location: null,
  email: null,
  hireable: null,
  bio: null,
  public_repos: 0,
  public_gists: 0,
  followers: 0,
  following: 0,
  created_at: stamp(JOINED),
  updated_at: stamp(JOINED),
});
