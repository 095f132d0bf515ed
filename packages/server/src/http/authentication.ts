import type { IncomingHttpHeaders } from 'node:http';
import { DEVICE_KNOWN_FOR, devices, type SignedDevice } from '@shipworthy/adapters/crypto';
import type { Instant, Principal } from '@shipworthy/domain';
import type { Clock, NewId, Ports } from '@shipworthy/domain/ports';
import { authenticateKey, authenticateSession } from '@shipworthy/domain/use-cases';
import { basePathOf } from './base-path.js';
import { Problem } from './problem.js';
import { BoundedMap } from './rate-limit.js';
import { type CallerCredential, cookieValue } from './request.js';
import type { SessionChange } from './route.js';

/**
 * Finds the principal of a credential, shown by a request from this network address. `use: false`: only looks whether a session
 * is still valid, without prolonging it; an API key counts as used in either case.
 * @throws Problem `unauthenticated` that says why it is not valid
 */
export type FindPrincipal = (credential: ShownCredential, use: boolean, address: string) => Promise<Principal>;
type ShownCredential = Extract<CallerCredential, { readonly kind: 'api_key' | 'session' }>;

/** The part of a request that an embedder's own authentication gets. */
export interface AuthenticationRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
}

/** Own authentication: the principal, or null when the request does not prove who makes it. */
export type Authenticate = (request: AuthenticationRequest) => Promise<Principal | null>;

/** How long a principal is kept without asking again, in milliseconds; a revocation acts within this time plus one query. */
export const KNOWN_FOR_MS = 1000;
const REMEMBERED = 10_000;

/** The refusal of a request that does not prove who makes it. */
export const unauthenticated = (detail: string): Problem => {
  const shown = detail === NOTHING_SHOWN ? '' : ', error="invalid_token"';
  return new Problem('unauthenticated', detail, {
    headers: { 'WWW-Authenticate': `Bearer realm="shipworthy"${shown}` },
  });
};
const NOTHING_SHOWN = 'Send an API key as "Authorization: Bearer", or sign in.';

export interface PrincipalCache {
  /**
   * Returns the principal at once if `find` read it within the last second, else after one query, which simultaneous requests
   * share.
   */
  find(credential: ShownCredential, address: string): Principal | Promise<Principal>;
  /**
   * Like `find`, but no use of a session: an open event stream must not keep a person signed in. Of an API key it is a use. What
   * `find` read within the last second serves it, too.
   */
  look(credential: ShownCredential, address: string): Principal | Promise<Principal>;
  /** Drops the cached principal of a credential, so that the next request reads it from the stores. */
  forget(credential: ShownCredential): void;
}

interface Known {
  readonly principal: Principal;
  readonly from: Instant;
  readonly until: Instant;
  readonly used: boolean;
}

/** Names sessions and API keys apart: knowing a secret as a session says nothing about it as a key. */
const nameOf = ({ kind, secret }: ShownCredential): string => `${kind} ${secret}`;

/** Keeps principals for one second at most. */
export const createPrincipalCache = (find: FindPrincipal, clock: Clock): PrincipalCache => {
  const known = new BoundedMap<string, Known>(REMEMBERED);
  const recordingQueries = new Map<string, Promise<Principal>>();
  const checkingQueries = new Map<string, Promise<Principal>>();
  const findOut = (credential: ShownCredential, use: boolean, address: string): Principal | Promise<Principal> => {
    const name = nameOf(credential);
    const from = clock();
    const entry = known.get(name);
    // A clock that is set back must not let in for longer.
    const isFresh = entry !== undefined && entry.from <= from && from < entry.until;
    // A principal from `look` does not serve `find`, which must record the use of the session.
    if (isFresh && (entry.used || !use)) return entry.principal;
    const queries = use ? recordingQueries : checkingQueries;
    const running = queries.get(name);
    if (running !== undefined) return running;
    // A query that `forget` dropped may have read the state before the change: only its own callers get the result.
    const isDropped = (): boolean => queries.get(name) !== promise;
    const promise = find(credential, use, address)
      .then((principal) => {
        const until = Math.min(from + KNOWN_FOR_MS, principal.expiresAt);
        if (!isDropped()) known.set(name, { principal, used: use, from, until });
        return principal;
      })
      .finally(() => {
        if (!isDropped()) queries.delete(name);
      });
    queries.set(name, promise);
    return promise;
  };
  return {
    find: (credential, address) => findOut(credential, true, address),
    look: (credential, address) => findOut(credential, false, address),
    forget(credential) {
      const name = nameOf(credential);
      known.delete(name);
      recordingQueries.delete(name);
      checkingQueries.delete(name);
    },
  };
};

/** Returns the refusal of a request without a readable credential. */
export const credentialRefusal = (credential: CallerCredential): Problem =>
  unauthenticated(credential.kind === 'unreadable' ? credential.detail : NOTHING_SHOWN);

const KEY_REFUSALS = {
  unknown: 'There is no such API key.',
  revoked: 'The API key was revoked.',
  expired: 'The API key has expired.',
  disabled: 'The account of the person who made this API key is disabled.',
} as const;

const SESSION_REFUSALS = {
  unknown: 'The session has ended: sign in again.',
  expired: 'The session has expired: sign in again.',
  disabled: 'The account is disabled.',
} as const;

const MISTYPED =
  'The API key is mistyped or cut off: a key is swk_ and 36 letters and digits, and its check digits must fit.';

/** Finds principals by keys and sessions in the stores. A key whose check digits do not fit is refused without a query. */
export const createFindPrincipal =
  (ports: Pick<Ports, 'stores' | 'secrets' | 'clock'>, isWellFormedKey: (key: string) => boolean): FindPrincipal =>
  async ({ kind, secret }, use, address) => {
    if (kind === 'session') {
      const found = await authenticateSession(ports, secret, { use });
      if ('principal' in found) return found.principal;
      throw unauthenticated(SESSION_REFUSALS[found.cause]);
    }
    if (!isWellFormedKey(secret)) throw unauthenticated(MISTYPED);
    const found = await authenticateKey(ports, secret, address);
    if ('principal' in found) return found.principal;
    throw unauthenticated(KEY_REFUSALS[found.cause]);
  };

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The origins a page of ours can have: that of the base URL, and on the loopback all its names. Never the Host header. */
export const ownOrigins = (baseUrl: URL): ReadonlySet<string> => {
  if (!LOOPBACK.includes(baseUrl.hostname)) return new Set([baseUrl.origin]);
  const port = baseUrl.port === '' ? '' : `:${baseUrl.port}`;
  return new Set(LOOPBACK.map((host) => `${baseUrl.protocol}//${host}${port}`));
};

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const refusal = (): Problem =>
  new Problem('cross-site', 'The request carries a session but did not come from a page of this service.');

/**
 * Refuses an unsafe request that another site's page may have sent with this service's cookie.
 * @param proof `required`: a cookie was shown, so it must come from a page of ours; `if-any`: nothing was shown that another
 * site could abuse, but a page of another site is still refused (it would sign its visitor in to another account)
 * @throws Problem `cross-site`
 */
export const refuseCrossSite = (
  method: string,
  headers: IncomingHttpHeaders,
  origins: ReadonlySet<string>,
  proof: 'required' | 'if-any',
): void => {
  if (SAFE.has(method)) return;
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined) {
    if (!origins.has(headers.origin)) throw refusal();
    return;
  }
  if (site === 'same-origin') return;
  if (proof === 'required' || site !== undefined) throw refusal();
};

/** How the session cookie is named and protected, which depends on the address people use. */
export interface SessionCookie {
  readonly name: string;
  /** The `Set-Cookie` value that carries out a change. */
  header(change: SessionChange): string;
}

/**
 * Names and protects the session cookie: `__Host-shipworthy` with `Secure` over https, `shipworthy_session` over plain
 * http, which is for the loopback. Below a base path the cookie is sent to that path alone, which browsers refuse under
 * `__Host-`: the name is then `__Secure-shipworthy-` or `shipworthy_session-` and the path. The path is part of the
 * name because a service at `/a` is sent the cookies of `/` too.
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

/** A request that may carry a cookie. */
interface CookieRequest {
  readonly request: { readonly headers: IncomingHttpHeaders };
}

/** The cookie that shows that a device signed in to an account before; valid for a year after the last time. */
export interface DeviceCookie {
  readonly name: string;
  /** The device that the request shows; null: none, or a forged one. */
  shown(shower: CookieRequest): SignedDevice | null;
  /** The `Set-Cookie` value after the device of the request signed in to the account. */
  header(shower: CookieRequest, account: string): string;
}

interface DeviceCookieOptions {
  readonly baseUrl: URL;
  /** 32 bytes or more. */
  readonly secretKey: Uint8Array;
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Named and protected like the session cookie: over https `__Host-shipworthy-device`, over plain http `shipworthy_device`;
 * below a base path `__Secure-shipworthy-device-` and `shipworthy_device-` with the path, and sent to that path alone. It gives
 * no access: it only counts the device's tries to sign in apart from those of others.
 */
export const deviceCookie = ({ baseUrl, secretKey, clock, newId }: DeviceCookieOptions): DeviceCookie => {
  const { seal, open } = devices(secretKey);
  const secure = baseUrl.protocol === 'https:';
  const basePath = basePathOf(baseUrl);
  const prefix = basePath === '' ? '__Host-' : '__Secure-';
  const name = `${secure ? `${prefix}shipworthy-device` : 'shipworthy_device'}${basePath.replaceAll('/', '-')}`;
  const attributes = `Path=${basePath === '' ? '/' : basePath}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const shown: DeviceCookie['shown'] = ({ request: { headers } }) => {
    const text = headers.cookie === undefined ? undefined : cookieValue(headers.cookie, name);
    return text === undefined ? null : (open(text, clock()) ?? null);
  };
  return {
    name,
    shown,
    header: (shower, account) => {
      const now = clock();
      const device = shown(shower);
      const kept = seal(device?.isOf(account) ? device.id : newId(), account, now);
      return `${name}=${kept}; ${attributes}; Expires=${new Date(now + DEVICE_KNOWN_FOR).toUTCString()}`;
    },
  };
};
