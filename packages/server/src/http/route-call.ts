import type { Operation } from '@shipworthy/client/contract';
import type { HookDelivery, IdempotentRequest, PageKey, PageRequest, Ports, Principal } from '@shipworthy/domain';
import type { Exchange } from './exchange.js';
import type { ReadInput } from './input.js';
import type { Machinery } from './machinery.js';
import { faulty } from './problem.js';
import type { Reply } from './reply.js';
import type { Route, RouteContext, RouteInput } from './route.js';
import type { FoundPlace } from './visibility.js';

/** A request that was let in, found and read. */
export interface Admitted {
  readonly exchange: Exchange;
  readonly path: Readonly<Record<string, string>>;
  readonly principal: Principal | null;
  readonly place: FoundPlace;
  readonly read: ReadInput;
}

const DEFAULT_PAGE = 50;
const FIRST_PAGE: PageRequest = { limit: DEFAULT_PAGE, after: null };

/** Names one list with its filters, so that a cursor continues that list only. */
const listName = ({ exchange, read }: Admitted): string => {
  const { cursor: _, limit: __, ...filters } = read.query as Record<string, unknown>;
  return `${exchange.path}?${JSON.stringify(Object.entries(filters).sort())}`;
};

/** The request as it came. */
const deliveryOf = ({ exchange, read }: Admitted): HookDelivery => {
  const headers = Object.entries(exchange.request.headers).map(([name, value]) => [name, value?.toString()]);
  return { headers: Object.fromEntries(headers), body: read.raw };
};

/** Calls a route with what its operation declares, on the given ports. */
export const createRouteCall = <O extends Operation>(operation: O, route: Route<O>, machinery: Machinery) => {
  const { clock, cursors, principals, deviceCookie } = machinery;
  const asItCame = operation.auth.kind === 'signature' || operation.bodyMode === 'foreign';
  const paged = operation.query?.properties?.cursor !== undefined;

  const pageOf = (admitted: Admitted): PageRequest => {
    const { limit = DEFAULT_PAGE, cursor } = admitted.read.query as { limit?: number; cursor?: string };
    if (cursor === undefined) return { limit, after: null };
    const after = cursors.openCursor(cursor, listName(admitted));
    if (after === undefined)
      throw faulty([
        { pointer: 'cursor', code: 'cursor', message: 'cursor must be the next_cursor of this very list' },
      ]);
    return { limit, after };
  };

  const shownSession = async ({ credential, address }: Exchange): Promise<string | null> => {
    if (credential.kind !== 'session') return null;
    try {
      return (await principals.find(credential, address)).id;
    } catch {
      return null; // What has ended already needs no replacing.
    }
  };

  return (admitted: Admitted, ports: Ports, idempotency: IdempotentRequest | null): Promise<Reply> => {
    const { exchange, path, principal, place, read } = admitted;
    const input = { path, query: read.query, body: read.body, ifMatch: read.ifMatch };
    const context = {
      principal,
      ports,
      place,
      address: exchange.address,
      requestId: exchange.requestId,
      basePath: exchange.basePath,
      idempotency,
      page: paged ? pageOf(admitted) : FIRST_PAGE,
      sealCursor: (next: PageKey | null) => next && cursors.sealCursor(next, listName(admitted)),
      bearer:
        operation.auth.kind === 'open' && exchange.credential.kind === 'api_key' ? exchange.credential.secret : null,
      shownSession: () => shownSession(exchange),
      shownDevice: (account: string) => {
        const device = deviceCookie.shown(exchange);
        return device?.isOf(account) ? device.id : null;
      },
      delivery: asItCame ? deliveryOf(admitted) : null,
      now: clock(),
    };
    // Input and place were checked against this very operation, which the compiler cannot follow.
    return route(input as unknown as RouteInput<O>, context as unknown as RouteContext<O>) as Promise<Reply>;
  };
};
