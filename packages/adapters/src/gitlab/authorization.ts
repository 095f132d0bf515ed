import { DomainError, type Instant } from '@shipworthy/domain';
import type { Clock, HostAccount, HostAuthorization } from '@shipworthy/domain/ports';
import { type HostAnswer, hostRejected, hostUnavailable, jsonOf, refusalOf } from '../host-http/answer-meaning.js';
import { challengeOf, type GrantSeals, newState, newVerifier, type Tokens } from '../host-http/host-secrets.js';
import type { TimedFetch } from '../host-http/timed-fetch.js';
import { fieldsOf, gitlabAddress, TITLE, text, textOrNull, wholeNumber } from './api.js';

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
      const page = gitlabAddress(url, '/oauth/authorize');
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

export interface OauthSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly url: URL;
  readonly ask: TimedFetch;
  readonly clock: Clock;
}

/**
 * Why the endpoint refused (RFC 6749, 5.2). Only `invalid_grant` is a word against the code or the grant; `invalid_client`
 * is one against this service's own settings, and whoever reads it cannot help that by approving again.
 */
const oauthRefusal = (answer: HostAnswer, now: Instant): DomainError => {
  if (answer.status === 429 || answer.status >= 500) {
    return refusalOf(answer, { title: TITLE, limits: 'ratelimit', now }, 'approval');
  }
  const error = textOrNull(fieldsOf(jsonOf(answer, TITLE)), 'error') ?? '';
  if (error === 'invalid_grant') return hostRejected(TITLE);
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    return hostUnavailable('forbidden', `${TITLE} refused the client id or the secret this service is set up with.`);
  }
  const named = /^[a-z_]{1,40}$/.test(error) ? ` (${error})` : '';
  return hostUnavailable('server_error', `${TITLE} answered ${answer.status}${named}, which was not expected.`);
};

/** The requests that this service makes to GitLab under its own name. None is repeated: each spends what it carries. */
export const oauthRequests = ({ clientId, clientSecret, url, ask, clock }: OauthSettings) => {
  const post = async (path: string, asked: Readonly<Record<string, string>>, deadline: Instant): Promise<unknown> => {
    const answer = await ask({
      method: 'POST',
      url: gitlabAddress(url, path),
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...asked }).toString(),
      deadline,
    });
    if (answer.status !== 200) throw oauthRefusal(answer, clock());
    return jsonOf(answer, TITLE);
  };
  return {
    /** New tokens for a code or a refresh token. */
    tokens: async (
      asked: Readonly<Record<string, string>>,
      redirectUrl: string,
      deadline: Instant,
    ): Promise<Tokens> => {
      // The time the answer took is taken off the tokens' life, not added to it.
      const askedAt = clock();
      const fields = fieldsOf(await post('/oauth/token', asked, deadline));
      const lasts = (fields.expires_in ?? null) === null ? null : wholeNumber(fields, 'expires_in');
      return {
        access: text(fields, 'access_token'),
        refresh: textOrNull(fields, 'refresh_token'),
        expiresAt: lasts === null ? null : askedAt + lasts * 1000,
        redirectUrl,
      };
    },
    /** Ends a token; GitLab answers the same for one that has ended (RFC 7009, 2.2). */
    revoke: async (token: string, hint: 'access_token' | 'refresh_token', deadline: Instant): Promise<void> => {
      await post('/oauth/revoke', { token, token_type_hint: hint }, deadline);
    },
  };
};
