import type {
  BodyOf,
  FromSchema,
  Operation,
  OperationId,
  operations,
  PathOf,
  QueryOf,
  ResponseOf,
} from '@shipworthy/client/contract';
import type {
  AxisReport,
  ChecklistItem,
  Delivery,
  Deployment,
  Evidence,
  Fault,
  Instant,
  Issue,
  PageKey,
  PageRequest,
  Principal,
  Role,
  TestRun,
  Webhook,
} from '@shipworthy/domain';
import type { HookDelivery, IdempotentRequest, Ports } from '@shipworthy/domain/ports';
import type { Waiver } from '@shipworthy/domain/readiness';

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
  /** The body; in a batch every record by itself, in the order sent; JSON in a foreign format is not validated yet. */
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

/** A body as it came, with its headers. */
export type SentDelivery = Omit<HookDelivery, 'projectId'>;

/**
 * Does work that only reads in a single turn of the caller at the database. The ports it gets ask one question after another, and
 * none of these waits for a further turn.
 */
export type InOneTurn = <Result>(work: (ports: Ports) => Promise<Result>) => Promise<Result>;

/** What a route may use beside its input. */
export interface RouteContext<O extends Operation> {
  /** null for open and signed operations only. */
  readonly principal: O['auth'] extends { kind: 'open' | 'signature' } ? null : Principal;
  /** The least role that the operation needs in the team it concerns, as the table says; null: it says none. */
  readonly needs: O['auth'] extends { readonly role: infer Needed extends Role } ? Needed : null;
  /** The raw request of a signed operation (the route checks the signature) or in a foreign format; null everywhere else. */
  readonly delivery: O['auth'] extends { kind: 'signature' }
    ? SentDelivery
    : O extends { bodyMode: 'foreign' }
      ? SentDelivery
      : null;
  /** The ports; in idempotent operations (except reports) with the stores of the transaction that also keeps the answer. */
  readonly ports: Ports;
  /** Reads in one turn what the route may share with other callers. */
  readonly inOneTurn: InOneTurn;
  /** The records the path names: they exist, and the principal may see them. */
  readonly place: ResolvedPathOf<O>;
  /** Network address of the caller. */
  readonly address: string;
  readonly requestId: string;
  /** The prefix of the service's own paths at its public address; empty at the root. */
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

/** Turns a validated request into its answer; knows neither Koa nor headers. Throws refusals as DomainError. */
export type RouteHandler<O extends Operation> = (input: RouteInput<O>, context: RouteContext<O>) => Promise<Reply<O>>;

/** A handler for every operation of a table: a missing or surplus one does not compile. */
export type RoutesOf<Table extends Readonly<Record<string, Operation>>> = {
  readonly [Id in keyof Table]: RouteHandler<Table[Id]>;
};

export type Routes = RoutesOf<typeof operations>;
export type OperationOf<Id extends OperationId> = (typeof operations)[Id];

/** How this reply changes the session cookie. */
export type SessionChange =
  | { readonly set: { readonly secret: string; readonly expiresAt: number } }
  | { readonly clear: true };

/** Where a stream writes to. */
export interface EventSink {
  /** The principal of the last authorisation. */
  principal(): Principal;
  /** Writes whole frames of server-sent events; nothing once the stream is over. */
  send(frames: string): void;
}

/** The events that a stream operation answers with until either side ends the stream. */
export interface EventStream {
  /** Whether such a principal may go on reading. */
  mayStay(principal: Principal): boolean;
  /** Begins to write. The returned function is called once, when the stream is over. */
  begin(sink: EventSink): () => void;
}

/** Values of an answer besides its body; the steps around the route turn each into its header. */
interface ReplyNotes {
  /** Path of what was created, without the base path. */
  readonly location?: string | null;
  /** Strong entity tag without quotes. */
  readonly etag?: string;
  readonly session?: SessionChange;
  /** The account, an e-mail address in lower case, that the device has just signed in to. */
  readonly device?: { readonly account: string };
  /** Sealed cursor of the next page: becomes `Link: rel="next"`. */
  readonly next?: string | null;
  /** The answer was remembered from an earlier request with the same idempotency key. */
  readonly replayed?: boolean;
  /** The text in UTF-8, of an answer that is the same for everybody: connections that read slowly share these bytes. */
  readonly bytes?: Buffer;
  /** A safe file name, for an operation whose answer is a file. */
  readonly fileName?: string;
  /** The stream that a stream operation answers with instead of a body. */
  readonly stream?: EventStream;
}

type Content<O extends Operation> = O extends { stream: true }
  ? {
      readonly stream: EventStream;
      readonly body?: undefined;
      readonly text?: undefined;
      readonly portions?: undefined;
    }
  : O['success']['body'] extends null
    ? { readonly body?: undefined; readonly text?: undefined; readonly portions?: undefined }
    :
        | { readonly body: ResponseOf<O>; readonly text?: undefined; readonly portions?: undefined }
        /** Serialised already: JSON, or a text of the operation's content type. */
        | { readonly text: string; readonly body?: undefined; readonly portions?: undefined }
        /**
         * Serialised already, in UTF-8 and in portions that are sent one by one. Not with an entity tag, which needs
         * the whole text.
         */
        | (O extends { etag: true }
            ? never
            : { readonly portions: readonly Buffer[]; readonly body?: undefined; readonly text?: undefined });

/** The one successful answer of an operation. Failures are thrown as DomainError. */
export type Reply<O extends Operation = Operation> = ReplyNotes & {
  readonly status: O['success']['status'] | (O['success'] extends { otherwise: infer Other } ? Other : never);
} & Content<O>;

/** The type of each resolved path parameter. Teams, projects and releases stay ids, so that a hot read needs no query. */
export interface ResolvedParameters {
  readonly team_id: { readonly teamId: string; readonly role: Role };
  readonly project_id: { readonly projectId: string };
  readonly release_id: { readonly releaseId: string };
  readonly issue_id: { readonly issue: Issue };
  readonly item_id: { readonly item: ChecklistItem };
  readonly evidence_id: { readonly evidence: Evidence };
  readonly waiver_id: { readonly waiver: Waiver };
  readonly webhook_id: { readonly webhook: Webhook };
  readonly delivery_id: { readonly delivery: Delivery };
  readonly test_run_id: { readonly testRun: TestRun };
  readonly report_id: { readonly report: AxisReport };
  readonly deployment_id: { readonly deployment: Deployment; readonly teamId: string; readonly role: Role };
}

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The resolved path of an operation. The route itself looks up other parameters (a person, a key). */
type ResolvedPathOf<O extends Operation> = [keyof PathOf<O> & keyof ResolvedParameters] extends [never]
  ? Readonly<Record<never, never>>
  : Intersection<ResolvedParameters[keyof PathOf<O> & keyof ResolvedParameters]>;
