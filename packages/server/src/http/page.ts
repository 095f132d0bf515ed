import type { Next } from 'koa';
import type { Context } from './exchange.js';
import { Problem } from './problem.js';
import { type Answer, PAGE_POLICY, type Send } from './send.js';

/** A fixed text beside the operations: a documentation page or its script. */
export interface Page {
  readonly contentType: string;
  readonly text: string;
}

/** The answer that is a page. */
export const pageAnswer = ({ contentType, text }: Page): Answer => ({
  status: 200,
  contentType,
  body: text,
  cacheControl: 'no-cache',
  headers: [],
  contentPolicy: PAGE_POLICY,
});

/** Serves pages by their exact path. */
export const createPages = (pages: Readonly<Record<string, Page>>, send: Send) => {
  return async (context: Context, next: Next): Promise<void> => {
    const { exchange } = context.state;
    const page = Object.hasOwn(pages, exchange.path) ? pages[exchange.path] : undefined;
    if (page === undefined) return next();
    exchange.operationId = 'page';
    const { method } = context;
    if (method !== 'GET' && method !== 'HEAD')
      throw new Problem('method-not-allowed', 'Here the method can be GET or HEAD.', {
        headers: { Allow: 'GET, HEAD' },
      });
    send(exchange, pageAnswer(page));
  };
};
