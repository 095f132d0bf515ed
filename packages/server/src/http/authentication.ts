import type { IncomingHttpHeaders } from 'node:http';
import type { Clock, Instant, Principal } from '@shipworthy/domain';
import { BoundedMap } from './bounded-map.js';
import type { Credential } from './credential.js';
import { Problem } from './problem.js';

/** Finds out who a credential belongs to, by a request (`use`) from that network address or to look whether that still holds. @throws Problem `unauthenticated` that says why it is not valid */
export type FindPrincipal = (credential: ShownCredential, use: boolean, address: string) => Promise<Principal>;
export type ShownCredential = Extract<Credential, { readonly kind: 'api_key' | 'session' }>;

/** What an embedding organisation's own authentication gets to see. */
export interface AuthenticationRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
}

/** Own authentication: the principal, or null when the request proves nobody. */
export type Authenticate = (request: AuthenticationRequest) => Promise<Principal | null>;

/** So many milliseconds a principal is taken for what it was; revocation acts within this time and that of one query. */
export const KNOWN_FOR_MS = 1000;
const REMEMBERED = 10_000;

/** The refusal of a request that proves nobody. */
export const unauthenticated = (detail: string): Problem => {
  const shown = detail === NOTHING_SHOWN ? '' : ', error="invalid_token"';
  return new Problem('unauthenticated', detail, {
    headers: { 'WWW-Authenticate': `Bearer realm="shipworthy"${shown}` },
  });
};
const NOTHING_SHOWN = 'Send an API key as "Authorization: Bearer", or sign in.';

export interface PrincipalCache {
  /** At once for a credential seen within the last second, else after one query; who asks meanwhile waits for the same. */
  find(credential: ShownCredential, address: string): Principal | Promise<Principal>;
  /** The same for what goes on by itself: it does not count as a use, so that nobody stays signed in by it. */
  look(credential: ShownCredential, address: string): Principal | Promise<Principal>;
  /** Forgets a credential that was given up. */
  forget(credential: ShownCredential): void;
}

interface Known {
  readonly principal: Principal;
  readonly until: Instant;
  readonly used: boolean;
}

/** A session's secret is no API key, and a key no session: what is known of one says nothing of the other. */
const nameOf = ({ kind, secret }: ShownCredential): string => `${kind} ${secret}`;

/** Keeps principals for one second at most. */
export const createPrincipalCache = (find: FindPrincipal, clock: Clock): PrincipalCache => {
  const known = new BoundedMap<string, Known>(REMEMBERED);
  const asked = new Map<string, Promise<Principal>>();
  const looked = new Map<string, Promise<Principal>>();
  const ask = async (credential: ShownCredential, use: boolean, address: string): Promise<Principal> => {
    const from = clock();
    const name = nameOf(credential);
    try {
      const principal = await find(credential, use, address);
      known.set(name, { principal, used: use, until: Math.min(from + KNOWN_FOR_MS, principal.expiresAt) });
      return principal;
    } finally {
      (use ? asked : looked).delete(name);
    }
  };
  const findOut = (credential: ShownCredential, use: boolean, address: string): Principal | Promise<Principal> => {
    const name = nameOf(credential);
    const entry = known.get(name);
    // A use is found out anew after a mere look, which may have left the session idle.
    if (entry !== undefined && entry.until > clock() && (entry.used || !use)) return entry.principal;
    const running = (use ? asked : looked).get(name);
    if (running !== undefined) return running;
    const promise = ask(credential, use, address);
    (use ? asked : looked).set(name, promise);
    return promise;
  };
  return {
    find: (credential, address) => findOut(credential, true, address),
    look: (credential, address) => findOut(credential, false, address),
    forget(credential) {
      const name = nameOf(credential);
      known.delete(name);
      asked.delete(name);
      looked.delete(name);
    },
  };
};

/** The refusal that fits what was shown. */
export const refusalOf = (credential: Credential): Problem =>
  unauthenticated(credential.kind === 'unreadable' ? credential.detail : NOTHING_SHOWN);
