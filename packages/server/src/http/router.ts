import { type MatchResult, Router } from '@koa/router';
import type { Operation } from '@shipworthy/client/contract';
import type { Next } from 'koa';
import type { Context, ExchangeState } from './exchange.js';
import { Problem } from './problem.js';

type Params = { params?: Record<string, string> };
type Handler = (context: Context) => Promise<void>;

const SLASH = 47;

const depthOf = (path: string): number => {
  let depth = 0;
  for (let at = 0; at < path.length; at += 1) if (path.charCodeAt(at) === SLASH) depth += 1;
  return depth;
};

/** Routes an operation to its handler: case and trailing slash count, and a fixed segment goes before a parameter. */
export const createRouter = (handlers: Iterable<readonly [Operation, Handler]>) => {
  const router = new Router<ExchangeState, Params>({ strict: true, sensitive: true, exclusive: 'specificity' });
  for (const [operation, handler] of handlers)
    router.register(operation.path.replace(/\{(\w+)\}/g, ':$1'), [operation.method], (context) =>
      handler(context as unknown as Context),
    );
  // The router tries every route in turn; most cannot match, since their paths have another number of segments.
  const byDepth = new Map<number, typeof router.stack>();
  for (const layer of router.stack) {
    const depth = depthOf(String(layer.path));
    byDepth.set(depth, [...(byDepth.get(depth) ?? []), layer]);
  }
  router.match = (path, method): MatchResult<ExchangeState, Params> => {
    const found: MatchResult<ExchangeState, Params> = { path: [], pathAndMethod: [], route: false };
    for (const layer of byDepth.get(depthOf(path)) ?? []) {
      if (!layer.match(path)) continue;
      found.path.push(layer);
      if (!layer.methods.includes(method)) continue;
      found.pathAndMethod.push(layer);
      found.route = true;
    }
    return found;
  };
  return router;
};

/** Answers what no route took: 404 for an unknown path, 405 for another method of a known one; OPTIONS names the methods. */
export const createUnrouted =
  (router: ReturnType<typeof createRouter>, answerOptions: (context: Context, allow: string) => void) =>
  async (context: Context, next: Next): Promise<void> => {
    if (context.state.exchange.operation !== null) return next();
    const { path } = router.match(context.path, context.method);
    if (path.length === 0) throw new Problem('not-found', 'There is nothing at this path.');
    const allow = [...new Set(path.flatMap((layer) => layer.methods)), 'OPTIONS'].sort().join(', ');
    if (context.method === 'OPTIONS') return answerOptions(context, allow);
    throw new Problem('method-not-allowed', `Here the method can be ${allow}.`, { headers: { Allow: allow } });
  };
