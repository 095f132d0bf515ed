import cors from '@koa/cors';
import { Router } from '@koa/router';
import type { Operation } from '@shipworthy/client/contract';
import Koa from 'koa';
import compose from 'koa-compose';
import { answerProblem, compressAnswers } from './http/answer.js';
import { withoutBasePath } from './http/base-path.js';
import { RequestAborted } from './http/body.js';
import { stepsOf } from './http/operation.js';
import { Problem, problemOf } from './http/problem.js';
import { callerAddress } from './http/rate-limit.js';
import {
  pathOfTarget,
  queryOf,
  type RequestContext,
  type RequestState,
  type RequestStep,
  requestIdOf,
  stateAtFirst,
  traceParentOf,
} from './http/request.js';
import type { RequestServices } from './http/request-services.js';
import type { RouteHandler, RoutesOf } from './http/route.js';
import { type Log, redacted } from './observability/log.js';
import type { Metrics } from './observability/metrics.js';
import { type FixedPage, servePages } from './pages.js';
import { type ApplicationFiles, answerReturned, serveApplication } from './web-files.js';
import { wireMoment } from './wire.js';

/** Longest logged path, in characters: a path that matches no operation can have any length. */
const LONGEST_PATH = 200;

const quoted = (path: string): string =>
  JSON.stringify(path.includes('swk_') ? redacted(path.slice(0, LONGEST_PATH)) : path.slice(0, LONGEST_PATH));

/** The log line of one request: no query, no header, no body, so that no secret can be in it. */
const requestLine = ({ req, res, state }: RequestContext, at: number, milliseconds: number): string => {
  const { principal, operationId } = state;
  const who = principal === null ? 'null' : `"${principal.kind}:${principal.id}"`;
  // The length of an answer that is compressed while it is sent is not known here: null.
  const bytes = state.openedAt === null ? (res.getHeader('Content-Length') ?? null) : state.streamed;
  return `{"time":"${wireMoment(at)}","level":"info","message":"request","request_id":"${state.requestId}","method":"${req.method}","path":${quoted(state.path)},"operation":"${operationId}","status":${res.statusCode},"ms":${milliseconds.toFixed(2)},"bytes":${bytes},"who":${who},"address":"${state.address}"}`;
};

interface AppOptions<Table extends Readonly<Record<string, Operation>>> {
  readonly table: Table;
  readonly routes: RoutesOf<Table>;
  readonly services: RequestServices;
  /** Pages beside the operations, by path. */
  readonly pages: Readonly<Record<string, FixedPage>>;
  /** The application in the browser; null: not served. */
  readonly application: ApplicationFiles | null;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The monotonic clock of the process, in milliseconds; for durations and deadlines. */
  readonly monotonic: () => number;
  readonly newId: () => string;
  readonly trustedProxies: number;
  /** Origins whose pages may call the service with an API key. */
  readonly corsOrigins: readonly string[];
  /** Called at the end of every request that may have stored something. */
  stored(): void;
}

type NoteOptions = Pick<
  AppOptions<Readonly<Record<string, Operation>>>,
  'services' | 'log' | 'metrics' | 'monotonic' | 'newId' | 'trustedProxies' | 'stored'
>;

const isEmpty = (kept: object): boolean => {
  for (const _ in kept) return false;
  return true;
};

/** Creates the state of a request. At its end sets the common headers, writes the log line and counts the request. */
const noteRequest = (options: NoteOptions): RequestStep => {
  const { services, log, metrics, monotonic, newId, trustedProxies, stored } = options;
  const { clock, basePath } = services;
  const note = (ctx: RequestContext): void => {
    const { operationId, startedAt, openedAt } = ctx.state;
    const milliseconds = monotonic() - startedAt;
    // For a stream the time to its beginning is measured; the log says how long it was open.
    metrics.request(operationId, ctx.res.statusCode, openedAt === null ? milliseconds : openedAt - startedAt);
    if (log.informs) log.line(requestLine(ctx, clock(), milliseconds));
    if (ctx.req.method !== 'GET' && ctx.req.method !== 'HEAD') stored();
  };
  return async (ctx, next) => {
    const { req } = ctx;
    const target = req.url ?? '';
    const path = pathOfTarget(target);
    // A proxy may send a whole address as the target; Koa and its router must see only the path and query.
    if (!target.startsWith('/')) ctx.url = `${path}?${queryOf(target)}`;
    const known = stateAtFirst({
      requestId: requestIdOf(req.headers, newId),
      traceParent: traceParentOf(req.headers),
      path: withoutBasePath(path, basePath),
      basePath,
      address: callerAddress(req, trustedProxies),
      startedAt: monotonic(),
      at: clock(),
    });
    // Keeps what a surrounding program stored in `ctx.state`.
    ctx.state = isEmpty(ctx.state) ? known : { ...ctx.state, ...known };
    try {
      await next();
      services.setHeaders(ctx);
    } finally {
      note(ctx);
    }
  };
};

const INTERNAL = 'The service has a fault; it was noted under the request id.';

/** The status that metrics and log show when the caller left before the answer; it is never sent. */
const CALLER_GONE = 499;

/**
 * Answers refusals and faults as problems. A route beyond its time limit is answered by a refusal; its work goes on.
 */
const answerFaults = (log: Log, { clock }: RequestServices, hasApplication: boolean): RequestStep => {
  const fault = ({ state: { requestId, operationId } }: RequestContext, thrown: unknown): Problem => {
    const { stack, message } = thrown instanceof Error ? thrown : new Error(`thrown: ${String(thrown)}`);
    log.error('fault', { request_id: requestId, operation: operationId, error: message, stack });
    return new Problem('internal', INTERNAL);
  };

  let isConsumedNoted = false;
  /** Logs only the first one: every body is refused so until the surrounding program is changed. */
  const noteConsumed = ({ requestId, operationId }: RequestState, { detail }: Problem): void => {
    if (isConsumedNoted) return;
    isConsumedNoted = true;
    log.error('body consumed', { request_id: requestId, operation: operationId, error: detail });
  };

  const answer = (ctx: RequestContext, thrown: unknown): void => {
    if (thrown instanceof RequestAborted) {
      ctx.body = null;
      ctx.status = CALLER_GONE;
      ctx.res.destroy();
      return;
    }
    const problem = problemOf(thrown, clock()) ?? fault(ctx, thrown);
    if (problem.type === 'body-consumed') noteConsumed(ctx.state, problem);
    if (hasApplication) answerReturned(ctx, problem);
    else answerProblem(ctx, problem);
  };

  return (ctx, next) =>
    new Promise<void>((resolve, reject) => {
      const { state } = ctx;
      const fail = (thrown: unknown): void => {
        try {
          answer(ctx, thrown);
          resolve();
        } catch (unanswerable) {
          reject(unanswerable);
        }
      };
      state.answerLate = (problem) => {
        state.isLate = true;
        fail(problem);
      };
      next().then(resolve, (thrown) => {
        if (!state.isLate) fail(thrown);
        else if (!(thrown instanceof RequestAborted) && problemOf(thrown, clock()) === null) fault(ctx, thrown);
      });
    });
};

/** How long a browser may keep the answer to a CORS preflight, in seconds. */
const PREFLIGHT_KEPT = 600;

/**
 * Lets pages of these origins call with an API key and read the headers a client needs; cookies stay with our pages.
 */
const allowOrigins = (origins: readonly string[]): RequestStep =>
  cors({
    origin: ({ headers: { origin } }) => (origin !== undefined && origins.includes(origin) ? origin : ''),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'Last-Event-ID',
      'Traceparent',
    ],
    exposeHeaders: [
      ...['ETag', 'Idempotent-Replayed', 'Link', 'Location', 'RateLimit', 'RateLimit-Policy'],
      ...['Retry-After', 'Shipworthy-Key-Expires', 'Traceparent', 'X-Request-Id'],
    ],
    maxAge: PREFLIGHT_KEPT,
  }) as RequestStep;

/** Returns the number of slashes in a path and its last segment, such as `2/teams`; `last` is `*` for a parameter. */
const routerKey = (path: string, last = path.slice(path.lastIndexOf('/') + 1)): string => {
  let segments = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) segments += 1;
  return `${segments}/${last}`;
};

/**
 * Runs the steps of the operation that matches a request. Case and trailing slash count; a fixed segment is preferred
 * to a parameter.
 * A router tries its paths one by one, so each combination of segment count and last segment has a router of its own.
 */
const leadToOperation = (operations: Iterable<readonly [Operation, RequestStep]>): RequestStep => {
  const routers = new Map<string, Router<RequestState>>();
  for (const [{ path, method }, steps] of operations) {
    const key = routerKey(path, path.endsWith('}') ? '*' : undefined);
    const router = routers.get(key) ?? new Router({ strict: true, sensitive: true, exclusive: 'specificity' });
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], steps);
    routers.set(key, router);
  }
  const routes = new Map([...routers].map(([key, router]) => [key, router.routes() as RequestStep]));
  return (ctx, next) => {
    const { path } = ctx.state;
    if (!path.startsWith('/')) return next();
    // Drops what a router of the surrounding program left in the context.
    ctx.newRouterPath = path;
    ctx.matched = [];
    ctx.params = {};
    const others = routes.get(routerKey(path, '*'));
    const beyond = others === undefined ? next : () => others(ctx, next);
    const fixed = routes.get(routerKey(path));
    return fixed === undefined ? beyond() : fixed(ctx, beyond);
  };
};

/** Answers what matches no operation in path and method: 404, 405 with `Allow`, or 204 with `Allow` for OPTIONS. */
const refuseUnmatched: RequestStep = (ctx) => {
  const matched: readonly { readonly methods: readonly string[] }[] = ctx.matched ?? [];
  if (matched.length === 0) throw new Problem('not-found', 'There is nothing at this path.');
  const allow = [...new Set(matched.flatMap(({ methods }) => methods)), 'OPTIONS'].sort().join(', ');
  if (ctx.method !== 'OPTIONS')
    throw new Problem('method-not-allowed', `Here the method can be ${allow}.`, { headers: { Allow: allow } });
  ctx.status = 204;
  ctx.set('Allow', allow);
};

/** Returns the steps of every operation. Each also gets the GET operation of the same path, if there is one. */
const stepsByOperation = <Table extends Readonly<Record<string, Operation>>>({
  table,
  routes,
  services,
}: AppOptions<Table>): (readonly [Operation, RequestStep])[] => {
  const ids = Object.keys(table) as (keyof Table & string)[];
  const entry = (id: keyof Table & string) => ({
    operation: table[id] as Operation,
    route: routes[id] as unknown as RouteHandler<Operation>,
  });
  return ids.map((id) => {
    const { operation, route } = entry(id);
    const stored = ids.find((one) => table[one]?.method === 'GET' && table[one].path === operation.path);
    return [operation, compose(stepsOf(id, operation, route, services, stored && entry(stored)))];
  });
};

/** Creates the server's Koa application with its steps, in the order in which they run. */
export const createApp = <Table extends Readonly<Record<string, Operation>>>(
  options: AppOptions<Table>,
): Koa<RequestState> => {
  const { services, log, pages, application, corsOrigins } = options;
  const app = new Koa<RequestState>();
  app.on('error', (error: Error) => log.debug('connection', { error: error.message }));
  app.use(noteRequest(options));
  if (corsOrigins.length > 0) app.use(allowOrigins(corsOrigins));
  app.use(compressAnswers());
  app.use(answerFaults(log, services, application !== null));
  app.use(servePages(pages));
  app.use(serveApplication(application, services));
  app.use(leadToOperation(stepsByOperation(options)));
  app.use(refuseUnmatched);
  return app;
};
