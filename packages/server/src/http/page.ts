import type { Exchange } from './exchange.js';
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

/** Serves pages by their exact path; answers whether there was one. */
export const createPages = (pages: Readonly<Record<string, Page>>, send: Send) => {
  const byPath = new Map(Object.entries(pages));
  return (exchange: Exchange): boolean => {
    const page = byPath.get(exchange.path);
    if (page === undefined) return false;
    exchange.operationId = 'page';
    const { method } = exchange.request;
    if (method !== 'GET' && method !== 'HEAD')
      throw new Problem('method-not-allowed', 'Here the method can be GET or HEAD.', {
        headers: { Allow: 'GET, HEAD' },
      });
    send(exchange, pageAnswer(page));
    return true;
  };
};
