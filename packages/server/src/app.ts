import type { Operation } from '@shipworthy/client/contract';
import Koa from 'koa';
import { problemAnswer } from './http/answer.js';
import { RequestAborted } from './http/body.js';
import { addressOf } from './http/client-address.js';
import { problemOf } from './http/domain-problem.js';
import { type Context, type Exchange, type ExchangeState, pathOf } from './http/exchange.js';
import type { Machinery } from './http/machinery.js';
import { createOperationHandler } from './http/operation-handler.js';
import { createPages, type Page } from './http/page.js';
import { Problem } from './http/problem.js';
import { requestIdOf, traceOf } from './http/request-id.js';
import type { Route, RoutesOf } from './http/route.js';
import { createRouter, createUnrouted } from './http/router.js';
import type { Log } from './observability/log.js';
import type { Metrics } from './observability/metrics.js';
import { requestLine } from './observability/request-line.js';

export interface AppOptions<Table extends Readonly<Record<string, Operation>>> {
  readonly table: Table;
  readonly routes: RoutesOf<Table>;
  readonly machinery: Machinery;
  /** Pages beside the operations, by path. */
  readonly pages: Readonly<Record<string, Page>>;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Of the process, in milliseconds; for durations and deadlines. */
  readonly monotonic: () => number;
  readonly newId: () => string;
  readonly trustedProxies: number;
}

const NO_CREDENTIAL = { kind: 'none' } as const;
const INTERNAL = 'The service has a fault; it was noted under the request id.';

/** The server's Koa application: every request enters and every answer and failure leaves here. */
export const createApp = <Table extends Readonly<Record<string, Operation>>>(options: AppOptions<Table>): Koa => {
  const { table, routes, machinery, log, metrics, monotonic, newId, trustedProxies } = options;
  const { clock, send } = machinery;

  const begin = (context: Context): Exchange => ({
    request: context.req,
    response: context.res,
    requestId: requestIdOf(context.req.headers, newId),
    traceParent: traceOf(context.req.headers),
    path: pathOf(context.req.url ?? ''),
    address: addressOf(context.req, trustedProxies),
    startedAt: monotonic(),
    operationId: '-',
    operation: null,
    credential: NO_CREDENTIAL,
    principal: null,
    counted: null,
    deadline: null,
    answered: false,
    sent: 0,
  });

  const fault = (exchange: Exchange, thrown: unknown): Problem => {
    const { stack, message } = thrown instanceof Error ? thrown : new Error(`thrown: ${String(thrown)}`);
    const { requestId, operationId } = exchange;
    log.error('fault', { request_id: requestId, operation: operationId, error: message, stack });
    return new Problem('internal', INTERNAL);
  };

  const leave = (exchange: Exchange, thrown: unknown): void => {
    if (thrown instanceof RequestAborted) {
      exchange.answered = true;
      exchange.response.destroy();
      return;
    }
    send(exchange, problemAnswer(problemOf(thrown, clock()) ?? fault(exchange, thrown), exchange));
  };

  const note = (exchange: Exchange): void => {
    const milliseconds = monotonic() - exchange.startedAt;
    metrics.request(exchange.operationId, exchange.request.method ?? '', exchange.response.statusCode, milliseconds);
    if (log.informs) log.line(requestLine(exchange, clock(), milliseconds));
  };

  const app = new Koa<ExchangeState>();
  // Answers are written by `send` alone; Koa would add text of its own.
  app.on('error', (error: Error) => log.debug('connection', { error: error.message }));
  app.use(async (context, next) => {
    context.respond = false;
    const exchange = begin(context as unknown as Context);
    context.state.exchange = exchange;
    try {
      await next();
    } catch (thrown) {
      leave(exchange, thrown);
    }
    note(exchange);
  });

  const ids = Object.keys(table) as (keyof Table & string)[];
  const router = createRouter(
    ids.map((id) => {
      const operation = table[id] as Operation;
      return [operation, createOperationHandler(id, operation, routes[id] as unknown as Route<Operation>, machinery)];
    }),
  );
  const pages = createPages(options.pages, send);
  app.use(router.routes() as unknown as Koa.Middleware<ExchangeState>);
  app.use((context, next) => pages(context as unknown as Context, next));
  const unrouted = createUnrouted(router, ({ state: { exchange } }, allow) =>
    send(exchange, { status: 204, contentType: null, body: null, cacheControl: 'no-store', headers: ['Allow', allow] }),
  );
  app.use((context, next) => unrouted(context as unknown as Context, next));
  return app;
};
