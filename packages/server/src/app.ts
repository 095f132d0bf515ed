import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '@shipworthy/client/contract';
import type { ParameterizedContext } from 'koa';
import Koa from 'koa';
import { optionsAnswer, problemAnswer } from './http/answer.js';
import { withoutBasePath } from './http/base-path.js';
import { RequestAborted } from './http/body.js';
import type { Machinery } from './http/machinery.js';
import { createOperationHandler } from './http/operation.js';
import { Problem, problemOf } from './http/problem.js';
import { addressOf } from './http/rate-limit.js';
import { type Exchange, pathOf, requestIdOf, traceOf } from './http/request.js';
import type { Route, RoutesOf } from './http/route.js';
import { createDispatch } from './http/router.js';
import { type Log, redacted } from './observability/log.js';
import type { Metrics } from './observability/metrics.js';
import { createPages, type Page } from './pages.js';
import { type ApplicationFiles, createServeApplication, returnPage } from './web-files.js';
import { wireMoment } from './wire.js';

/**
 * Koa for middleware that answers everything by itself. Koa's own way there also listens for the end of each response, to
 * hear of failures of its connection, which the server hears of anyway, and costs what a report can be spared.
 */
export class LeanKoa extends Koa {
  handleRequest(context: ParameterizedContext, middleware: (context: ParameterizedContext) => Promise<void>) {
    return middleware(context).catch((error: Error) => context.onerror(error));
  }
}

/** Paths that fit no operation may hold anything; this much of them is enough to see what was meant. */
const LONGEST_PATH = 200;

const quoted = (path: string): string =>
  JSON.stringify(path.includes('swk_') ? redacted(path.slice(0, LONGEST_PATH)) : path.slice(0, LONGEST_PATH));

/** The log line of one request: no query, no header, no body, so that no secret can be in it. */
export const requestLine = (exchange: Exchange, at: number, milliseconds: number): string => {
  const { request, response, principal, operationId } = exchange;
  const who = principal === null ? 'null' : `"${principal.kind}:${principal.id}"`;
  return `{"time":"${wireMoment(at)}","level":"info","message":"request","request_id":"${exchange.requestId}","method":"${request.method}","path":${quoted(exchange.path)},"operation":"${operationId}","status":${response.statusCode},"ms":${milliseconds.toFixed(2)},"bytes":${exchange.sent},"who":${who},"address":"${exchange.address}"}`;
};

export interface AppOptions<Table extends Readonly<Record<string, Operation>>> {
  readonly table: Table;
  readonly routes: RoutesOf<Table>;
  readonly machinery: Machinery;
  /** Pages beside the operations, by path. */
  readonly pages: Readonly<Record<string, Page>>;
  /** The application in the browser; null: not served. */
  readonly application: ApplicationFiles | null;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Of the process, in milliseconds; for durations and deadlines. */
  readonly monotonic: () => number;
  readonly newId: () => string;
  readonly trustedProxies: number;
}

const NO_CREDENTIAL = { kind: 'none' } as const;
const NO_PARAMETERS = Object.freeze({});
const INTERNAL = 'The service has a fault; it was noted under the request id.';

/** The server's Koa application: every request enters and every answer and failure leaves here. */
export const createApp = <Table extends Readonly<Record<string, Operation>>>(options: AppOptions<Table>): Koa => {
  const { table, routes, machinery, log, metrics, monotonic, newId, trustedProxies } = options;
  const { clock, send, basePath } = machinery;

  const begin = (request: IncomingMessage, response: ServerResponse): Exchange => ({
    request,
    response,
    requestId: requestIdOf(request.headers, newId),
    traceParent: traceOf(request.headers),
    path: withoutBasePath(pathOf(request.url ?? ''), basePath),
    basePath,
    address: addressOf(request, trustedProxies),
    startedAt: monotonic(),
    operationId: '-',
    operation: null,
    credential: NO_CREDENTIAL,
    principal: null,
    counted: null,
    deadline: null,
    answered: false,
    openedAt: null,
    sent: 0,
    held: 0,
  });

  const fault = (exchange: Exchange, thrown: unknown): Problem => {
    const { stack, message } = thrown instanceof Error ? thrown : new Error(`thrown: ${String(thrown)}`);
    const { requestId, operationId } = exchange;
    log.error('fault', { request_id: requestId, operation: operationId, error: message, stack });
    return new Problem('internal', INTERNAL);
  };

  let isConsumedNoted = false;
  /** Once: until the surrounding program is changed, it happens to every body. */
  const noteConsumed = ({ requestId, operationId }: Exchange, { detail }: Problem): void => {
    if (isConsumedNoted) return;
    isConsumedNoted = true;
    log.error('body consumed', { request_id: requestId, operation: operationId, error: detail });
  };

  const leave = (exchange: Exchange, thrown: unknown): void => {
    if (thrown instanceof RequestAborted) {
      exchange.answered = true;
      exchange.response.destroy();
      return;
    }
    const problem = problemOf(thrown, clock()) ?? fault(exchange, thrown);
    if (problem.type === 'body-consumed') noteConsumed(exchange, problem);
    const answer = problemAnswer(problem, exchange);
    const page = options.application === null ? null : returnPage(exchange, problem);
    send(exchange, page === null ? answer : { ...answer, ...page });
  };

  const note = (exchange: Exchange): void => {
    const milliseconds = monotonic() - exchange.startedAt;
    // Of a stream the time to its beginning is measured; how long it went on stands in the log.
    const answered = exchange.openedAt === null ? milliseconds : exchange.openedAt - exchange.startedAt;
    metrics.request(exchange.operationId, exchange.response.statusCode, answered);
    if (log.informs) log.line(requestLine(exchange, clock(), milliseconds));
  };

  const ids = Object.keys(table) as (keyof Table & string)[];
  /** What reads the record at the address of an operation; undefined where nothing does. */
  const storedAt = ({ path }: Operation) => {
    const id = ids.find((one) => table[one]?.method === 'GET' && table[one].path === path);
    return id && { operation: table[id] as Operation, route: routes[id] as unknown as Route<Operation> };
  };
  const dispatch = createDispatch(
    ids.map((id) => {
      const operation = table[id] as Operation;
      const route = routes[id] as unknown as Route<Operation>;
      return [operation, createOperationHandler(id, operation, route, machinery, storedAt(operation))];
    }),
    (exchange, allow) => send(exchange, optionsAnswer(allow)),
  );
  const page = createPages(options.pages, send);
  const application = createServeApplication(options.application, send, basePath);

  const app = new LeanKoa();
  app.on('error', (error: Error) => log.debug('connection', { error: error.message }));
  app.use(async (context) => {
    // Answers are written by `send` alone; Koa would add text of its own.
    context.respond = false;
    const exchange = begin(context.req, context.res);
    try {
      if (!page(exchange) && !application(exchange)) await dispatch(exchange, NO_PARAMETERS);
    } catch (thrown) {
      leave(exchange, thrown);
    }
    note(exchange);
  });
  return app;
};
