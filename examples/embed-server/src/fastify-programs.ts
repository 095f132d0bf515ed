import { createShipworthy, type Shipworthy } from '@shipworthy/server';
import createFastify, { type FastifyInstance, type FastifyPluginCallback } from 'fastify';
import type { Program, ProgramOptions, RequestWithBytes } from './program.js';

/** Hands each request to Shipworthy, which answers it itself: `hijack` keeps Fastify from answering, too. */
const handOver =
  ({ handler }: Shipworthy): FastifyPluginCallback =>
  (part, _options, done) => {
    part.all('/shipworthy', (request, reply) => handler(request.raw, reply.hijack().raw));
    part.all('/shipworthy/*', (request, reply) => handler(request.raw, reply.hijack().raw));
    done();
  };

/** A Fastify program with a route of its own; `mount` puts Shipworthy into it. */
const fastifyProgram = async (
  options: ProgramOptions,
  mount: (app: FastifyInstance, shipworthy: Shipworthy) => void,
): Promise<Program> => {
  const shipworthy = createShipworthy(options);
  const answered: string[] = [];
  const app = createFastify();
  app.addHook('onRequest', (request, reply, next) => {
    reply.raw.setHeader('X-Served-By', 'tools');
    reply.raw.once('finish', () => answered.push(`${request.method} ${request.url} ${reply.raw.statusCode}`));
    next();
  });
  mount(app, shipworthy);
  app.all('/*', (request) => ({ tools: true, sent: request.body ?? null }));
  await app.ready();
  return {
    listener: app.routing,
    answered,
    close: async () => void (await Promise.all([app.close(), shipworthy.close()])),
  };
};

/** A Fastify program in which Shipworthy's part has no parser: Shipworthy reads the bodies itself. */
export const createFastifyProgram = (options: ProgramOptions): Promise<Program> =>
  fastifyProgram(options, (app, shipworthy) => {
    app.register((part, _options, done) => {
      part.removeAllContentTypeParsers();
      part.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
      part.register(handOver(shipworthy));
      done();
    });
  });

/** A Fastify program whose parser keeps the bytes of each body for Shipworthy. */
export const createFastifyProgramThatParsesFirst = (options: ProgramOptions): Promise<Program> =>
  fastifyProgram(options, (app, shipworthy) => {
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, parsed) => {
      (request.raw as RequestWithBytes).rawBody = body;
      parsed(null, JSON.parse(body.toString('utf8')));
    });
    app.register(handOver(shipworthy));
  });
