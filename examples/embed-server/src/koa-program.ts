import type { IncomingMessage } from 'node:http';
import { createShipworthy, type ShipworthyOptions } from '@shipworthy/server';
import Koa, { type Middleware } from 'koa';

/** A Koa program of the organisation's own that serves Shipworthy below `/shipworthy`, among middleware of its own. */
export interface Tools {
  readonly app: Koa;
  /** One line per request that was answered, by Shipworthy or not. */
  readonly answered: readonly string[];
  close(): Promise<void>;
}

/** Parses JSON for the whole program, and keeps the bytes: Shipworthy hashes them for `Idempotency-Key` and signatures. */
const parseBodies: Middleware = async (context, next) => {
  const request: IncomingMessage & { rawBody?: Buffer } = context.req;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  request.rawBody = Buffer.concat(chunks);
  if (context.is('json')) context.state.body = JSON.parse(request.rawBody.toString('utf8'));
  await next();
};

/** @param baseUrl where people reach Shipworthy, `/shipworthy` included */
export const createTools = (options: ShipworthyOptions & { readonly baseUrl: URL }): Tools => {
  const shipworthy = createShipworthy(options);
  const answered: string[] = [];
  const app = new Koa();
  app.use(async (context, next) => {
    context.set('X-Served-By', 'tools');
    await next();
    answered.push(`${context.method} ${context.path} ${context.status}`);
  });
  app.use(parseBodies);
  app.use((context, next) =>
    /^\/shipworthy(\/|$)/.test(context.path) ? shipworthy.middleware(context, next) : next(),
  );
  app.use((context) => {
    context.body = { tools: true, sent: context.state.body ?? null };
  });
  return { app, answered, close: () => shipworthy.close() };
};
