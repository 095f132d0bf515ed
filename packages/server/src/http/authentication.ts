import type { IncomingHttpHeaders } from 'node:http';
import type { Clock, Instant, Principal } from '@shipworthy/domain';
import { BoundedMap } from './bounded-map.js';
import type { Credential } from './credential.js';
import { Problem } from './problem.js';

/** Finds out who a credential belongs to. @throws Problem `unauthenticated` that says why it is not valid */
export type FindPrincipal = (credential: ShownCredential) => Promise<Principal>;
export type ShownCredential = Extract<Credential, { readonly kind: 'api_key' | 'session' }>;

/** What an embedding organisation's own authentication gets to see. */
export interface AuthenticationRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
}

/** Own authentication: the principal, or null when the request proves nobody. */
export type Authenticate = (request: AuthenticationRequest) => Promise<Principal | null>;

/** So long a principal is taken for what it was; revocation acts within this time and that of one query. */
const KNOWN_FOR_MS = 1000;
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
  find(credential: ShownCredential): Principal | Promise<Principal>;
  /** Forgets a credential that was given up. */
  forget(secret: string): void;
}

/** Keeps principals for one second at most. */
export const createPrincipalCache = (find: FindPrincipal, clock: Clock): PrincipalCache => {
  const known = new BoundedMap<string, { readonly principal: Principal; readonly until: Instant }>(REMEMBERED);
  const asked = new Map<string, Promise<Principal>>();
  const ask = async (credential: ShownCredential): Promise<Principal> => {
    const from = clock();
    try {
      const principal = await find(credential);
      known.set(credential.secret, { principal, until: Math.min(from + KNOWN_FOR_MS, principal.expiresAt) });
      return principal;
    } finally {
      asked.delete(credential.secret);
    }
  };
  return {
    find(credential) {
      const entry = known.get(credential.secret);
      if (entry !== undefined && entry.until > clock()) return entry.principal;
      const running = asked.get(credential.secret);
      if (running !== undefined) return running;
      const promise = ask(credential);
      asked.set(credential.secret, promise);
      return promise;
    },
    forget(secret) {
      known.delete(secret);
      asked.delete(secret);
    },
  };
};

/** The refusal that fits what was shown. */
export const refusalOf = (credential: Credential): Problem =>
  unauthenticated(credential.kind === 'unreadable' ? credential.detail : NOTHING_SHOWN);
