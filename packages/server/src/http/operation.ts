import { isDeepStrictEqual } from 'node:util';
import type { Operation, Schema } from '@shipworthy/client/contract';
import { type Fault, heldReceipts, type PageKey, type PageRequest, type Stores } from '@shipworthy/domain';
import type { IdempotentRequest, Ports } from '@shipworthy/domain/ports';
import { createAnswer, locationIn, replyText } from './answer.js';
import {
  authenticateCaller,
  countSigned,
  createAuthoriseAgain,
  demandRole,
  limitRate,
  recheckAfterWait,
  refuseNotOffered,
  resolveRequestPath,
} from './authorization.js';
import { costlyPorts, storesThrough, turnOfLoop } from './costly-read.js';
import { answeredOnce, idempotentRequest } from './idempotency.js';
import { checkOf, takeBody, validateInput } from './input.js';
import { isBatch, portsOfChange, portsOfRead, readInOneTurn, refuseWhenFull, takeTurn } from './limits.js';
import { faulty } from './problem.js';
import type { Finished, ReadInput, RequestContext, RequestState, RequestStep } from './request.js';
import type { RequestServices } from './request-services.js';
import type { Reply, RouteContext, RouteHandler, RouteInput, SentDelivery } from './route.js';

const DEFAULT_PAGE = 50;
const FIRST_PAGE: PageRequest = { limit: DEFAULT_PAGE, after: null };

/** Names one list with its filters, so that a cursor continues that list only. */
const listName = ({ path }: RequestState, { query }: ReadInput): string => {
  const { cursor: _, limit: __, ...filters } = query as Record<string, unknown>;
  return `${path}?${JSON.stringify(Object.entries(filters).sort())}`;
};

/** Returns the headers and the raw body of a request. */
const deliveryOf = (ctx: RequestContext, { raw }: ReadInput): SentDelivery => {
  const headers = Object.entries(ctx.headers).map(([name, value]) => [name, value?.toString()]);
  return { headers: Object.fromEntries(headers), body: raw };
};

/** Calls a route with its checked input, on the given ports. */
type RouteCall = (
  ctx: RequestContext,
  input: ReadInput,
  ports: Ports,
  idempotency: IdempotentRequest | null,
) => Promise<Reply>;

const createRouteCall = <O extends Operation>(
  operation: O,
  route: RouteHandler<O>,
  services: RequestServices,
): RouteCall => {
  const { clock, cursors, principals, deviceCookie, questionTurns } = services;
  const usualPorts = services.portsOf(operation);
  const asItCame = operation.auth.kind === 'signature' || operation.bodyMode === 'foreign';
  const needs = 'role' in operation.auth ? (operation.auth.role ?? null) : null;
  const paged = operation.query?.properties?.cursor !== undefined;

  const pageOf = (state: RequestState, input: ReadInput): PageRequest => {
    const { limit = DEFAULT_PAGE, cursor } = input.query as { limit?: number; cursor?: string };
    if (cursor === undefined) return { limit, after: null };
    const after = cursors.openCursor(cursor, listName(state, input));
    if (after === undefined)
      throw faulty([
        { pointer: 'cursor', code: 'cursor', message: 'cursor must be the next_cursor of this very list' },
      ]);
    return { limit, after };
  };

  const shownSession = async ({ credential, address }: RequestState): Promise<string | null> => {
    if (credential.kind !== 'session') return null;
    try {
      return (await principals.find(credential, address)).id;
    } catch {
      return null; // What has ended already needs no replacing.
    }
  };

  return (ctx, input, ports, idempotency) => {
    const { state } = ctx;
    const { principal, place } = state.admission;
    const given = { path: state.values, query: input.query, body: input.body, ifMatch: input.ifMatch };
    const context = {
      principal,
      needs,
      ports,
      inOneTurn: readInOneTurn(usualPorts, questionTurns, state),
      place,
      address: state.address,
      requestId: state.requestId,
      basePath: state.basePath,
      idempotency,
      page: paged ? pageOf(state, input) : FIRST_PAGE,
      sealCursor: (next: PageKey | null) => next && cursors.sealCursor(next, listName(state, input)),
      bearer: operation.auth.kind === 'open' && state.credential.kind === 'api_key' ? state.credential.secret : null,
      shownSession: () => shownSession(state),
      shownDevice: (account: string) => {
        const device = deviceCookie.shown(ctx);
        return device?.isOf(account) ? device.id : null;
      },
      delivery: asItCame ? deliveryOf(ctx, input) : null,
      now: clock(),
    };
    // Input and place were checked against this very operation, which the compiler cannot follow.
    return route(given as unknown as RouteInput<O>, context as unknown as RouteContext<O>) as Promise<Reply>;
  };
};

/**
 * Creates the call of the route. Of a body that sends the record back, only the changes are passed on; without changes
 * the stored record is answered.
 */
const createCall = <O extends Operation>(
  operation: O,
  route: RouteHandler<O>,
  services: RequestServices,
  stored: StoredRecord | undefined,
): RouteCall => {
  const call = createRouteCall(operation, route, services);
  const comparison = createBodyComparison(operation, stored?.operation);
  const readStored = stored && createRouteCall(stored.operation, stored.route, services);
  if (comparison === undefined || readStored === undefined) return call;
  return async (ctx, input, ports, idempotency) => {
    if (!input.needsComparison || !comparison.isNeeded(input.body)) return call(ctx, input, ports, idempotency);
    const reading = { query: {}, body: undefined, raw: input.raw, ifMatch: null, needsComparison: false };
    const record = storedIn(await readStored(ctx, reading, ports, null));
    const compared = comparison.compare(input.body, record, input.ifMatch);
    if (compared.same) return { status: 200, body: { data: record } } as Reply;
    if (compared.faults.length > 0) throw faulty(compared.faults);
    return call(ctx, { ...input, body: compared.body }, ports, idempotency);
  };
};

/**
 * Returns the stores of a batch, whose work goes on in a separate turn of the event loop after each answer. Batches get
 * their answers from the database together, and all their work in one turn would hold the thread.
 */
const storesOfBatch = (stores: Stores): Stores =>
  storesThrough(stores, async (ask) => {
    const answer = await ask();
    await turnOfLoop();
    return answer;
  });

/** Runs the route, once per `Idempotency-Key` where the operation honours it. */
const createRun = (operation: Operation, call: RouteCall, services: RequestServices) => {
  const { clock, runningKeys, monotonic } = services;
  const usualPorts = services.portsOf(operation);
  const finish = (reply: Reply, { state }: RequestContext): Finished => ({
    reply,
    location: locationIn(operation, reply, state.values),
  });

  const requestOf = ({ headers, state: { admission, path, input } }: RequestContext): IdempotentRequest | null => {
    if (!operation.idempotent || admission.principal === null) return null;
    const key = headers['idempotency-key'];
    if (typeof key !== 'string') return null;
    return idempotentRequest(key, admission.principal, `${operation.method} ${path}`, input.raw, clock());
  };

  const portsFor = ({ state }: RequestContext): Ports => {
    if (operation.method === 'GET' || operation.costly) {
      const ports = portsOfRead(usualPorts, services.questionTurns, state);
      return state.gone === null ? ports : costlyPorts(ports, { signal: state.gone, monotonic });
    }
    // Batches have turns of their own.
    return isBatch(operation, state)
      ? { ...usualPorts, stores: storesOfBatch(usualPorts.stores) }
      : portsOfChange(usualPorts, services.changeTurns, state);
  };

  const runOnce = async (ctx: RequestContext, request: IdempotentRequest, ports: Ports): Promise<Finished> => {
    let receipts = heldReceipts(ports.receipts);
    const { status, location, body, replayed } = await answeredOnce(ports.stores, request, async (inside) => {
      const stores = isBatch(operation, ctx.state) ? storesOfBatch(inside) : inside;
      // The transaction may run this again from its beginning, so it begins with no receipts.
      receipts = heldReceipts(ports.receipts);
      const first = finish(await call(ctx, ctx.state.input, { ...ports, stores, receipts }, null), ctx);
      return { status: first.reply.status, location: first.location, body: replyText(first.reply) ?? '' };
    });
    receipts.release();
    return { reply: { status, text: body, replayed } as Reply, location };
  };

  return async (ctx: RequestContext): Promise<Finished> => {
    const { input } = ctx.state;
    const ports = portsFor(ctx);
    const request = requestOf(ctx);
    // The store of reports answers a repeated request with the first reply, so a repeat need not be refused here.
    if (request === null || operation.keepsKey) return finish(await call(ctx, input, ports, request), ctx);
    return runningKeys.alone(request, () => runOnce(ctx, request, ports));
  };
};

const callRoute = (operation: Operation, call: RouteCall, services: RequestServices): RequestStep => {
  const run = createRun(operation, call, services);
  return async (ctx) => {
    const { state } = ctx;
    state.finished = await run(ctx);
    if (operation.auth.kind === 'signature') countSigned(state, services);
    // The principal is read again, so that a person sees at once what their own change did to session and roles, such as a team
    // just created.
    if (state.credential.kind === 'session' && operation.method !== 'GET') services.principals.forget(state.credential);
  };
};

/** Answers with the reply of the route. */
const answerReply = (operation: Operation, services: RequestServices): RequestStep => {
  const answer = createAnswer(operation, services);
  const authoriseAgain = createAuthoriseAgain(operation, services);
  return async (ctx, next) => {
    await next();
    const { finished, admission, isLate } = ctx.state;
    if (finished === null || isLate) return;
    const { reply, location } = finished;
    if (reply.stream === undefined || admission.principal === null) answer(ctx, reply, location);
    else await services.streams.open(ctx, admission.principal, reply.stream, () => authoriseAgain(ctx));
  };
};

/** Stores the operation and the values of its path in the state, with ids in lower case. */
const nameOperation = (id: string, operation: Operation): RequestStep => {
  return (ctx, next) => {
    const { state } = ctx;
    const values: Record<string, string> = {};
    const given: Readonly<Record<string, string>> = ctx.params;
    for (const name in given) {
      const value = given[name] ?? '';
      values[name] = operation.parameters?.[name] === undefined ? value.toLowerCase() : value;
    }
    state.operation = operation;
    state.operationId = id;
    state.values = values;
    return next();
  };
};

/**
 * The steps of a request to an operation, in their order: each refuses before any later one looks. `stored` reads the record that
 * the operation changes, where there is such a read at the same address.
 */
export const stepsOf = <O extends Operation>(
  id: string,
  operation: O,
  route: RouteHandler<O>,
  services: RequestServices,
  stored?: StoredRecord,
): RequestStep[] => [
  nameOperation(id, operation),
  answerReply(operation, services),
  limitRate(operation, services),
  authenticateCaller(operation, services),
  ...refuseNotOffered(operation, services),
  resolveRequestPath(operation, services),
  demandRole(operation),
  refuseWhenFull(operation, services, services.answers),
  takeBody(operation, services.bodies),
  validateInput(operation, createBodyComparison(operation, stored?.operation)?.isNeeded),
  takeTurn(operation, services),
  recheckAfterWait(operation, services),
  callRoute(operation, createCall(operation, route, services, stored), services),
];

/** An operation that reads the record which another operation at the same address changes. */
interface StoredRecord {
  readonly operation: Operation;
  readonly route: RouteHandler<Operation>;
}

/** The result of comparing a body that sends a record back with the stored record. */
type ComparedBody =
  /** Everything in it equals the stored record: no change is asked for. */
  | { readonly same: true }
  /** The change it asks for, and all its faults. */
  | { readonly same: false; readonly body: unknown; readonly faults: readonly Fault[] };

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const recordSchema = ({ success }: Operation): Schema | undefined => {
  const data = success.body?.properties?.data;
  return data?.properties === undefined ? undefined : data;
};

/** The record in the answer of the operation that reads it. */
const storedIn = ({ body, text }: Reply): Members => {
  const answer = body ?? (text === undefined ? undefined : JSON.parse(text));
  const data: unknown = isObject(answer) ? answer.data : undefined;
  if (!isObject(data)) throw new Error('An operation that reads one record answers it as `data`.');
  return data;
};

const readOnly = (name: string): Fault => ({
  pointer: `/${name}`,
  code: 'read-only',
  message: `${name} cannot be changed here, and what was sent is not what is stored`,
});

/**
 * The rule for all operations that change a record which the same address answers: it may be sent back as it was
 * answered. Members that cannot be changed are ignored where they equal what is stored, and are faults where they
 * differ. Members that can be changed are ignored where they equal what is stored and hold a value that no request may
 * hold, such as null. Undefined for operations that change no such record.
 */
const createBodyComparison = ({ method, body: schema }: Operation, stored: Operation | undefined) => {
  const known = stored && recordSchema(stored)?.properties;
  const taken = schema?.properties;
  if (schema === undefined || known === undefined || taken === undefined || (method !== 'PUT' && method !== 'PATCH'))
    return undefined;
  // A version may be sent where the request takes one, too: `If-Match` decides there.
  const isOfRecord = (name: string): boolean => Object.hasOwn(known, name) && !Object.hasOwn(taken, name);
  const checkBody = checkOf(schema);

  return {
    /** Whether a body has to be compared with the stored record; for all others the record is not read. */
    isNeeded: (body: unknown): body is Members =>
      isObject(body) && Object.keys(body).some((name) => isOfRecord(name) || (name === 'version' && name in known)),

    compare: (body: Members, record: Members, ifMatch: number | null): ComparedBody => {
      const isEqual = (name: string): boolean =>
        Object.hasOwn(record, name) && isDeepStrictEqual(body[name], record[name]);
      // When the caller saw another version, the operation itself refuses.
      const isOutdated = ifMatch !== null && record.version !== undefined && ifMatch !== record.version;
      const names = Object.keys(body);
      if (!isOutdated && names.every(isEqual)) return { same: true };
      const refusals = isOutdated ? [] : names.filter((name) => isOfRecord(name) && !isEqual(name)).map(readOnly);
      const isAsked = (name: string): boolean => {
        if (isOfRecord(name)) return false;
        const ofMember = taken[name];
        return ofMember === undefined || !isEqual(name) || checkOf(ofMember)(body[name]).length === 0;
      };
      const asked = Object.fromEntries(names.filter(isAsked).map((name) => [name, body[name]]));
      return { same: false, body: asked, faults: [...refusals, ...checkBody(asked)] };
    },
  };
};
