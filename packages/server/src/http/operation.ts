import type { Operation, OperationId } from '@shipworthy/client/contract';
import {
  type HookDelivery,
  heldReceipts,
  type IdempotentRequest,
  type Instant,
  type PageKey,
  type PageRequest,
  type Ports,
  type Principal,
} from '@shipworthy/domain';
import { createAnswer, locationIn, textOf } from './answer.js';
import { KNOWN_FOR_MS } from './authentication.js';
import { checkKind, checkRole, countSigned, createAdmission, createIdentify } from './authorization.js';
import { RequestAborted } from './body.js';
import { idempotentRequest, once } from './idempotency.js';
import { checkOf, createInputReader, type ReadInput } from './input.js';
import { costlyPorts, type Turns } from './limits.js';
import type { Machinery } from './machinery.js';
import { faulty, Problem } from './problem.js';
import { type Exchange, sharerOf } from './request.js';
import type { Reply, Route, RouteContext, RouteInput } from './route.js';
import type { OperationHandler } from './router.js';
import { createSentBack, type StoredRecord, storedIn } from './sent-back.js';
import type { FoundPlace } from './visibility.js';

/** A request that was let in, found and read. */
export interface Admitted {
  readonly exchange: Exchange;
  readonly path: Readonly<Record<string, string>>;
  readonly principal: Principal | null;
  readonly place: FoundPlace;
  readonly read: ReadInput;
}

const DEFAULT_PAGE = 50;
const FIRST_PAGE: PageRequest = { limit: DEFAULT_PAGE, after: null };

/** Names one list with its filters, so that a cursor continues that list only. */
const listName = ({ exchange, read }: Admitted): string => {
  const { cursor: _, limit: __, ...filters } = read.query as Record<string, unknown>;
  return `${exchange.path}?${JSON.stringify(Object.entries(filters).sort())}`;
};

/** The request as it came. */
const deliveryOf = ({ exchange, read }: Admitted): HookDelivery => {
  const headers = Object.entries(exchange.request.headers).map(([name, value]) => [name, value?.toString()]);
  return { headers: Object.fromEntries(headers), body: read.raw };
};

/** Calls a route with what its operation declares, on the given ports. */
export const createRouteCall = <O extends Operation>(operation: O, route: Route<O>, machinery: Machinery) => {
  const { clock, cursors, principals, deviceCookie } = machinery;
  const asItCame = operation.auth.kind === 'signature' || operation.bodyMode === 'foreign';
  const paged = operation.query?.properties?.cursor !== undefined;

  const pageOf = (admitted: Admitted): PageRequest => {
    const { limit = DEFAULT_PAGE, cursor } = admitted.read.query as { limit?: number; cursor?: string };
    if (cursor === undefined) return { limit, after: null };
    const after = cursors.openCursor(cursor, listName(admitted));
    if (after === undefined)
      throw faulty([
        { pointer: 'cursor', code: 'cursor', message: 'cursor must be the next_cursor of this very list' },
      ]);
    return { limit, after };
  };

  const shownSession = async ({ credential, address }: Exchange): Promise<string | null> => {
    if (credential.kind !== 'session') return null;
    try {
      return (await principals.find(credential, address)).id;
    } catch {
      return null; // What has ended already needs no replacing.
    }
  };

  return (admitted: Admitted, ports: Ports, idempotency: IdempotentRequest | null): Promise<Reply> => {
    const { exchange, path, principal, place, read } = admitted;
    const input = { path, query: read.query, body: read.body, ifMatch: read.ifMatch };
    const context = {
      principal,
      ports,
      place,
      address: exchange.address,
      requestId: exchange.requestId,
      basePath: exchange.basePath,
      idempotency,
      page: paged ? pageOf(admitted) : FIRST_PAGE,
      sealCursor: (next: PageKey | null) => next && cursors.sealCursor(next, listName(admitted)),
      bearer:
        operation.auth.kind === 'open' && exchange.credential.kind === 'api_key' ? exchange.credential.secret : null,
      shownSession: () => shownSession(exchange),
      shownDevice: (account: string) => {
        const device = deviceCookie.shown(exchange);
        return device?.isOf(account) ? device.id : null;
      },
      delivery: asItCame ? deliveryOf(admitted) : null,
      now: clock(),
    };
    // Input and place were checked against this very operation, which the compiler cannot follow.
    return route(input as unknown as RouteInput<O>, context as unknown as RouteContext<O>) as Promise<Reply>;
  };
};

/** Who was let in, with what the path names, and when. */
interface Entry {
  readonly principal: Principal | null;
  readonly place: FoundPlace;
  readonly at: Instant;
}

interface Finished {
  readonly reply: Reply;
  readonly location: string | null;
}

/** Reports carry their key into the transaction that stores them together with others. */
const REMEMBERED_BY_ROUTE: ReadonlySet<string> = new Set<OperationId>(['recordDeployment', 'recordTestRun']);

/**
 * The principal asked for anew when the path names a team that the remembered one has no role in: it may have joined or
 * founded the team a moment ago, at another instance too.
 */
const createSecondLook = ({ principals, authenticate }: Machinery) => {
  return (exchange: Exchange, principal: Principal, teamId: string | undefined): Principal | Promise<Principal> => {
    const { credential } = exchange;
    if (teamId === undefined || principal.roles.has(teamId) || authenticate !== null) return principal;
    if (credential.kind !== 'session' && credential.kind !== 'api_key') return principal;
    principals.forget(credential);
    return principals.find(credential, exchange.address);
  };
};

/** Calls the route, with what a body that was sent back asks for; one that asks for nothing is answered with the record. */
const createCall = <O extends Operation>(
  operation: O,
  route: Route<O>,
  machinery: Machinery,
  stored: StoredRecord | undefined,
): ReturnType<typeof createRouteCall<O>> => {
  const call = createRouteCall(operation, route, machinery);
  const sentBack = createSentBack(operation, stored?.operation);
  const readStored = stored && createRouteCall(stored.operation, stored.route, machinery);
  if (sentBack === undefined || readStored === undefined) return call;
  return async (admitted, ports, idempotency) => {
    const { read } = admitted;
    if (!read.isSentBack || !sentBack.concerns(read.body)) return call(admitted, ports, idempotency);
    const reading = { query: {}, body: undefined, raw: read.raw, ifMatch: null, isSentBack: false };
    const record = storedIn(await readStored({ ...admitted, read: reading }, ports, null));
    const settled = sentBack.settle(read.body, record, read.ifMatch);
    if (settled.same) return { status: 200, body: { data: record } } as Reply;
    if (settled.faults.length > 0) throw faulty(settled.faults);
    return call({ ...admitted, read: { ...read, body: settled.body } }, ports, idempotency);
  };
};

/** Runs the route, once per `Idempotency-Key` where the operation honours it. */
const createRun = <O extends Operation>(
  id: string,
  operation: O,
  call: ReturnType<typeof createRouteCall<O>>,
  machinery: Machinery,
) => {
  const { clock, runningKeys, monotonic } = machinery;
  const usualPorts = machinery.portsOf(id);
  const finish = (reply: Reply, { path }: Admitted): Finished => ({
    reply,
    location: locationIn(operation, reply, path),
  });

  const requestOf = ({ exchange, principal, read }: Admitted): IdempotentRequest | null => {
    if (!operation.idempotent || principal === null) return null;
    const key = exchange.request.headers['idempotency-key'];
    if (typeof key !== 'string') return null;
    return idempotentRequest(key, principal, `${operation.method} ${exchange.path}`, read.raw, clock());
  };

  const runOnce = async (admitted: Admitted, request: IdempotentRequest): Promise<Finished> => {
    const ports = usualPorts;
    let receipts = heldReceipts(ports.receipts);
    const { status, location, body, replayed } = await once(ports.stores, request, async (stores) => {
      // The work may be done again, from its beginning.
      receipts = heldReceipts(ports.receipts);
      const first = finish(await call(admitted, { ...ports, stores, receipts }, null), admitted);
      return { status: first.reply.status, location: first.location, body: textOf(first.reply) ?? '' };
    });
    receipts.release();
    return { reply: { status, text: body, replayed } as Reply, location };
  };

  return async (admitted: Admitted, signal: AbortSignal | null): Promise<Finished> => {
    const ports = signal === null ? usualPorts : costlyPorts(usualPorts, { signal, monotonic });
    const request = requestOf(admitted);
    // A report's store answers whoever comes second with the first one's reply, so nobody needs to be sent away.
    if (request === null || REMEMBERED_BY_ROUTE.has(id)) return finish(await call(admitted, ports, request), admitted);
    return runningKeys.alone(request, () => runOnce(admitted, request));
  };
};

/** The signal that fires when the connection is closed, before or after the answer: the rest of the work has no reader. */
const goneSignal = ({ response }: Exchange): AbortSignal => {
  const gone = new AbortController();
  const abort = (): void => gone.abort(new RequestAborted());
  if (response.closed) abort();
  else response.once('close', abort);
  return gone.signal;
};

const inTurn = async <Result>(turns: Turns, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
  await turns.take(signal);
  try {
    return await work();
  } finally {
    turns.giveBack();
  }
};

/**
 * The whole way of one operation: admission, visibility, role, input, idempotency, route, answer. `stored` reads the record that
 * the operation changes, where there is such a read at the same address.
 */
export const createOperationHandler = <O extends Operation>(
  id: string,
  operation: O,
  route: Route<O>,
  machinery: Machinery,
  stored?: StoredRecord,
): OperationHandler => {
  const { visibility, work, bodies, send, principals, streams, clock } = machinery;
  // Batches that all ask for the database at once would keep everybody else from it.
  const turnsFor = (exchange: Exchange): Turns | null => {
    if (operation.costly) return machinery.readTurns.of(sharerOf(exchange));
    return operation.bodyMode === 'batch' ? machinery.batchTurns.of(sharerOf(exchange)) : null;
  };
  const admit = createAdmission(operation, machinery);
  const identify = createIdentify(operation, machinery, 'look');
  const findPlace = visibility(operation);
  const lookAgain = createSecondLook(machinery);
  const readInput = createInputReader(operation, bodies, createSentBack(operation, stored?.operation)?.concerns);
  const run = createRun(id, operation, createCall(operation, route, machinery, stored), machinery);
  const answer = createAnswer(operation, machinery);
  const words = Object.entries(operation.parameters ?? {}).map(([name, schema]) => ({
    name,
    check: checkOf(schema),
  }));

  const authoriseAgain = async (exchange: Exchange): Promise<Principal> => {
    const principal = await identify(exchange, exchange.credential);
    checkKind(operation, principal);
    return principal;
  };

  /** What the request was let in by, found out anew where a body or a turn was waited for: rights end within two seconds. */
  const stillAdmitted = async (exchange: Exchange, path: Readonly<Record<string, string>>, entry: Entry) => {
    if (entry.principal === null || clock() - entry.at < KNOWN_FOR_MS) return entry;
    const at = clock();
    const principal = await authoriseAgain(exchange);
    const place = await findPlace(path, principal);
    checkRole(operation, place.role);
    return { principal, place, at };
  };

  /** Path parameters as given; ids in lower case, which is how they are stored. */
  const pathOf = (given: Readonly<Record<string, string>>): Record<string, string> => {
    const path: Record<string, string> = {};
    for (const name in given) {
      const value = given[name] ?? '';
      path[name] = operation.parameters?.[name] === undefined ? value.toLowerCase() : value;
    }
    return path;
  };

  const checkWords = (path: Readonly<Record<string, string>>): void => {
    for (const { name, check } of words)
      if (check(path[name]).length > 0)
        throw new Problem('not-found', `There is no such ${name.replaceAll('_', ' ')}.`);
  };

  return async (exchange, params) => {
    exchange.operation = operation;
    exchange.operationId = id;
    const path = pathOf(params);
    const at = clock();
    // Most answers to these three questions are known at once, and waiting for a known answer costs as much as finding it.
    const letIn = admit(exchange);
    const known = letIn instanceof Promise ? await letIn : letIn;
    checkWords(path);
    const looked = known && lookAgain(exchange, known, path.team_id);
    const principal = looked instanceof Promise ? await looked : looked;
    const found = findPlace(path, principal);
    const place = found instanceof Promise ? await found : found;
    checkRole(operation, place.role);
    const isBounded = !operation.unlimited;
    if (isBounded) work.refuseWhenFull(exchange);
    turnsFor(exchange)?.refuseWhenFull();
    let followed: Promise<void> | undefined;
    try {
      const reading = readInput(exchange);
      const read = reading instanceof Promise ? await reading : reading;
      // Others may have begun while the body came in.
      if (isBounded && reading instanceof Promise) work.refuseWhenFull(exchange);
      work.begin(exchange);
      try {
        const turns = turnsFor(exchange);
        const signal = turns === null ? null : goneSignal(exchange);
        const runIt = async () => {
          const entry = await stillAdmitted(exchange, path, { principal, place, at });
          return run(
            { exchange, path, principal: entry.principal, place: entry.place, read },
            operation.costly ? signal : null,
          );
        };
        const { reply, location } = await (turns === null || signal === null ? runIt() : inTurn(turns, signal, runIt));
        if (operation.auth.kind === 'signature') countSigned(exchange, machinery);
        // A person sees at once what the own change made of session and roles, such as a team just created.
        if (exchange.credential.kind === 'session' && operation.method !== 'GET')
          principals.forget(exchange.credential);
        if (reply.stream === undefined || principal === null) send(exchange, answer(exchange, reply, location));
        else followed = streams.open(exchange, principal, reply.stream, () => authoriseAgain(exchange));
      } finally {
        work.end(exchange);
      }
    } finally {
      bodies.giveBack(exchange);
    }
    // A stream may go on for hours, which is nothing the service has to work on.
    await followed;
  };
};
