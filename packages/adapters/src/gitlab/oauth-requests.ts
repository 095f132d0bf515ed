import type { Clock, DomainError, Instant } from '@shipworthy/domain';
import { type HostAnswer, jsonOf, refusalOf } from '../host-http/answer-meaning.js';
import type { Tokens } from '../host-http/sealed-grant.js';
import type { TimedFetch } from '../host-http/timed-fetch.js';
import { hostRejected, hostUnavailable } from '../host-http/unavailable.js';
import { addressOf } from './api.js';
import { fieldsOf, TITLE, text, textOrNull, wholeNumber } from './fields.js';

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
      url: addressOf(url, path),
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
