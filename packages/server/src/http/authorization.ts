import type { Operation } from '@shipworthy/client/contract';
import { atLeast, networkOf, type Principal, type Role, type Scope } from '@shipworthy/domain';
import { credentialRefusal, KNOWN_FOR_MS, refuseCrossSite, unauthenticated } from './authentication.js';
import { checkOf } from './input.js';
import { Problem } from './problem.js';
import {
  type CallerCredential,
  credentialOf,
  type RequestContext,
  type RequestState,
  type RequestStep,
} from './request.js';
import type { RequestServices } from './request-services.js';

/** Checks that a key has the scope; a session has all scopes. @throws Problem `missing-scope` */
export const requireScope = ({ scopes }: Principal, scope: Scope): void => {
  if (!scopes.includes(scope)) throw new Problem('missing-scope', `The API key needs the scope ${scope}.`);
};

/** Checks the kind, scope and administrator right that an operation asks of a principal. @throws Problem with 403 */
const checkKind = ({ auth }: Operation, principal: Principal): void => {
  if (auth.kind === 'session' && principal.kind !== 'session')
    throw new Problem('session-only', 'Only a browser session may do this; API keys may not.');
  if (auth.kind === 'key' && auth.scope !== null) requireScope(principal, auth.scope);
  if (auth.kind === 'session' && auth.administrator && !principal.administrator)
    throw new Problem('forbidden', 'Only an administrator may do this.');
};

/** Checks the role in the team that the path names; where it names none, the use case decides. */
const checkRole = ({ auth }: Operation, role: Role | undefined): void => {
  if (!('role' in auth) || auth.role === undefined || role === undefined || atLeast(role, auth.role)) return;
  throw new Problem('forbidden', `This needs the role ${auth.role} in the team; yours is ${role}.`);
};

const secretOf = (credential: CallerCredential): string | null =>
  credential.kind === 'api_key' || credential.kind === 'session' ? credential.secret : null;

/** Returns the key under which signed requests of a network are counted, once one of them had a valid signature. */
const signedRequestsKey = ({ address }: RequestState): string => `signed:${networkOf(address)}`;

/** Counts a request with a valid signature no longer as anonymous, but as signed. */
export const countSigned = (state: RequestState, { rateLimit }: RequestServices): void => {
  if (state.counted !== null) state.counted = rateLimit.recount(state.counted, signedRequestsKey(state));
};

/** Counts a request by the credential it shows, before that is checked, and refuses one too many (429). */
export const limitRate = (
  { auth, unlimited }: Operation,
  { rateLimit, sessionCookie, deviceCookie }: RequestServices,
): RequestStep => {
  const isSigned = auth.kind === 'signature';
  return (ctx, next) => {
    const { state } = ctx;
    if (!isSigned) state.credential = credentialOf(ctx.req.headers, sessionCookie.name);
    if (!unlimited)
      state.counted = isSigned
        ? rateLimit.count(signedRequestsKey(state), state.address)
        : rateLimit.count(secretOf(state.credential), state.address, deviceCookie.shown(ctx)?.account);
    return next();
  };
};

/**
 * Finds out who makes a request, or with `look` whether the credential is still valid: by key or session, or by the embedder's
 * own authentication. @throws Problem `unauthenticated`
 */
const createIdentify = (
  { method }: Operation,
  { principals, authenticate }: RequestServices,
  by: 'find' | 'look' = 'find',
) => {
  return ({ req: { headers }, state: { credential, address } }: RequestContext): Principal | Promise<Principal> => {
    if (authenticate === null) {
      if (credential.kind === 'none' || credential.kind === 'unreadable') throw credentialRefusal(credential);
      return principals[by](credential, address);
    }
    return authenticate({ method, headers, address }).then((principal) => {
      if (principal === null) throw unauthenticated('The request does not prove who makes it.');
      return principal;
    });
  };
};

const isBearer = (authorization: string | undefined): boolean => /^bearer /i.test(authorization ?? '');

/** Finds out who makes a request (401), and whether such a caller may (403). */
export const authenticateCaller = (operation: Operation, services: RequestServices): RequestStep => {
  const { rateLimit, origins, authenticate } = services;
  const { auth, method } = operation;
  // A signed request shows no credential: the route checks the signature.
  if (auth.kind === 'signature') return (_, next) => next();
  if (auth.kind === 'open')
    return ({ headers, state }, next) => {
      refuseCrossSite(method, headers, origins, state.credential.kind === 'session' ? 'required' : 'if-any');
      return next();
    };
  const identify = createIdentify(operation, services);
  const turnAway = (state: RequestState, thrown: unknown): never => {
    const secret = secretOf(state.credential);
    if (secret !== null && state.counted !== null && thrown instanceof Problem && thrown.type === 'unauthenticated')
      state.counted = rateLimit.forget(secret, state.counted, state.address);
    throw thrown;
  };
  const letIn = ({ req: { headers }, state }: RequestContext, principal: Principal): void => {
    state.principal = principal;
    if (state.counted !== null) {
      const secret = secretOf(state.credential);
      // An embedder's own authentication may accept a request for something else: a token beside it proves nothing, and a count
      // of its own for each token would be no limit.
      const caller = (authenticate === null ? secret : null) ?? `${principal.kind}:${principal.id}`;
      state.counted = rateLimit.recount(state.counted, caller, secret);
    }
    // Browsers never add a bearer token by themselves. Everything else by which an embedder identifies people
    // (certificates, addresses, headers, other kinds of Authorization) may be added, by browsers or proxies, to
    // requests of any page.
    const byCookie = headers.authorization === undefined && headers.cookie !== undefined;
    if (!isBearer(headers.authorization)) refuseCrossSite(method, headers, origins, byCookie ? 'required' : 'if-any');
    checkKind(operation, principal);
  };
  return (ctx, next) => {
    const found = identify(ctx);
    if (found instanceof Promise)
      return found.then(
        (principal) => {
          letIn(ctx, principal);
          return next();
        },
        (thrown) => turnAway(ctx.state, thrown),
      );
    letIn(ctx, found);
    return next();
  };
};

/**
 * Asks for the principal again when the path names a team in which the cached one has no role: the person may have
 * joined or founded the team a moment ago, at another instance too.
 */
const createPrincipalRefresh = ({ principals, authenticate }: RequestServices) => {
  return ({ credential, address }: RequestState, principal: Principal, teamId: string | undefined) => {
    if (teamId === undefined || principal.roles.has(teamId) || authenticate !== null) return principal;
    if (credential.kind !== 'session' && credential.kind !== 'api_key') return principal;
    principals.forget(credential);
    return principals.find(credential, address);
  };
};

/** Finds the records that the path names. One that the caller may not see is answered as missing (404). */
export const resolveRequestPath = (operation: Operation, services: RequestServices): RequestStep => {
  const resolvePath = services.visibility(operation);
  const refreshPrincipal = createPrincipalRefresh(services);
  const words = Object.entries(operation.parameters ?? {}).map(([name, schema]) => ({ name, check: checkOf(schema) }));
  const find = async (state: RequestState): Promise<void> => {
    const { values, at } = state;
    const refreshed = state.principal && refreshPrincipal(state, state.principal, values.team_id);
    const principal = refreshed instanceof Promise ? await refreshed : refreshed;
    const found = resolvePath(values, principal);
    state.admission = { principal, place: found instanceof Promise ? await found : found, at };
  };
  return ({ state }, next) => {
    for (const { name, check } of words)
      if (check(state.values[name]).length > 0)
        throw new Problem('not-found', `There is no such ${name.replaceAll('_', ' ')}.`);
    return find(state).then(next);
  };
};

/** Refuses what the service has no stores for (501). */
export const refuseNotOffered = ({ group }: Operation, { notOffered }: RequestServices): readonly RequestStep[] => {
  if (group === undefined || !notOffered.has(group)) return [];
  return [
    () => {
      throw new Problem('not-offered', `This service has no stores of the group ${group}.`);
    },
  ];
};

/** Checks the role that the operation needs in the team of the path (403). */
export const demandRole = (operation: Operation): RequestStep => {
  return ({ state }, next) => {
    checkRole(operation, state.admission.place.role);
    return next();
  };
};

/** Creates a function that checks a request's credential and rights again, without counting as a use of the session. */
export const createAuthoriseAgain = (operation: Operation, services: RequestServices) => {
  const identify = createIdentify(operation, services, 'look');
  return async (ctx: RequestContext): Promise<Principal> => {
    const principal = await identify(ctx);
    checkKind(operation, principal);
    return principal;
  };
};

/**
 * Checks again who makes the request and what they may do when it had to wait for its body or a turn: revoked rights end within
 * two seconds.
 */
export const recheckAfterWait = (operation: Operation, services: RequestServices): RequestStep => {
  const { clock } = services;
  const resolvePath = services.visibility(operation);
  const authoriseAgain = createAuthoriseAgain(operation, services);
  const again = async (ctx: RequestContext): Promise<void> => {
    const at = clock();
    const principal = await authoriseAgain(ctx);
    const place = await resolvePath(ctx.state.values, principal);
    checkRole(operation, place.role);
    ctx.state.admission = { principal, place, at };
  };
  return (ctx, next) => {
    const { principal, at } = ctx.state.admission;
    const waited = clock() - at;
    const isFresh = waited >= 0 && waited < KNOWN_FOR_MS;
    return principal === null || isFresh ? next() : again(ctx).then(next);
  };
};
