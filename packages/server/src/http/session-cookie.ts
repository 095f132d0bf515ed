import type { SessionChange } from './reply.js';

/** How the session cookie is named and protected, which depends on the address people use. */
export interface SessionCookie {
  readonly name: string;
  /** The `Set-Cookie` value that carries out a change. */
  header(change: SessionChange): string;
}

/** Over https `__Host-shipworthy` with `Secure`; over plain http, which is for the loopback, `shipworthy_session`. */
export const sessionCookie = (baseUrl: URL): SessionCookie => {
  const secure = baseUrl.protocol === 'https:';
  const name = secure ? '__Host-shipworthy' : 'shipworthy_session';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    name,
    header: (change) =>
      'set' in change
        ? `${name}=${change.set.secret}; ${attributes}; Expires=${new Date(change.set.expiresAt).toUTCString()}`
        : `${name}=; ${attributes}; Max-Age=0`,
  };
};
