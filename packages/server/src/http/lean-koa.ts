import Koa, { type ParameterizedContext } from 'koa';

/**
 * Koa for middleware that answers everything by itself. Koa's own way there also listens for the end of each response, to
 * hear of failures of its connection, which the server hears of anyway, and costs what a report can be spared.
 */
export class LeanKoa extends Koa {
  handleRequest(context: ParameterizedContext, middleware: (context: ParameterizedContext) => Promise<void>) {
    return middleware(context).catch((error: Error) => context.onerror(error));
  }
}
