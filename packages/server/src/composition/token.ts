import type { DrainableReportQueue } from '@shipworthy/adapters/group-commit';
import type { Operations } from '@shipworthy/client/contract';
import type { Lookups, Ports, StoresWithFeed } from '@shipworthy/domain';
import type Koa from 'koa';
import type { InjectionToken } from 'tsyringe';
import type { Machinery } from '../http/machinery.js';
import type { Routes } from '../http/route.js';
import type { Metrics } from '../observability/metrics.js';
import type { ReportCache } from '../readiness/report-cache.js';
import type { Health } from '../service/health.js';
import type { ShipworthyOptions } from './options.js';

/** The table of operations, with the name of the repository host in its paths. */
export interface Mounted {
  readonly table: Operations;
}

// A bare symbol constant would be narrowed to its own type and resolve to unknown.
const token = <Value>(name: string): InjectionToken<Value> => Symbol(name);

/** What the service is put together from; tests and embedders override a binding, never a module. */
export const TOKENS = {
  options: token<ShipworthyOptions>('options'),
  stores: token<StoresWithFeed>('stores'),
  metrics: token<Metrics>('metrics'),
  lookups: token<Lookups>('lookups'),
  reportQueue: token<DrainableReportQueue>('reportQueue'),
  ports: token<Ports>('ports'),
  mounted: token<Mounted>('mounted'),
  health: token<Health>('health'),
  machinery: token<Machinery>('machinery'),
  reportCache: token<ReportCache>('reportCache'),
  routes: token<Routes>('routes'),
  app: token<Koa>('app'),
} as const;
