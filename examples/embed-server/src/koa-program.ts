import { createShipworthy } from '@shipworthy/server';
import Koa, { type Middleware } from 'koa';
import type { Program, ProgramOptions, RequestWithBytes } from './program.js';

/** Parses JSON for the whole program, and keeps the bytes for Shipworthy. */
const parseBodies: Middleware = async (context, next) => {
  const request: RequestWithBytes = context.req;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  request.rawBody = Buffer.concat(chunks);
  if (context.is('json')) context.state.body = JSON.parse(request.rawBody.toString('utf8'));
  await next();
};

/** A Koa program with a parser of bodies in front of everything it serves. */
export const createKoaProgram = (options: ProgramOptions): Program => {
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
  return { listener: app.callback(), answered, close: () => shipworthy.close() };
};
