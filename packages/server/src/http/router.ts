import { type Layer, Router } from '@koa/router';
import type { Operation } from '@shipworthy/client/contract';
import { Problem } from './problem.js';
import type { Exchange } from './request.js';

/** Handles a request of one operation with the parameters of its path. */
export type OperationHandler = (exchange: Exchange, params: Readonly<Record<string, string>>) => Promise<void>;

const SLASH = 47;
const NO_PARAMETERS: Readonly<Record<string, string>> = Object.freeze({});

const depthOf = (path: string): number => {
  let depth = 0;
  for (let at = 0; at < path.length; at += 1) if (path.charCodeAt(at) === SLASH) depth += 1;
  return depth;
};

/** What there is at a path instead of what was asked for: 404, 405 with `Allow`, or what OPTIONS answers. */
const refuse = (exchange: Exchange, layers: readonly Layer[], answerOptions: AnswerOptions): void => {
  const atPath = layers.filter((layer) => layer.match(exchange.path));
  if (atPath.length === 0) throw new Problem('not-found', 'There is nothing at this path.');
  const allow = [...new Set(atPath.flatMap((layer) => layer.methods)), 'OPTIONS'].sort().join(', ');
  if (exchange.request.method !== 'OPTIONS')
    throw new Problem('method-not-allowed', `Here the method can be ${allow}.`, { headers: { Allow: allow } });
  answerOptions(exchange, allow);
};

export type AnswerOptions = (exchange: Exchange, allow: string) => void;

/**
 * Leads a request to the handler of its operation: case and trailing slash count, and a fixed segment goes before a
 * parameter. The router knows the routes; its own way through them tries all in turn and builds a chain for each request,
 * which would cost as much as everything else together.
 */
export const createDispatch = (
  handlers: Iterable<readonly [Operation, OperationHandler]>,
  answerOptions: AnswerOptions,
): OperationHandler => {
  const router = new Router({ strict: true, sensitive: true });
  const handlerOf = new Map<Layer, OperationHandler>();
  for (const [{ path, method }, handler] of handlers) {
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], () => undefined);
    const layer = router.stack.at(-1);
    if (layer !== undefined) handlerOf.set(layer, handler);
  }
  const byDepth = new Map<number, Layer[]>();
  for (const layer of router.stack) {
    const depth = depthOf(String(layer.path));
    byDepth.set(depth, [...(byDepth.get(depth) ?? []), layer]);
  }
  // Paths of one depth: those with fewer parameters first, so that the first match is the most specific one.
  for (const layers of byDepth.values()) layers.sort((a, b) => a.paramNames.length - b.paramNames.length);

  return async (exchange) => {
    const { path } = exchange;
    const method = exchange.request.method ?? '';
    const layers = byDepth.get(depthOf(path)) ?? [];
    const layer = layers.find((each) => each.methods.includes(method) && each.match(path));
    const handler = layer && handlerOf.get(layer);
    if (layer === undefined || handler === undefined) return refuse(exchange, layers, answerOptions);
    return handler(exchange, layer.paramNames.length === 0 ? NO_PARAMETERS : layer.params(path, layer.captures(path)));
  };
};
