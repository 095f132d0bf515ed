import { DomainError } from '@shipworthy/domain';
import type { Clock, HostAccess, HostAuthorization, RepositoryHost } from '@shipworthy/domain/ports';
import { type HostAnswer, hostUnavailable } from '../host-http/answer-meaning.js';
import type { GrantSeals, Tokens } from '../host-http/host-secrets.js';
import { type OauthClient, type OauthRefusal, oauthClient } from '../host-http/oauth-client.js';
import { type TimedFetch, timedFetch } from '../host-http/timed-fetch.js';
import { type GithubOptions, TITLE } from './fields.js';
import { githubFailure, hostWords, octokitFetch, octokitWith, rejected, settledBy, unwrapped } from './requests.js';

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
  const { clientId, clientSecret, apiUrl } = options;
  const ask = timedFetch({ title: TITLE, clock, limit: LARGEST_ANSWER });
  const oauth = githubOauth(options, ask, clock);

  /** A 401 is about the app's own Basic authentication, not about the grant, so it is read like a 403. */
  const revocationFailure = (answer: HostAnswer): DomainError =>
    githubFailure(answer.status === 401 ? { ...answer, status: 403 } : answer, null, clock());

  const renew = async (tokens: Tokens, { deadline }: HostAccess): Promise<Tokens> => {
    if (tokens.refresh === null)
      throw rejected(`The approval at ${TITLE} has ended and cannot be renewed; approve again.`);
    const { refresh } = tokens;
    return settledBy(deadline, clock, () => oauth.renew(refresh, undefined, deadline));
  };

  /**
   * Ends one token, not the whole grant: the same person at GitHub may have approved for another account here, whose
   * token must keep working. 404 and 422 mean that GitHub does not know the token, so it has ended already.
   */
  const end = (token: string, deadline: number): Promise<void> =>
    settledBy(deadline, clock, async () => {
      const last: { answer: HostAnswer | undefined } = { answer: undefined };
      const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')}`;
      const octokit = octokitWith(apiUrl, basic, octokitFetch(ask, deadline, revocationFailure, last));
      try {
        await octokit.request('DELETE /applications/{client_id}/token', { client_id: clientId, access_token: token });
      } catch (error) {
        if (last.answer?.status !== 404 && last.answer?.status !== 422) throw unwrapped(error);
      }
    });

  return {
    begin: async ({ ownerId, redirectUrl }) => {
      // Without `prompt` GitHub approves at once for the account that is signed in, and the person cannot choose another one.
      const more = { prompt: 'select_account' };
      const { url, state, verifier } = await oauth.begin(redirectUrl, SCOPE, more);
      return { url, state, sealedVerifier: seals.sealVerifier(ownerId, verifier) };
    },
    redeem: async ({ ownerId, redirectUrl, code, sealedVerifier, deadline }) => {
      const verifier = seals.openVerifier(ownerId, sealedVerifier);
      if (verifier === undefined)
        throw new DomainError('approval-unusable', 'This approval was begun by another person.');
      const tokens = await settledBy(deadline, clock, () => oauth.redeem(code, redirectUrl, verifier, deadline));
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
      // GitHub ends only valid tokens. An expired one is renewed first: otherwise its refresh token would stay valid.
      const current = hasEnded ? await renew(tokens, access).catch(endedIfRejected) : tokens;
      if (current !== undefined) await end(current.access, access.deadline);
    },
  };
};

const endedIfRejected = (error: unknown): undefined => {
  if (error instanceof DomainError && error.code === 'host-rejected') return undefined;
  throw error;
};

/** GitHub's endpoints of OAuth 2, and what its refusals mean. */
const githubOauth = ({ clientId, clientSecret, webUrl }: GithubOptions, ask: TimedFetch, clock: Clock): OauthClient => {
  const page = (path: string) => new URL(`${webUrl.href.replace(/\/+$/, '')}/login/oauth/${path}`);
  return oauthClient({
    title: TITLE,
    clientId,
    clientSecret,
    authorizeUrl: page('authorize'),
    tokenUrl: page('access_token'),
    ask,
    clock,
    // A 401 without an error of OAuth is about the app's own secret, never about the person.
    failure: (answer) => (answer.status === 401 ? setUp('401') : githubFailure(answer, null, clock())),
    refusal,
  });
};

/** Errors that refuse the code or the refresh token itself: only approving again helps. */
const REFUSALS = new Set(['bad_verification_code', 'bad_refresh_token', 'invalid_grant', 'unverified_user_email']);

const setUp = (what: string): DomainError =>
  hostUnavailable(
    'forbidden',
    `${TITLE} does not accept this server's OAuth app (${what}); its set-up has to be mended.`,
  );

/** Returns `host-rejected` for errors of the code or token; any other error is about the set-up of the OAuth app. */
const refusal = ({ error, description }: OauthRefusal): DomainError => {
  const said = hostWords(description ?? error);
  return REFUSALS.has(error) ? rejected(`${TITLE} refused the approval: ${said} Approve again.`) : setUp(said);
};
