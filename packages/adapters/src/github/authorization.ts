import { DomainError, type Instant } from '@shipworthy/domain';
import type { Clock, HostAccess, HostAuthorization, RepositoryHost } from '@shipworthy/domain/ports';
import { type HostAnswer, hostUnavailable, jsonOf } from '../host-http/answer-meaning.js';
import { challengeOf, type GrantSeals, newState, newVerifier, type Tokens } from '../host-http/host-secrets.js';
import { timedFetch } from '../host-http/timed-fetch.js';
import { type Fields, fieldsOf, type GithubOptions, surprising, TITLE, textField, textOrNull } from './fields.js';
import { bridge, githubFailure, octokitWith, rejected, settledBy, spoken, unwrapped } from './requests.js';

/**
 * The only scope under which an OAuth app reads the issues and checks of private repositories; `repo_deployment` covers
 * deployments alone, and organizations' repositories need no `read:org`. GitHub has no smaller one that does not write too;
 * this adapter makes no writing request.
 */
const SCOPE = 'repo';

const LARGEST_ANSWER = 64 * 1024;

/** Approving, renewing and ending grants of a GitHub OAuth app. */
export const githubAuthorization = (
  options: GithubOptions,
  seals: GrantSeals,
  clock: Clock,
  account: RepositoryHost['account'],
): HostAuthorization => {
  const { clientId, clientSecret, apiUrl, webUrl } = options;
  const exchange = tokenEndpoint(options, clock);
  const ask = timedFetch({ title: TITLE, clock, limit: LARGEST_ANSWER });

  /** Basic authentication is the app's own: a 401 says nothing about the grant. */
  const revocationFailure = (answer: HostAnswer): DomainError =>
    githubFailure(answer.status === 401 ? { ...answer, status: 403 } : answer, null, clock());

  const renew = async (tokens: Tokens, { deadline }: HostAccess): Promise<Tokens> => {
    if (tokens.refresh === null)
      throw rejected(`The approval at ${TITLE} has ended and cannot be renewed; approve again.`);
    return exchange({ grant_type: 'refresh_token', refresh_token: tokens.refresh }, deadline);
  };

  /**
   * One token, not the whole grant: the same person at GitHub may have approved for somebody else here too, and that has to
   * live on. 404 and 422 mean that GitHub does not know the token (any more), so it has ended already.
   */
  const end = (token: string, deadline: number): Promise<void> =>
    settledBy(deadline, clock, async () => {
      const last: { answer: HostAnswer | undefined } = { answer: undefined };
      const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')}`;
      const octokit = octokitWith(apiUrl, basic, bridge(ask, deadline, revocationFailure, last));
      try {
        await octokit.request('DELETE /applications/{client_id}/token', { client_id: clientId, access_token: token });
      } catch (error) {
        if (last.answer?.status !== 404 && last.answer?.status !== 422) throw unwrapped(error);
      }
    });

  return {
    begin: ({ ownerId, redirectUrl }) => {
      const state = newState();
      const verifier = newVerifier();
      const url = new URL(`${webUrl.href.replace(/\/+$/, '')}/login/oauth/authorize`);
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUrl,
        scope: SCOPE,
        state,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
        // Without it GitHub approves again in silence for whoever is signed in, and nobody could choose another account.
        prompt: 'select_account',
      }).toString();
      return { url: url.href, state, sealedVerifier: seals.sealVerifier(ownerId, verifier) };
    },
    redeem: async ({ ownerId, redirectUrl, code, sealedVerifier, deadline }) => {
      const verifier = seals.openVerifier(ownerId, sealedVerifier);
      if (verifier === undefined)
        throw new DomainError('approval-unusable', 'This approval was begun by somebody else.');
      const tokens = await exchange({ code, redirect_uri: redirectUrl, code_verifier: verifier }, deadline);
      const grant = seals.sealTokens(ownerId, tokens);
      return { grant, account: await account({ ownerId, grant, deadline }) };
    },
    adopt: async ({ ownerId, token, deadline }) => {
      const grant = seals.sealTokens(ownerId, { access: token, refresh: null, expiresAt: null, own: true });
      return { grant, account: await account({ ownerId, grant, deadline }) };
    },
    refresh: async (access) =>
      seals.sealTokens(access.ownerId, await renew(seals.openTokens(access.ownerId, access.grant), access)),
    revoke: async (access) => {
      const tokens = seals.openTokens(access.ownerId, access.grant);
      if (tokens.own) return;
      const hasEnded = tokens.expiresAt !== null && tokens.expiresAt <= clock();
      // GitHub ends only tokens that are still valid, and a refresh token would outlive an expired one.
      const current = hasEnded ? await renew(tokens, access).catch(endedIfRejected) : tokens;
      if (current !== undefined) await end(current.access, access.deadline);
    },
  };
};

const endedIfRejected = (error: unknown): undefined => {
  if (error instanceof DomainError && error.code === 'host-rejected') return undefined;
  throw error;
};

/**
 * Where codes and refresh tokens are exchanged for tokens. Both are good for one use, so a request that failed on the way is
 * never repeated: the second one would be refused although the person's approval stands.
 */
const tokenEndpoint = ({ clientId, clientSecret, webUrl }: GithubOptions, clock: Clock) => {
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
      if (answer.status >= 400) throw githubFailure(answer, null, clock());
      return tokensOf(fieldsOf(jsonOf(answer, TITLE), 'token'), clock());
    });
};

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
  const access = textField(fields, 'access_token');
  // GitHub refuses a request with an empty token, and the refusal would mark the person's connection as rejected.
  if (access === '') throw surprising('access_token');
  return {
    access,
    refresh: textOrNull(fields, 'refresh_token') || null,
    expiresAt: seconds === null ? null : now + seconds * 1000,
  };
};
