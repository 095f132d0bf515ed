import type {
  BodyOf,
  FromSchema,
  Operation,
  OperationId,
  operations,
  PathOf,
  QueryOf,
} from '@shipworthy/client/contract';
import type {
  Fault,
  HookDelivery,
  IdempotentRequest,
  Instant,
  PageKey,
  PageRequest,
  Ports,
  Principal,
} from '@shipworthy/domain';
import type { PlaceOf } from './place.js';
import type { Reply } from './reply.js';

/** One record of a batch: well-formed, or with the faults that keep it from being stored. */
export type BatchItem<Value> =
  | { readonly value: Value; readonly faults?: undefined }
  | { readonly faults: readonly Fault[]; readonly value?: undefined };

type ItemOf<O extends Operation> = O extends { body: { items: infer Item } }
  ? FromSchema<Item>
  : O extends { body: infer Body }
    ? FromSchema<Body>
    : never;

/** The request as its operation declares it, already validated. */
export interface RouteInput<O extends Operation> {
  readonly path: PathOf<O>;
  readonly query: QueryOf<O>;
  /** In a batch every record by itself, in the order sent; JSON in a format of others is not validated yet. */
  readonly body: O extends { bodyMode: 'batch' }
    ? readonly BatchItem<ItemOf<O>>[]
    : O extends { bodyMode: 'raw' }
      ? undefined
      : O extends { bodyMode: 'foreign' }
        ? unknown
        : BodyOf<O>;
  /** The version named by `If-Match`; never null where the operation requires it. */
  readonly ifMatch: O extends { ifMatch: 'required' } ? number : number | null;
}

/** What a route may use beside its input. */
export interface RouteContext<O extends Operation> {
  /** null for open and signed operations only. */
  readonly principal: O['auth'] extends { kind: 'open' | 'signature' } ? null : Principal;
  /** What was sent to a signed operation (its signature is the route's to check) or in a format of others, as it came; null everywhere else. */
  readonly delivery: O['auth'] extends { kind: 'signature' }
    ? HookDelivery
    : O extends { bodyMode: 'foreign' }
      ? HookDelivery
      : null;
  /** In idempotent operations (except reports) the stores of the transaction that also keeps the answer. */
  readonly ports: Ports;
  /** What the path names: it exists, and the principal may see it. */
  readonly place: PlaceOf<O>;
  /** Network address of the caller. */
  readonly address: string;
  readonly requestId: string;
  /** What stands in front of the service's own paths at its public address; empty at the root. */
  readonly basePath: string;
  /** The key a report carries into its own transaction; null everywhere else and without `Idempotency-Key`. */
  readonly idempotency: IdempotentRequest | null;
  /** The page asked for; the first one of 50 where nothing was asked. */
  readonly page: PageRequest;
  /** The opaque cursor that continues this very list after the row. */
  sealCursor(next: PageKey | null): string | null;
  /** Id of the valid session the browser showed; null without one. Signing in replaces it. */
  shownSession(): Promise<string | null>;
  /** Id of the device if it shows that it signed in to that account before; null: it does not. */
  shownDevice(account: string): string | null;
  /** The bearer token of an open operation that has one of its own; null everywhere else. */
  readonly bearer: string | null;
  /** The moment of the request. */
  readonly now: Instant;
}

/** From a validated request to its answer; knows neither Koa nor headers. Refusals are thrown as DomainError. */
export type Route<O extends Operation> = (input: RouteInput<O>, context: RouteContext<O>) => Promise<Reply<O>>;

/** A handler for every operation of a table: a missing or surplus one does not compile. */
export type RoutesOf<Table extends Readonly<Record<string, Operation>>> = {
  readonly [Id in keyof Table]: Route<Table[Id]>;
};

export type Routes = RoutesOf<typeof operations>;
export type OperationOf<Id extends OperationId> = (typeof operations)[Id];
