import type { Operation } from '@shipworthy/client/contract';
import { atLeast, networkOf, type Principal, type Role, type Scope } from '@shipworthy/domain';
import { refusalOf, refuseCrossSite, unauthenticated } from './authentication.js';
import type { Machinery } from './machinery.js';
import { Problem } from './problem.js';
import { type Credential, credentialOf, type Exchange } from './request.js';

/** Demands that a key may be used for that; a session may be for everything. @throws Problem `missing-scope` */
export const requireScope = ({ scopes }: Principal, scope: Scope): void => {
  if (!scopes.includes(scope)) throw new Problem('missing-scope', `The API key needs the scope ${scope}.`);
};

/** Demands what the operation asks of a key or session: 403 says which. */
export const checkKind = ({ auth }: Operation, principal: Principal): void => {
  if (auth.kind === 'session' && principal.kind !== 'session')
    throw new Problem('session-only', 'Only a browser session may do this; API keys may not.');
  if (auth.kind === 'key' && auth.scope !== null) requireScope(principal, auth.scope);
  if (auth.kind === 'session' && auth.administrator && !principal.administrator)
    throw new Problem('forbidden', 'Only an administrator may do this.');
};

/** Demands the role in the team the path named; where the path names none, the use case decides. */
export const checkRole = ({ auth }: Operation, role: Role | undefined): void => {
  if (!('role' in auth) || auth.role === undefined || role === undefined || atLeast(role, auth.role)) return;
  throw new Problem('forbidden', `This needs the role ${auth.role} in the team; yours is ${role}.`);
};

const secretOf = (credential: Credential): string | null =>
  credential.kind === 'api_key' || credential.kind === 'session' ? credential.secret : null;

/** What those who sign are counted by, once one delivery from their network was signed rightly. */
const signer = ({ address }: Exchange): string => `signed:${networkOf(address)}`;

/** Moves a request whose signature turned out to be right from the anonymous ones to those who sign. */
export const countSigned = (exchange: Exchange, { rateLimit }: Machinery): void => {
  if (exchange.counted !== null) exchange.counted = rateLimit.recount(exchange.counted, signer(exchange));
};

/** Finds out who makes a request, or by `look` whose it still is: by key or session, or as the embedder does. @throws Problem `unauthenticated` */
export const createIdentify = (
  { method }: Operation,
  { principals, authenticate }: Machinery,
  by: 'find' | 'look' = 'find',
) => {
  return (exchange: Exchange, credential: Credential): Principal | Promise<Principal> => {
    if (authenticate === null) {
      if (credential.kind === 'none' || credential.kind === 'unreadable') throw refusalOf(credential);
      return principals[by](credential, exchange.address);
    }
    const { headers } = exchange.request;
    return authenticate({ method, headers, address: exchange.address }).then((principal) => {
      if (principal === null) throw unauthenticated('The request does not prove who makes it.');
      return principal;
    });
  };
};

/** Lets a request in, or says why not: limit (429), then who (401), then whether such a caller may (403). */
export const createAdmission = (operation: Operation, machinery: Machinery) => {
  const { rateLimit, sessionCookie, deviceCookie, origins } = machinery;
  const identify = createIdentify(operation, machinery);
  const { auth, unlimited, method } = operation;

  const letIn = (exchange: Exchange, secret: string | null, principal: Principal): Principal => {
    const { headers } = exchange.request;
    exchange.principal = principal;
    if (exchange.counted !== null)
      exchange.counted = rateLimit.recount(exchange.counted, secret ?? `${principal.kind}:${principal.id}`);
    const byCookie = headers.authorization === undefined && headers.cookie !== undefined;
    if (byCookie) refuseCrossSite(method, headers, origins, 'required');
    checkKind(operation, principal);
    return principal;
  };

  return (exchange: Exchange): Principal | null | Promise<Principal> => {
    const { headers } = exchange.request;
    if (auth.kind === 'signature') {
      if (!unlimited) exchange.counted = rateLimit.count(signer(exchange), exchange.address);
      return null;
    }
    const credential = credentialOf(headers, sessionCookie.name);
    exchange.credential = credential;
    const secret = secretOf(credential);
    if (!unlimited) exchange.counted = rateLimit.count(secret, exchange.address, deviceCookie.shown(exchange)?.account);
    if (auth.kind === 'open') {
      refuseCrossSite(method, headers, origins, credential.kind === 'session' ? 'required' : 'if-any');
      return null;
    }
    const found = identify(exchange, credential);
    if (found instanceof Promise) return found.then((principal) => letIn(exchange, secret, principal));
    return letIn(exchange, secret, found);
  };
};
