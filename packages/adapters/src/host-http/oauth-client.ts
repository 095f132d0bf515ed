import { DomainError, type Instant } from '@shipworthy/domain';
import type { Clock } from '@shipworthy/domain/ports';
import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  customFetch,
  expectNoState,
  generateRandomCodeVerifier,
  generateRandomState,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  revocationRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import { type HostAnswer, hostUnavailable, jsonOf } from './answer-meaning.js';
import type { Tokens } from './host-secrets.js';
import type { TimedFetch } from './timed-fetch.js';

export interface OauthSettings {
  /** The host's name for people. */
  readonly title: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The host's page where people approve. */
  readonly authorizeUrl: URL;
  readonly tokenUrl: URL;
  /** Where tokens are ended by RFC 7009; undefined: the host has another way. */
  readonly revokeUrl?: URL;
  readonly ask: TimedFetch;
  readonly clock: Clock;
  /** Returns the error for an answer that is neither a success nor an OAuth error. */
  failure(answer: HostAnswer): DomainError;
  /** Returns the error for an OAuth error (RFC 6749, 5.2). */
  refusal(refused: OauthRefusal): DomainError;
}

/** An OAuth error from the host. Its texts come from outside: check them before you show them. */
export interface OauthRefusal {
  readonly error: string;
  readonly description: string | null;
  /** 4xx; 400 where the host gave its error with 200. */
  readonly status: number;
}

/** Where a person is sent to approve, and what has to be kept until the person comes back. */
interface OauthBeginning {
  readonly url: string;
  /** Unguessable: 256 random bits, base64url. */
  readonly state: string;
  /** The code verifier of PKCE (RFC 7636, 4.1): 256 random bits, base64url. */
  readonly verifier: string;
}

/** Makes the requests with this service's own client id. None is repeated: a code or token may work only once. */
export interface OauthClient {
  /** Makes the address of the host's page, with a challenge by method `S256`. `more`: the host's own parameters. */
  begin(redirectUrl: string, scope: string, more?: Readonly<Record<string, string>>): Promise<OauthBeginning>;
  /** Exchanges the code that the host gave for tokens. */
  redeem(code: string, redirectUrl: string, verifier: string, deadline: Instant): Promise<Tokens>;
  /** Exchanges a refresh token for new tokens. `redirectUrl`: for hosts that ask for it again. */
  renew(refreshToken: string, redirectUrl: string | undefined, deadline: Instant): Promise<Tokens>;
  /** Ends a token; the host answers the same for one that has ended (RFC 7009, 2.2). */
  end(token: string, kind: 'access_token' | 'refresh_token', deadline: Instant): Promise<void>;
}

/**
 * The authorization code flow of OAuth 2 with PKCE. The library builds the requests and checks the answers; `ask` sends
 * the requests and enforces the deadline, the size of the answer and the rule on redirects.
 * All methods but `begin` throw DomainError: what `refusal` or `failure` returns, `host-unavailable` with cause
 * `not_json` when a success does not follow RFC 6749 (5.1), and what `ask` throws.
 */
export const oauthClient = (settings: OauthSettings): OauthClient => {
  const { title, clientId, authorizeUrl, tokenUrl, revokeUrl, clock } = settings;
  const server: AuthorizationServer = {
    issuer: authorizeUrl.origin,
    token_endpoint: tokenUrl.href,
    ...(revokeUrl === undefined ? {} : { revocation_endpoint: revokeUrl.href }),
  };
  const client: Client = { client_id: clientId };
  const secret = ClientSecretPost(settings.clientSecret);
  const notOfOauth = () => hostUnavailable('not_json', `${title} answered something else than OAuth 2 gives.`);

  const answeredBy =
    (deadline: Instant) =>
    async (url: string, { headers, body }: { headers: Record<string, string>; body?: unknown }): Promise<Response> => {
      const form = String(body);
      const asked = { ...headers, accept: 'application/json', 'user-agent': 'shipworthy' };
      const answer = await settings.ask({ method: 'POST', url: new URL(url), headers: asked, body: form, deadline });
      if (answer.status === 429 || answer.status >= 500) throw settings.failure(answer);
      const known = knownIn(answer, title);
      // GitHub gives its errors with 200.
      if (known?.error !== undefined) return Response.json(known, { status: Math.max(answer.status, 400) });
      if (answer.status !== 200) throw settings.failure(answer);
      if (known === undefined) throw notOfOauth();
      return Response.json(known);
    };
  const optionsOf = (deadline: Instant, additionalParameters: Readonly<Record<string, string>> = {}) => ({
    [customFetch]: answeredBy(deadline),
    // Whether a host may be reached by plain HTTP is decided by the settings of its address.
    [allowInsecureRequests]: true,
    additionalParameters,
  });

  const judged = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError) throw error;
      if (!(error instanceof ResponseBodyError)) throw notOfOauth();
      throw settings.refusal({
        error: error.error,
        description: error.error_description ?? null,
        status: error.status,
      });
    }
  };
  const tokens = (redirectUrl: string | undefined, asked: () => Promise<TokenEndpointResponse>): Promise<Tokens> =>
    judged(async () => {
      // The lifetime is counted from the request. Counted from the answer, `expiresAt` might be after the tokens' end.
      const askedAt = clock();
      const { access_token: access, refresh_token: refresh = null, expires_in: seconds = 0 } = await asked();
      const expiresAt = seconds === 0 ? null : askedAt + Math.floor(seconds) * 1000;
      if (expiresAt !== null && !Number.isSafeInteger(expiresAt)) throw notOfOauth();
      return { access, refresh, expiresAt, ...(redirectUrl === undefined ? {} : { redirectUrl }) };
    });

  return {
    begin: async (redirectUrl, scope, more = {}) => {
      const state = generateRandomState();
      const verifier = generateRandomCodeVerifier();
      const page = new URL(authorizeUrl);
      page.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUrl,
        response_type: 'code',
        scope,
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...more,
      }).toString();
      return { url: page.href, state, verifier };
    },
    redeem: (code, redirectUrl, verifier, deadline) =>
      tokens(redirectUrl, async () => {
        // No state is checked here: the use case has found the approval by its state.
        const given = validateAuthResponse(server, client, new URLSearchParams({ code }), expectNoState);
        const options = optionsOf(deadline);
        const answer = authorizationCodeGrantRequest(server, client, secret, given, redirectUrl, verifier, options);
        return processAuthorizationCodeResponse(server, client, await answer);
      }),
    renew: (refreshToken, redirectUrl, deadline) =>
      tokens(redirectUrl, async () => {
        const options = optionsOf(deadline, redirectUrl === undefined ? {} : { redirect_uri: redirectUrl });
        const answer = refreshTokenGrantRequest(server, client, secret, refreshToken, options);
        return processRefreshTokenResponse(server, client, await answer);
      }),
    end: (token, kind, deadline) =>
      judged(async () => {
        const options = optionsOf(deadline, { token_type_hint: kind });
        await processRevocationResponse(await revocationRequest(server, client, secret, token, options));
      }),
  };
};

/** The fields of an answer that are read. `id_token` is left out, because the service never asks for one. */
const READ = ['access_token', 'token_type', 'refresh_token', 'expires_in', 'error', 'error_description'];

/**
 * The fields of an answer that are read, without those that are null or empty: hosts write both for "none". A token without
 * a type is taken for a bearer token. undefined: not an object of JSON.
 * @throws DomainError `host-unavailable` when an answer with 200 is not JSON
 */
const knownIn = (answer: HostAnswer, title: string): Readonly<Record<string, unknown>> | undefined => {
  const value = answer.status === 200 ? jsonOf(answer, title) : jsonOrNothing(answer, title);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const given = Object.entries(value).filter(([name, of]) => READ.includes(name) && of !== null && of !== '');
  const known: Record<string, unknown> = { token_type: 'bearer', ...Object.fromEntries(given) };
  if (typeof known.error !== 'string') delete known.error;
  return known;
};

const jsonOrNothing = (answer: HostAnswer, title: string): unknown => {
  try {
    return jsonOf(answer, title);
  } catch {
    return undefined;
  }
};
