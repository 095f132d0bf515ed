import { createShipworthy } from '@shipworthy/server';
import express, { type Express, type RequestHandler } from 'express';
import type { Program, ProgramOptions, RequestWithBytes } from './program.js';

/** An Express program whose own part parses JSON; `mount` puts Shipworthy and the parser into it. */
const expressProgram = (
  options: ProgramOptions,
  mount: (app: Express, shipworthy: RequestHandler) => void,
): Program => {
  const shipworthy = createShipworthy(options);
  const answered: string[] = [];
  const app = express();
  app.use((request, response, next) => {
    response.setHeader('X-Served-By', 'tools');
    const path = request.originalUrl;
    response.once('finish', () => answered.push(`${request.method} ${path} ${response.statusCode}`));
    next();
  });
  mount(app, shipworthy.handler);
  app.use((request, response) => {
    response.json({ tools: true, sent: request.body ?? null });
  });
  return { listener: app, answered, close: () => shipworthy.close() };
};

/** An Express program in which Shipworthy gets its requests before the parser of bodies. */
export const createExpressProgram = (options: ProgramOptions): Program =>
  expressProgram(options, (app, shipworthy) => {
    app.use('/shipworthy', shipworthy);
    app.use(express.json());
  });

/** An Express program with a parser in front of everything, which keeps the bytes of each body for Shipworthy. */
export const createExpressProgramThatParsesFirst = (options: ProgramOptions): Program =>
  expressProgram(options, (app, shipworthy) => {
    const keepBytes = (request: RequestWithBytes, _response: unknown, bytes: Buffer): void => {
      request.rawBody = bytes;
    };
    app.use(express.json({ verify: keepBytes }));
    app.use('/shipworthy', shipworthy);
  });
