import { createHash, randomBytes } from 'node:crypto';
import type { Account } from './records.js';

/** An OAuth app as it is registered at the host. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where people may be sent back to, exactly. */
  readonly redirectUrls: string[];
}

export interface IssuedToken {
  readonly token: string;
  readonly refreshToken: string | null;
  readonly account: Account;
  /** As `X-OAuth-Scopes` tells them; null: it does not. */
  readonly scopes: string | null;
  /** Milliseconds since 1970; null: it does not end. */
  expiresAt: number | null;
}

interface Approved {
  readonly account: Account;
  readonly redirectUrl: string;
  readonly challenge: string;
}

/** Codes and tokens that were given out. */
export interface Approvals {
  /** Seconds that tokens last from now on; null: until they are revoked. */
  tokensLast(seconds: number | null): void;
  /** A code for one use. */
  approve(approved: Approved): string;
  /** The account of a code if the verifier matches its challenge; the code is spent either way. */
  spend(code: string, redirectUrl: string | null, verifier: string | null): Account | undefined;
  /** One of the scope `repo`, as the OAuth app asks for, unless told. */
  issue(account: Account, scopes?: string | null): IssuedToken;
  /** A new token for a refresh token, which is spent with the token that it came with. */
  refresh(refreshToken: string): IssuedToken | undefined;
  /** The valid token of that text. */
  valid(token: string): IssuedToken | undefined;
  /** Whether it, or what renews it, is still known. */
  anyLeft(): boolean;
  /** Ends the token; false when it is not valid any more. */
  end(token: string): boolean;
  /** Ends every token of the account that has this one. */
  endGrant(token: string): boolean;
  revokeTokens(): void;
  /** Ends access tokens; refresh tokens stay. */
  expireTokens(): void;
}

/** PKCE's challenge of a verifier by method S256 (RFC 7636, 4.2). */
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

const random = (prefix: string): string => `${prefix}_${randomBytes(18).toString('hex')}`;

export const approvals = (clock: () => number): Approvals => {
  let lasting: number | null = null;
  const codes = new Map<string, Approved>();
  const tokens = new Map<string, IssuedToken>();
  const valid = (token: string): IssuedToken | undefined => {
    const issued = tokens.get(token);
    return issued !== undefined && (issued.expiresAt === null || issued.expiresAt > clock()) ? issued : undefined;
  };
  const issue = (account: Account, scopes: string | null = 'repo'): IssuedToken => {
    const ends = lasting !== null;
    const token: IssuedToken = {
      token: random(ends ? 'ghu' : 'gho'),
      refreshToken: ends ? random('ghr') : null,
      account,
      scopes,
      expiresAt: lasting === null ? null : clock() + lasting * 1000,
    };
    tokens.set(token.token, token);
    return token;
  };
  return {
    tokensLast: (seconds) => {
      lasting = seconds;
    },
    approve: (approved) => {
      const code = randomBytes(10).toString('hex');
      codes.set(code, approved);
      return code;
    },
    spend: (code, redirectUrl, verifier) => {
      const approved = codes.get(code);
      codes.delete(code);
      const fits =
        approved !== undefined &&
        (redirectUrl === null || redirectUrl === approved.redirectUrl) &&
        challengeOf(verifier ?? '') === approved.challenge;
      return fits ? approved.account : undefined;
    },
    issue,
    refresh: (refreshToken) => {
      const old = [...tokens.values()].find((one) => one.refreshToken === refreshToken);
      if (old === undefined) return undefined;
      tokens.delete(old.token);
      return issue(old.account);
    },
    valid,
    anyLeft: () => [...tokens.values()].some((one) => one.refreshToken !== null || valid(one.token) !== undefined),
    end: (token) => valid(token) !== undefined && tokens.delete(token),
    endGrant: (token) => {
      const account = valid(token)?.account;
      for (const [text, one] of tokens) if (one.account === account) tokens.delete(text);
      return account !== undefined;
    },
    revokeTokens: () => tokens.clear(),
    expireTokens: () => {
      for (const one of tokens.values()) one.expiresAt = clock();
    },
  };
};
