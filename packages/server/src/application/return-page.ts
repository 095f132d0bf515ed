import type { Exchange } from '../http/exchange.js';
import type { Problem } from '../http/problem.js';
import { type Answer, PAGE_POLICY } from '../http/send.js';
import { notConnectedPage } from '../service/connected-page.js';
import { accepts } from './accepts.js';

/** Of whoever comes back from the repository host in a browser and is refused: a page in the place of the problem; null: not so. */
export const returnPage = (
  { operationId, request, requestId, basePath }: Exchange,
  { detail }: Problem,
): Pick<Answer, 'contentType' | 'contentPolicy' | 'body'> | null => {
  if (operationId !== 'finishHostConnection' || !accepts(request.headers.accept, 'text/html')) return null;
  return {
    contentType: 'text/html; charset=utf-8',
    contentPolicy: PAGE_POLICY,
    body: notConnectedPage(detail, requestId, basePath),
  };
};
