import { DomainError, type Instant } from '@shipworthy/domain';
import type { Clock, HostAccount, HostAuthorization } from '@shipworthy/domain/ports';
import { type HostAnswer, hostRejected, hostUnavailable, refusalOf } from '../host-http/answer-meaning.js';
import type { GrantSeals, Tokens } from '../host-http/host-secrets.js';
import { type OauthClient, type OauthRefusal, oauthClient } from '../host-http/oauth-client.js';
import type { TimedFetch } from '../host-http/timed-fetch.js';
import { gitlabAddress, TITLE } from './api.js';

/** Reading only; GitLab has nothing smaller that lets issues and deployments be read. */
const SCOPE = 'read_api';

interface AuthorizationSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly url: URL;
  readonly ask: TimedFetch;
  readonly seals: GrantSeals;
  readonly clock: Clock;
  accountOf(tokens: Tokens, ownerId: string, deadline: Instant): Promise<HostAccount>;
}

/**
 * GitLab as OAuth 2 provider, by its documentation: code flow with PKCE (`S256`), access tokens end after `expires_in`
 * seconds (7,200), refreshing ends both old tokens and asks for the redirect address of the approval again.
 */
export const gitlabAuthorization = (settings: AuthorizationSettings): HostAuthorization => {
  const { seals } = settings;
  const oauth = gitlabOauth(settings);
  return {
    begin: async ({ ownerId, redirectUrl }) => {
      const { url, state, verifier } = await oauth.begin(redirectUrl, SCOPE);
      return { url, state, sealedVerifier: seals.sealVerifier(ownerId, verifier) };
    },
    redeem: async ({ ownerId, redirectUrl, code, sealedVerifier, deadline }) => {
      const verifier = seals.openVerifier(ownerId, sealedVerifier);
      if (verifier === undefined)
        throw new DomainError('approval-unusable', 'This approval was begun by another person.');
      const tokens = await oauth.redeem(code, redirectUrl, verifier, deadline);
      const account = await settings.accountOf(tokens, ownerId, deadline);
      return { grant: seals.sealTokens(ownerId, tokens), account };
    },
    adopt: async ({ ownerId, token, deadline }) => {
      const tokens = { access: token, refresh: null, expiresAt: null, own: true } as const;
      const account = await settings.accountOf(tokens, ownerId, deadline);
      return { grant: seals.sealTokens(ownerId, tokens), account };
    },
    refresh: async ({ ownerId, grant, deadline }) => {
      const { refresh, redirectUrl = '', own } = seals.openTokens(ownerId, grant);
      if (own) throw hostRejected(TITLE);
      if (refresh === null) throw hostUnavailable('forbidden', `${TITLE} gave no means to renew this approval.`);
      return seals.sealTokens(ownerId, await oauth.renew(refresh, redirectUrl, deadline));
    },
    revoke: async ({ ownerId, grant, deadline }) => {
      const { access, refresh, own } = seals.openTokens(ownerId, grant);
      if (own) return;
      // Either token ends both at GitLab, but an access token that has expired would leave the refresh token alive.
      await oauth.end(refresh ?? access, refresh === null ? 'access_token' : 'refresh_token', deadline);
    },
  };
};

/** GitLab's endpoints of OAuth 2, and what its refusals mean. */
export const gitlabOauth = ({
  clientId,
  clientSecret,
  url,
  ask,
  clock,
}: Omit<AuthorizationSettings, 'seals' | 'accountOf'>): OauthClient =>
  oauthClient({
    title: TITLE,
    clientId,
    clientSecret,
    authorizeUrl: gitlabAddress(url, '/oauth/authorize'),
    tokenUrl: gitlabAddress(url, '/oauth/token'),
    revokeUrl: gitlabAddress(url, '/oauth/revoke'),
    ask,
    clock,
    failure: (answer) => failureOf(answer, clock()),
    refusal,
  });

const failureOf = (answer: HostAnswer, now: Instant): DomainError => {
  const failure = refusalOf(answer, { title: TITLE, limits: 'ratelimit', now }, 'approval');
  if (['rate_limited', 'server_error', 'not_json', 'cut'].includes(String(failure.details.cause))) return failure;
  // A refusal without an error of OAuth says nothing about the grant.
  return hostUnavailable('server_error', `${TITLE} answered ${answer.status}, which was not expected.`);
};

/**
 * Only `invalid_grant` refuses the code or the grant; `invalid_client` refuses this service's own settings, and approving again
 * does not help.
 */
const refusal = ({ error, status }: OauthRefusal): DomainError => {
  if (error === 'invalid_grant') return hostRejected(TITLE);
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    return hostUnavailable('forbidden', `${TITLE} refused the client id or the secret this service is set up with.`);
  }
  const named = /^[a-z_]{1,40}$/.test(error) ? ` (${error})` : '';
  return hostUnavailable('server_error', `${TITLE} answered ${status}${named}, which was not expected.`);
};
