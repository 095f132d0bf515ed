import { basePathOf } from './base-path.js';
import type { SessionChange } from './reply.js';

/** How the session cookie is named and protected, which depends on the address people use. */
export interface SessionCookie {
  readonly name: string;
  /** The `Set-Cookie` value that carries out a change. */
  header(change: SessionChange): string;
}

/**
 * Over https `__Host-shipworthy` with `Secure`; over plain http, which is for the loopback, `shipworthy_session`. Below a base
 * path it is sent to that path alone, which browsers refuse under `__Host-`: `__Secure-shipworthy-` and the path, likewise
 * `shipworthy_session-`. The path is part of the name because a service at `/a` is sent the cookies of `/` too.
 */
export const sessionCookie = (baseUrl: URL): SessionCookie => {
  const secure = baseUrl.protocol === 'https:';
  const basePath = basePathOf(baseUrl);
  const prefix = basePath === '' ? '__Host-' : '__Secure-';
  const name = `${secure ? `${prefix}shipworthy` : 'shipworthy_session'}${basePath.replaceAll('/', '-')}`;
  const attributes = `Path=${basePath === '' ? '/' : basePath}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    name,
    header: (change) =>
      'set' in change
        ? `${name}=${change.set.secret}; ${attributes}; Expires=${new Date(change.set.expiresAt).toUTCString()}`
        : `${name}=; ${attributes}; Max-Age=0`,
  };
};
