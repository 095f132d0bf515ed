import type { IncomingHttpHeaders } from 'node:http';

/** What a request shows to prove who makes it. */
export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'api_key' | 'session'; readonly secret: string }
  /** Shown, but nothing that could ever be valid. */
  | { readonly kind: 'unreadable'; readonly detail: string };

const NONE: Credential = { kind: 'none' };
const LONGEST = 512;

/** Whether a request can show this token: headers carry visible ASCII, and a blank ends it. */
export const isBearerToken = (token: string): boolean => token.length <= LONGEST && /^[\x21-\x7e]+$/.test(token);

/** The value of the cookie of exactly that name; undefined when there is none. */
export const cookieValue = (cookies: string, name: string): string | undefined => {
  for (const pair of cookies.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
};

/** Reads the credential of a request: `Authorization: Bearer` if there is such a header, else the session cookie. */
export const credentialOf = (headers: IncomingHttpHeaders, cookieName: string): Credential => {
  const { authorization, cookie } = headers;
  if (authorization !== undefined) {
    const [, key] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
    if (key !== undefined && key.length <= LONGEST) return { kind: 'api_key', secret: key };
    return { kind: 'unreadable', detail: 'Send the API key as "Authorization: Bearer" and the key.' };
  }
  const secret = cookie === undefined ? undefined : cookieValue(cookie, cookieName);
  return secret === undefined || secret === '' || secret.length > LONGEST ? NONE : { kind: 'session', secret };
};
