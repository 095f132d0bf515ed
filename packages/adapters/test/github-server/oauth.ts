import { randomBytes } from 'node:crypto';
import type { Approvals, OAuthApp } from './approvals.js';
import type { Account } from './records.js';
import { EMPTY, jsonReply, NOT_FOUND, pageReply, type Reply } from './rest/reply.js';

/** Who is at the host's pages, and whether they approve without being asked. */
export interface Visitor {
  account: Account;
  /** Sends them back at once. */
  approvesAtOnce: boolean;
}

const back = (to: string, parameters: Readonly<Record<string, string | null>>): Reply => {
  const url = new URL(to);
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
  return { status: 302, headers: { location: url.href }, body: '' };
};

const REFRESH_SECONDS = 15_897_600;
const failed = (error: string, error_description: string): Reply => jsonReply(200, { error, error_description });

/** The host's pages of approval, and the endpoint that gives tokens for codes. */
export const oauthAnswers = (app: OAuthApp, approvals: Approvals, visitor: Visitor, clock: () => number) => {
  const tickets = new Map<string, () => Reply>();

  const authorize = (query: URLSearchParams): Reply => {
    if (query.get('client_id') !== app.clientId) return pageReply(404, 'No such application');
    const redirectUrl = query.get('redirect_uri') ?? app.redirectUrls[0] ?? '';
    const state = query.get('state');
    if (!app.redirectUrls.includes(redirectUrl)) {
      const [registered] = app.redirectUrls;
      if (registered === undefined) return pageReply(400, 'No address to return to is registered');
      return back(registered, { error: 'redirect_uri_mismatch', state });
    }
    const challenge = query.get('code_challenge') ?? '';
    if (query.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
      return pageReply(400, 'A code challenge by S256 is missing');
    }
    const { account } = visitor;
    const approved = (): Reply =>
      back(redirectUrl, { code: approvals.approve({ account, redirectUrl, challenge }), state });
    if (visitor.approvesAtOnce) return approved();
    const ticket = (answer: () => Reply): string => {
      const name = randomBytes(8).toString('hex');
      tickets.set(name, answer);
      return `/login/oauth/answers/${name}`;
    };
    const denied = (): Reply => back(redirectUrl, { error: 'access_denied', state });
    const links = `<a href="${ticket(approved)}">Approve</a> <a href="${ticket(denied)}">Cancel</a>`;
    return pageReply(200, `Approve access as ${account.login}`, links);
  };

  const tokenFor = (form: URLSearchParams): Reply => {
    if (form.get('client_id') !== app.clientId || form.get('client_secret') !== app.clientSecret) {
      return failed('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.');
    }
    const refreshing = form.get('grant_type') === 'refresh_token';
    const account = refreshing
      ? undefined
      : approvals.spend(form.get('code') ?? '', form.get('redirect_uri'), form.get('code_verifier'));
    const issued = refreshing
      ? approvals.refresh(form.get('refresh_token') ?? '')
      : account && approvals.issue(account);
    if (issued === undefined) {
      return refreshing
        ? failed('bad_refresh_token', 'The refresh token passed is incorrect or expired.')
        : failed('bad_verification_code', 'The code passed is incorrect or expired.');
    }
    const { token, refreshToken, expiresAt } = issued;
    const ending =
      refreshToken === null || expiresAt === null
        ? {}
        : {
            expires_in: Math.round((expiresAt - clock()) / 1000),
            refresh_token: refreshToken,
            refresh_token_expires_in: REFRESH_SECONDS,
          };
    return jsonReply(200, { access_token: token, token_type: 'bearer', scope: 'repo', ...ending });
  };

  return {
    /** A GET of a page; undefined: there is no such page. */
    page: ({ pathname, searchParams }: URL): Reply | undefined => {
      if (pathname === '/login/oauth/authorize') return authorize(searchParams);
      const ticket = /^\/login\/oauth\/answers\/(\w+)$/.exec(pathname)?.[1] ?? '';
      const answer = tickets.get(ticket);
      tickets.delete(ticket);
      return answer?.();
    },
    /** `POST /login/oauth/access_token`: JSON to those that accept it, a form to others. */
    token: (body: string, type: string, accept: string): Reply => {
      const form = type.includes('json')
        ? new URLSearchParams(JSON.parse(body) as Record<string, string>)
        : new URLSearchParams(body);
      const reply = tokenFor(form);
      if (accept.includes('json')) return reply;
      const fields = new URLSearchParams(JSON.parse(reply.body) as Record<string, string>);
      return { ...reply, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: fields.toString() };
    },
    /** `DELETE /applications/{client_id}/token` and `/grant`. */
    end: (what: string, clientId: string, authorization: string, body: string): Reply => {
      const expected = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`;
      if (authorization !== expected || clientId !== app.clientId) return NOT_FOUND;
      const { access_token } = JSON.parse(body) as { readonly access_token?: unknown };
      if (typeof access_token !== 'string') return jsonReply(422, { message: 'Validation Failed' });
      const ended = what === 'grant' ? approvals.endGrant(access_token) : approvals.end(access_token);
      return ended ? EMPTY : NOT_FOUND;
    },
  };
};
