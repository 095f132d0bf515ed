import { type Clock, DomainError, type HostAccount, type HostAuthorization, type Instant } from '@shipworthy/domain';
import { challengeOf, newState, newVerifier } from '../host-http/pkce.js';
import type { GrantSeals, Tokens } from '../host-http/sealed-grant.js';
import type { TimedFetch } from '../host-http/timed-fetch.js';
import { hostRejected, hostUnavailable } from '../host-http/unavailable.js';
import { addressOf } from './api.js';
import { TITLE } from './fields.js';
import { oauthRequests } from './oauth-requests.js';

/** Reading only; GitLab has nothing smaller that lets issues and deployments be read. */
const SCOPE = 'read_api';

export interface AuthorizationSettings {
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
  const { clientId, url, seals } = settings;
  const requests = oauthRequests(settings);
  return {
    begin: ({ ownerId, redirectUrl }) => {
      const verifier = newVerifier();
      const state = newState();
      const page = addressOf(url, '/oauth/authorize');
      page.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUrl,
        response_type: 'code',
        state,
        scope: SCOPE,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
      }).toString();
      return { url: page.href, state, sealedVerifier: seals.sealVerifier(ownerId, verifier) };
    },
    redeem: async ({ ownerId, redirectUrl, code, sealedVerifier, deadline }) => {
      const verifier = seals.openVerifier(ownerId, sealedVerifier);
      if (verifier === undefined)
        throw new DomainError('approval-unusable', 'This approval was begun by somebody else.');
      const tokens = await requests.tokens(
        { grant_type: 'authorization_code', code, redirect_uri: redirectUrl, code_verifier: verifier },
        redirectUrl,
        deadline,
      );
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
      const asked = { grant_type: 'refresh_token', refresh_token: refresh, redirect_uri: redirectUrl };
      return seals.sealTokens(ownerId, await requests.tokens(asked, redirectUrl, deadline));
    },
    revoke: async ({ ownerId, grant, deadline }) => {
      const { access, refresh, own } = seals.openTokens(ownerId, grant);
      if (own) return;
      // GitLab ends the pair by either; an access token that ran out by itself would leave the other one alive.
      await requests.revoke(refresh ?? access, refresh === null ? 'access_token' : 'refresh_token', deadline);
    },
  };
};
