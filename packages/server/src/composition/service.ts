import 'reflect-metadata';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { pause } from '@shipworthy/adapters/clock';
import { isWellFormedApiKey, secrets, uuidv7, verdictSigner } from '@shipworthy/adapters/crypto';
import { type DrainableReportQueue, lookups, reportQueue } from '@shipworthy/adapters/group-commit';
import { hookSender } from '@shipworthy/adapters/hook-sender';
import type { ReadReplica } from '@shipworthy/adapters/knex';
import { DEFAULT_HOST, type Operations, openApiDocument, operationsOf } from '@shipworthy/client/contract';
import {
  absentGroups,
  type Backlog,
  completeStores,
  type OfferedStores,
  type StoreGroup,
  type StoresWithFeed,
} from '@shipworthy/domain';
import {
  type Clock,
  type ConfiguredHost,
  inOnePiece,
  type Lookups,
  type NewId,
  type Ports,
  type Secrets,
  type VerdictSigner,
  type WebhookSender,
} from '@shipworthy/domain/ports';
import type Koa from 'koa';
import compose from 'koa-compose';
import { container, type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe';
import { createApp } from '../app.js';
import {
  createWorkWatch,
  type Loop,
  type RecordRetention,
  startBacklog,
  startDemo,
  startHistory,
  startImport,
  startRetention,
  startStoreTending,
  startWebhooks,
  type WorkWatch,
} from '../background.js';
import { type Authenticate, createFindPrincipal } from '../http/authentication.js';
import { basePathOf, publicAddress } from '../http/base-path.js';
import {
  closeServer,
  emptyQueue,
  type FetchSurroundings,
  fetchBy,
  handleWith,
  type ListeningPlace,
  openServer,
} from '../http/listener.js';
import type { RequestState } from '../http/request.js';
import { createRequestServices, type RequestServices } from '../http/request-services.js';
import type { Routes } from '../http/route.js';
import { type Log, silentLog } from '../observability/log.js';
import {
  countedRemovals,
  createMetrics,
  type Metrics,
  measuredBacklog,
  measuredDeliveries,
  measuredHost,
  measuredReceipts,
  measuredReportQueue,
  measuredReportStore,
  measureReplica,
} from '../observability/metrics.js';
import { docsPage, documentationPages } from '../pages.js';
import { createReportCache, type ReportCache } from '../report-cache.js';
import { askStores, type CheckStores, createHealth, type Health, type ServiceFacts } from '../service-routes.js';
import { SERVER_VERSION } from '../version.js';
import type { ApplicationFiles } from '../web-files.js';

/** The table of operations, with the name of the repository host in its paths. */
interface Mounted {
  readonly table: Operations;
}

// A bare symbol constant would be narrowed to its own type and resolve to unknown.
const token = <Value>(name: string): InjectionToken<Value> => Symbol(name);

/** The parts of the service; tests and embedders override a binding, never a module. */
interface Tokens {
  readonly options: InjectionToken<ShipworthyOptions>;
  readonly stores: InjectionToken<StoresWithFeed>;
  readonly metrics: InjectionToken<Metrics>;
  readonly lookups: InjectionToken<Lookups>;
  readonly reportQueue: InjectionToken<DrainableReportQueue>;
  readonly ports: InjectionToken<Ports>;
  readonly readingPorts: InjectionToken<Ports>;
  readonly mounted: InjectionToken<Mounted>;
  readonly recordRetention: InjectionToken<RecordRetention>;
  readonly noteBacklog: InjectionToken<(backlog: Backlog) => void>;
  readonly workWatch: InjectionToken<WorkWatch>;
  readonly health: InjectionToken<Health>;
  readonly requestServices: InjectionToken<RequestServices>;
  readonly reportCache: InjectionToken<ReportCache>;
  readonly routes: InjectionToken<Routes>;
  readonly app: InjectionToken<Koa<RequestState>>;
}

const TOKENS: Tokens = {
  options: token('options'),
  stores: token('stores'),
  metrics: token('metrics'),
  lookups: token('lookups'),
  reportQueue: token('reportQueue'),
  ports: token('ports'),
  readingPorts: token('readingPorts'),
  mounted: token('mounted'),
  recordRetention: token('recordRetention'),
  noteBacklog: token('noteBacklog'),
  workWatch: token('workWatch'),
  health: token('health'),
  requestServices: token('requestServices'),
  reportCache: token('reportCache'),
  routes: token('routes'),
  app: token('app'),
};

const monotonic = (): number => performance.now();

const serviceFacts = (of: DependencyContainer, baseUrl: URL): ServiceFacts => {
  const { table } = of.resolve(TOKENS.mounted);
  const { repositoryHost } = of.resolve(TOKENS.options);
  const { users } = of.resolve(TOKENS.stores);
  const { basePath, sessionCookie } = of.resolve(TOKENS.requestServices);
  return {
    health: of.resolve(TOKENS.health),
    metrics: of.resolve(TOKENS.metrics),
    metricsToken: of.resolve(TOKENS.options).metricsToken ?? null,
    repositoryHost: repositoryHost ?? null,
    notOffered: absentGroups(of.resolve(TOKENS.options).stores),
    isSetUp: () => users.any(),
    openApi: () =>
      JSON.stringify(
        openApiDocument({
          serverUrl: publicAddress(baseUrl, ''),
          sessionCookie: sessionCookie.name,
          version: SERVER_VERSION,
          table,
        }),
      ),
    docsPage: () => docsPage(table, { basePath, application: of.resolve(TOKENS.options).application !== undefined }),
  };
};

/**
 * Creates the container of the service's parts; each is made once, when first needed. `baseUrl` is the public address.
 * No other file uses the dependency injection library.
 */
const createContainer = (options: ShipworthyOptions, baseUrl: URL, createRoutes: CreateRoutes): DependencyContainer => {
  const child = container.createChildContainer();
  const bind = <Value>(name: InjectionToken<Value>, make: (of: DependencyContainer) => Value): void => {
    child.register(name, { useFactory: instanceCachingFactory(make) });
  };
  const log = options.log ?? silentLog;
  child.register(TOKENS.options, { useValue: options });
  bind(TOKENS.stores, (of) => completeStores(of.resolve(TOKENS.options).stores));
  bind(TOKENS.metrics, createMetrics);
  bind(TOKENS.mounted, (of) => ({
    table: operationsOf(of.resolve(TOKENS.options).repositoryHost?.name ?? DEFAULT_HOST),
  }));
  bind(TOKENS.lookups, (of) => lookups(of.resolve(TOKENS.stores)));
  bind(TOKENS.reportQueue, (of) =>
    reportQueue(measuredReportStore(of.resolve(TOKENS.stores).reports, of.resolve(TOKENS.metrics))),
  );
  bind(TOKENS.ports, (of) => {
    const clock = options.clock ?? Date.now;
    const { repositoryHost = null } = of.resolve(TOKENS.options);
    return {
      stores: of.resolve(TOKENS.stores),
      feed: of.resolve(TOKENS.stores).feed,
      reports: measuredReportQueue(of.resolve(TOKENS.reportQueue), of.resolve(TOKENS.metrics)),
      lookups: of.resolve(TOKENS.lookups),
      receipts: measuredReceipts(of.resolve(TOKENS.metrics)),
      clock,
      pause,
      slices: inOnePiece,
      newId: options.newId ?? uuidv7(clock),
      secrets: options.secrets ?? secrets(),
      hookSender:
        options.hookSender ??
        hookSender({
          secretKey: options.secretKey,
          ...(options.webhookTargets === undefined ? {} : { targets: options.webhookTargets }),
        }),
      deliveryLog: measuredDeliveries(of.resolve(TOKENS.metrics)),
      verdicts: options.verdicts ?? verdictSigner({ secretKey: options.secretKey }),
      repositoryHost: repositoryHost && measuredHost(repositoryHost, of.resolve(TOKENS.metrics)),
    };
  });
  bind(TOKENS.readingPorts, (of) => {
    const { replica } = of.resolve(TOKENS.options);
    const ports = of.resolve(TOKENS.ports);
    if (replica === undefined) return ports;
    measureReplica(replica, of.resolve(TOKENS.metrics), log);
    return { ...ports, stores: replica.stores, lookups: lookups(replica.stores) };
  });
  bind(TOKENS.recordRetention, (of) => ({
    days: options.keepRecordsDays ?? null,
    note: countedRemovals(of.resolve(TOKENS.metrics)),
  }));
  bind(TOKENS.workWatch, () => createWorkWatch());
  bind(TOKENS.noteBacklog, (of) => measuredBacklog(of.resolve(TOKENS.metrics), of.resolve(TOKENS.ports).clock));
  bind(TOKENS.health, (of) => createHealth(options.checkStores ?? askStores(of.resolve(TOKENS.stores))));
  bind(TOKENS.reportCache, (of) => {
    const { lookups: reads, clock } = of.resolve(TOKENS.ports);
    return createReportCache(reads, clock);
  });
  bind(TOKENS.requestServices, (of) => {
    const ports = of.resolve(TOKENS.ports);
    const readingPorts = of.resolve(TOKENS.readingPorts);
    const services = createRequestServices({
      ports,
      portsOf: ({ fromReplica }) => (fromReplica ? readingPorts : ports),
      findPrincipal: createFindPrincipal(ports, isWellFormedApiKey),
      authenticate: options.authenticate ?? null,
      baseUrl,
      requestsPerMinute: options.requestsPerMinute === undefined ? 6000 : options.requestsPerMinute,
      ...(options.mostBodyBytes === undefined ? {} : { mostBodyBytes: options.mostBodyBytes }),
      secretKey: options.secretKey,
      draining: () => of.resolve(TOKENS.health).draining,
      monotonic,
      notOffered: absentGroups(options.stores),
    });
    of.resolve(TOKENS.metrics).add({
      name: 'event_streams',
      help: 'Streams of events that are open.',
      type: 'gauge',
      read: () => services.streams.count,
    });
    return services;
  });
  bind(TOKENS.routes, (of) =>
    createRoutes({
      reports: of.resolve(TOKENS.reportCache),
      setupToken: options.setupToken ?? of.resolve(TOKENS.ports).secrets.newToken(),
      baseUrl,
      application: options.application !== undefined,
      service: serviceFacts(of, baseUrl),
    }),
  );
  bind(TOKENS.app, (of) =>
    createApp({
      table: of.resolve(TOKENS.mounted).table,
      routes: of.resolve(TOKENS.routes),
      services: of.resolve(TOKENS.requestServices),
      pages: documentationPages(of.resolve(TOKENS.mounted).table, of.resolve(TOKENS.requestServices).basePath),
      application: options.application ?? null,
      log,
      metrics: of.resolve(TOKENS.metrics),
      monotonic,
      newId: of.resolve(TOKENS.ports).newId,
      trustedProxies: options.trustedProxies ?? 0,
      corsOrigins: options.corsOrigins ?? [],
      stored: of.resolve(TOKENS.workWatch).noteStored,
    }),
  );
  return child;
};

/** An instance of the service. */
export interface Shipworthy {
  /**
   * Handles a request of the embedder's own server and resolves when it is answered. Needs the option `baseUrl`. The
   * first request starts the background work. If the body was read before, its bytes are taken from `request.rawBody`.
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /**
   * `handler` as Koa middleware, for `app.use` in the embedder's Koa or for koa-mount. It answers every request, so
   * that middleware behind it never runs.
   */
  readonly middleware: Koa.Middleware;
  /**
   * `handler` from `Request` to `Response`, for route handlers of Next.js, for Bun and Deno. Rejects when the request
   * is aborted before it is answered.
   */
  readonly fetch: (request: Request, surroundings?: FetchSurroundings) => Promise<Response>;
  /** Listens, begins the background work and answers the address. @throws when the port is taken */
  listen(where: ListeningPlace): Promise<URL>;
  /** The metrics of this instance in the Prometheus text format. */
  metrics(): string;
  /** Finishes what is in hand, stores what is queued, ends the background work and closes the stores. */
  close(): Promise<void>;
}

/** How long requests in hand may take once the service closes, in milliseconds. */
const CLOSE_LIMIT = 15_000;

/** Returns a function that says whether a group has stores. @throws TypeError when options need missing stores */
const offeredBy = (options: ShipworthyOptions): ((group: StoreGroup) => boolean) => {
  const absent = absentGroups(options.stores);
  const needed = {
    host: options.repositoryHost !== undefined,
    retention: (options.keepRecordsDays ?? null) !== null,
  };
  for (const group of absent)
    if (group in needed && needed[group as keyof typeof needed])
      throw new TypeError(`The options need the stores of the group ${group}, which are not there.`);
  return (group) => !absent.includes(group);
};

/** Returns the function that creates instances of the service with these routes. */
export const createShipworthyOn =
  (createRoutes: CreateRoutes) =>
  (options: ShipworthyOptions): Shipworthy => {
    if (options.baseUrl !== undefined) basePathOf(options.baseUrl);
    const offers = offeredBy(options);
    const log = options.log ?? silentLog;
    const servers: Server[] = [];
    const loops: Loop[] = [];
    let container: ReturnType<typeof createContainer> | undefined;
    let listener: Shipworthy['handler'] | undefined;
    let middleware: Koa.Middleware | undefined;
    let closing: Promise<void> | undefined;

    const containerAt = (address: URL): ReturnType<typeof createContainer> => {
      if (container !== undefined) return container;
      container = createContainer(options, options.baseUrl ?? address, createRoutes);
      const ports = container.resolve(TOKENS.ports);
      const watch = container.resolve(TOKENS.workWatch);
      loops.push(startRetention(ports, container.resolve(TOKENS.recordRetention), log));
      if (offers('history')) loops.push(startHistory(ports, log, watch));
      if (offers('webhooks'))
        loops.push(
          ...startWebhooks(ports, log, watch),
          startBacklog(ports, container.resolve(TOKENS.noteBacklog), log),
        );
      if (options.tendStores !== undefined) loops.push(startStoreTending(options.tendStores, log));
      if (options.demo === true) loops.push(startDemo(ports, log, watch));
      if (ports.repositoryHost !== null) loops.push(startImport(ports, log, watch));
      return container;
    };
    const listenerAt = (address: URL): Shipworthy['handler'] => {
      listener ??= containerAt(address).resolve(TOKENS.app).callback();
      return listener;
    };
    const middlewareAt = (address: URL): Koa.Middleware => {
      // The type of a surrounding Koa's state is unknown: its own middleware defines it.
      middleware ??= compose(containerAt(address).resolve(TOKENS.app).middleware) as Koa.Middleware;
      return middleware;
    };
    const needBaseUrl = (): URL => {
      if (options.baseUrl !== undefined) return options.baseUrl;
      throw new TypeError('Without listen() the service needs its baseUrl.');
    };

    const close = async (): Promise<void> => {
      const parts = container;
      // Empties the connection queues first: answers that close connections would make callers connect and queue again.
      await Promise.all(servers.map(emptyQueue));
      parts?.resolve(TOKENS.health).drain();
      parts?.resolve(TOKENS.requestServices).streams.end();
      await Promise.all([
        ...servers.map((server) => closeServer(server, CLOSE_LIMIT)),
        ...loops.map((loop) => loop.stop()),
      ]);
      if (parts !== undefined) {
        const { work } = parts.resolve(TOKENS.requestServices);
        await work.idle();
        await parts.resolve(TOKENS.reportQueue).drain();
        work.stop();
        parts.resolve(TOKENS.metrics).stop();
      }
      await options.closeStores?.();
      await log.flush();
    };

    const handler: Shipworthy['handler'] = (request, response) =>
      (listener ?? listenerAt(needBaseUrl()))(request, response);

    return {
      handler,
      fetch: fetchBy((request, response) => void handler(request as IncomingMessage, response as ServerResponse)),
      middleware: (context, next) => (middleware ?? middlewareAt(needBaseUrl()))(context, next),
      async listen(where) {
        const { server, url } = await openServer(where, (options.trustedProxies ?? 0) > 0);
        handleWith(server, listenerAt(url));
        servers.push(server);
        return url;
      },
      metrics: () => container?.resolve(TOKENS.metrics).text() ?? '',
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  };

/** The values that routes need besides the ports. */
export interface RouteNeeds {
  readonly reports: ReportCache;
  readonly setupToken: string;
  /** Public address of the service. */
  readonly baseUrl: URL;
  /** Whether the application in the browser is served, so that pages lead on to it. */
  readonly application: boolean;
  readonly service: ServiceFacts;
}
export type CreateRoutes = (needs: RouteNeeds) => Routes;

/** The options of an instance of the service. Only the stores and the secret key have no default. */
export interface ShipworthyOptions {
  /** The core stores and any of the groups of stores. Operations of a missing group answer 501 `not-offered`. */
  readonly stores: OfferedStores;
  /** Answers reads in place of the stores while it is as new as they are; without it the stores answer all. */
  readonly replica?: ReadReplica;
  /** 32 bytes or more, the same in every process of the service: signs cursors, and verdicts unless `verdicts` does. */
  readonly secretKey: Uint8Array;
  /**
   * Public address; the listening address unless given. Below a path, such as `https://acme.dev/shipworthy`, requests
   * are served with or without that path, which a proxy may remove.
   */
  readonly baseUrl?: URL;
  /** Checks that the stores answer and their schema is complete; without it any query that succeeds is enough. */
  readonly checkStores?: CheckStores;
  /** Prepares the stores for coming records; every instance calls it at the start and every hour. Optional. */
  readonly tendStores?: () => Promise<void>;
  /** Closes the stores when the service is closed. */
  readonly closeStores?: () => Promise<void>;
  /** Own authentication instead of API keys and sessions. */
  readonly authenticate?: Authenticate;
  /** The repository host people may connect; its name is part of paths. Without it none can be connected. */
  readonly repositoryHost?: ConfiguredHost;
  /** Lets the first administrator in; without it no administrator can be set up. */
  readonly setupToken?: string;
  /** Requests per minute and key or session; null: not limited; 6,000 unless given. */
  readonly requestsPerMinute?: number | null;
  /** Most bytes of request bodies kept at once; one caller may have half of what others leave. 32 MiB unless given. */
  readonly mostBodyBytes?: number;
  /** How many proxies are in front of the server; 0 unless given. */
  readonly trustedProxies?: number;
  /**
   * Origins whose pages may call the service from a browser with an API key, such as `https://portal.acme.dev`; none unless given.
   * Sessions stay with the service's own pages.
   */
  readonly corsOrigins?: readonly string[];
  /** The application in the browser, as `readApplicationFiles` reads it; without it only the interface is served. */
  readonly application?: ApplicationFiles;
  /** Adds the demo, unless it is there already, once there is an administrator; not added unless true. */
  readonly demo?: boolean;
  /** How many days deployments, test runs and reports of own axes are kept; null or not given: for ever. */
  readonly keepRecordsDays?: number | null;
  /** Bearer token for `/metrics`; without it the metrics are not served among the routes. */
  readonly metricsToken?: string;
  /** Silent unless given. */
  readonly log?: Log;
  readonly clock?: Clock;
  readonly newId?: NewId;
  readonly secrets?: Secrets;
  /** Host names, addresses and networks beyond the internet that webhooks may reach; none unless given. */
  readonly webhookTargets?: readonly string[];
  /** Sends the messages of webhooks; unless given, Node's own client to checked addresses. */
  readonly hookSender?: WebhookSender;
  /**
   * Signs verdicts, such as with a key that never leaves its vault; unless given, a key made of the secret key signs.
   */
  readonly verdicts?: VerdictSigner;
}
