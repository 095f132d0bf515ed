import type { Clock, DomainError, Instant } from '@shipworthy/domain';
import { type HostAnswer, jsonOf } from '../host-http/answer-meaning.js';
import type { Tokens } from '../host-http/sealed-grant.js';
import { timedFetch } from '../host-http/timed-fetch.js';
import { hostUnavailable } from '../host-http/unavailable.js';
import { failureOf, rejected, spoken } from './failure.js';
import { type Fields, fieldsOf, surprising, textOf, textOrNull } from './fields.js';
import { type GithubOptions, TITLE } from './options.js';
import { settledBy } from './settled-by.js';

const LARGEST_ANSWER = 64 * 1024;

/** What refuses the code or the refresh token itself: only approving again helps. */
const REFUSALS = new Set(['bad_verification_code', 'bad_refresh_token', 'invalid_grant', 'unverified_user_email']);

const setUp = (what: string): DomainError =>
  hostUnavailable(
    'forbidden',
    `${TITLE} does not accept this server's OAuth app (${what}); its set-up has to be mended.`,
  );

/** Errors come with status 200 as a rule, and are about the server itself as often as about the person. */
const errorOf = (fields: Fields): DomainError | undefined => {
  const error = textOrNull(fields, 'error');
  if (error === null) return undefined;
  const said = spoken(textOrNull(fields, 'error_description') ?? error);
  return REFUSALS.has(error) ? rejected(`${TITLE} refused the approval: ${said} Approve again.`) : setUp(said);
};

const readable = (answer: HostAnswer): Fields | undefined => {
  try {
    return fieldsOf(jsonOf(answer, TITLE), 'token');
  } catch {
    return undefined;
  }
};

const secondsOf = (fields: Fields, key: string): number | null => {
  const { [key]: value = null } = fields;
  const seconds = value === null ? Number.NaN : Number(value);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
};

const tokensOf = (fields: Fields, now: Instant): Tokens => {
  const seconds = secondsOf(fields, 'expires_in');
  const access = textOf(fields, 'access_token');
  // Whoever asked with it would be refused, and the person with them.
  if (access === '') throw surprising('access_token');
  return {
    access,
    refresh: textOrNull(fields, 'refresh_token') || null,
    expiresAt: seconds === null ? null : now + seconds * 1000,
  };
};

/**
 * Where codes and refresh tokens are exchanged for tokens. Both are good for one use, so a request that failed on the way is
 * never repeated: the second one would be refused although the person's approval stands.
 */
export const tokenEndpoint = ({ clientId, clientSecret, webUrl }: GithubOptions, clock: Clock) => {
  const ask = timedFetch({ title: TITLE, clock, limit: LARGEST_ANSWER });
  const url = new URL(`${webUrl.href.replace(/\/+$/, '')}/login/oauth/access_token`);
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
  return (parameters: Readonly<Record<string, string>>, deadline: Instant): Promise<Tokens> =>
    settledBy(deadline, clock, async () => {
      const form = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...parameters });
      const answer = await ask({ method: 'POST', url, headers, body: form.toString(), deadline });
      const error = errorOf(readable(answer) ?? {});
      if (answer.status < 500 && error !== undefined) throw error;
      // A 401 here is about the app's own secret, never about the person.
      if (answer.status === 401) throw setUp('401');
      if (answer.status >= 400) throw failureOf(answer, null, clock());
      return tokensOf(fieldsOf(jsonOf(answer, TITLE), 'token'), clock());
    });
};
