export {
  budgetOf,
  type HostAnswer,
  hostRejected,
  hostUnavailable,
  isTransientHostFailure,
  jsonOf,
  refusalOf,
  retryAtOf,
  type UnavailableCause,
} from './answer-meaning.js';
export { type GrantSeals, grantSeals, hookSecrets, isSameSecret, type Tokens } from './host-secrets.js';
export { type OauthClient, type OauthRefusal, type OauthSettings, oauthClient } from './oauth-client.js';
export { type FetchSettings, type HostRequest, type TimedFetch, timedFetch } from './timed-fetch.js';
