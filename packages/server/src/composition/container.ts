import 'reflect-metadata';
import { pause } from '@shipworthy/adapters/clock';
import { isWellFormedApiKey, secrets, uuidv7, verdictSigner } from '@shipworthy/adapters/crypto';
import { lookups, reportQueue } from '@shipworthy/adapters/group-commit';
import { hookSender } from '@shipworthy/adapters/hook-sender';
import { DEFAULT_HOST, openApiDocument, operationsOf } from '@shipworthy/client/contract';
import { inOnePiece } from '@shipworthy/domain';
import { container, type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe';
import { createApp } from '../app.js';
import { publicAddress } from '../http/base-path.js';
import { createFindPrincipal } from '../http/find-principal.js';
import { createMachinery } from '../http/machinery.js';
import { countedRemovals } from '../observability/counted-removals.js';
import { measuredBacklog, measuredDeliveries } from '../observability/measured-deliveries.js';
import { measuredHost } from '../observability/measured-host.js';
import { measureReplica } from '../observability/measured-replica.js';
import { measuredReceipts, measuredReportQueue, measuredReportStore } from '../observability/measured-reports.js';
import { createMetrics } from '../observability/metrics.js';
import { silentLog } from '../observability/silent-log.js';
import { createReportCache } from '../readiness/report-cache.js';
import { docsPage } from '../service/docs-page.js';
import { askStores, createHealth } from '../service/health.js';
import { documentationPages } from '../service/problem-pages.js';
import type { ServiceFacts } from '../service/service-routes.js';
import { VERSION } from '../version.js';
import type { CreateRoutes, ShipworthyOptions } from './options.js';
import { REPLICA_READS } from './replica-reads.js';
import { TOKENS } from './token.js';

const monotonic = (): number => performance.now();

const serviceFacts = (of: DependencyContainer, baseUrl: URL): ServiceFacts => {
  const { table } = of.resolve(TOKENS.mounted);
  const { repositoryHost } = of.resolve(TOKENS.options);
  const { users } = of.resolve(TOKENS.stores);
  const { basePath, sessionCookie } = of.resolve(TOKENS.machinery);
  return {
    health: of.resolve(TOKENS.health),
    metrics: of.resolve(TOKENS.metrics),
    metricsToken: of.resolve(TOKENS.options).metricsToken ?? null,
    repositoryHost: repositoryHost ?? null,
    isSetUp: () => users.any(),
    openApi: () =>
      JSON.stringify(
        openApiDocument({
          serverUrl: publicAddress(baseUrl, ''),
          sessionCookie: sessionCookie.name,
          version: VERSION,
          table,
        }),
      ),
    docsPage: () => docsPage(table, basePath),
  };
};

/**
 * Everything the service is made of, each made once when it is first needed. `baseUrl` is where people reach it.
 * The one place that names the container.
 */
export const createContainer = (
  options: ShipworthyOptions,
  baseUrl: URL,
  createRoutes: CreateRoutes,
): DependencyContainer => {
  const child = container.createChildContainer();
  const bind = <Value>(name: InjectionToken<Value>, make: (of: DependencyContainer) => Value): void => {
    child.register(name, { useFactory: instanceCachingFactory(make) });
  };
  const log = options.log ?? silentLog;
  child.register(TOKENS.options, { useValue: options });
  bind(TOKENS.stores, (of) => of.resolve(TOKENS.options).stores);
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
  bind(TOKENS.noteBacklog, (of) => measuredBacklog(of.resolve(TOKENS.metrics), of.resolve(TOKENS.ports).clock));
  bind(TOKENS.health, (of) => createHealth(options.checkStores ?? askStores(of.resolve(TOKENS.stores))));
  bind(TOKENS.reportCache, (of) => {
    const { lookups: reads, clock } = of.resolve(TOKENS.ports);
    return createReportCache(reads, clock);
  });
  bind(TOKENS.machinery, (of) => {
    const ports = of.resolve(TOKENS.ports);
    const readingPorts = of.resolve(TOKENS.readingPorts);
    const machinery = createMachinery({
      ports,
      portsOf: (operationId) => (REPLICA_READS.has(operationId) ? readingPorts : ports),
      findPrincipal: createFindPrincipal(ports, isWellFormedApiKey),
      authenticate: options.authenticate ?? null,
      baseUrl,
      requestsPerMinute: options.requestsPerMinute === undefined ? 6000 : options.requestsPerMinute,
      ...(options.mostBodyBytes === undefined ? {} : { mostBodyBytes: options.mostBodyBytes }),
      secretKey: options.secretKey,
      draining: () => of.resolve(TOKENS.health).draining,
      monotonic,
    });
    of.resolve(TOKENS.metrics).add({
      name: 'event_streams',
      help: 'Streams of events that are open.',
      type: 'gauge',
      read: () => machinery.streams.count,
    });
    return machinery;
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
      machinery: of.resolve(TOKENS.machinery),
      pages: documentationPages(of.resolve(TOKENS.mounted).table, of.resolve(TOKENS.machinery).basePath),
      application: options.application ?? null,
      log,
      metrics: of.resolve(TOKENS.metrics),
      monotonic,
      newId: of.resolve(TOKENS.ports).newId,
      trustedProxies: options.trustedProxies ?? 0,
    }),
  );
  return child;
};
