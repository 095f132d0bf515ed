import type { DrainableReportQueue } from '@shipworthy/adapters/group-commit';
import type { Operations } from '@shipworthy/client/contract';
import type { Backlog, Lookups, Ports, StoresWithFeed } from '@shipworthy/domain';
import type Koa from 'koa';
import type { InjectionToken } from 'tsyringe';
import type { Machinery } from '../http/machinery.js';
import type { Routes } from '../http/route.js';
import type { Metrics } from '../observability/metrics.js';
import type { ReportCache } from '../readiness/report-cache.js';
import type { Health } from '../service/health.js';
import type { RecordRetention } from '../work/retention.js';
import type { ShipworthyOptions } from './options.js';

/** The table of operations, with the name of the repository host in its paths. */
export interface Mounted {
  readonly table: Operations;
}

// A bare symbol constant would be narrowed to its own type and resolve to unknown.
const token = <Value>(name: string): InjectionToken<Value> => Symbol(name);

/** What the service is put together from; tests and embedders override a binding, never a module. */
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
  readonly health: InjectionToken<Health>;
  readonly machinery: InjectionToken<Machinery>;
  readonly reportCache: InjectionToken<ReportCache>;
  readonly routes: InjectionToken<Routes>;
  readonly app: InjectionToken<Koa>;
}

export const TOKENS: Tokens = {
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
  health: token('health'),
  machinery: token('machinery'),
  reportCache: token('reportCache'),
  routes: token('routes'),
  app: token('app'),
};
