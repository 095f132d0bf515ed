import type { Routes } from '../http/route.js';
import type { ReportCache } from '../readiness/report-cache.js';
import { type ServiceFacts, serviceRoutes } from '../service/service-routes.js';
import { axisRowRoutes } from './axis-rows.js';
import { deploymentRoutes } from './deployments.js';
import { historyRoutes } from './history.js';
import { portfolioRoutes } from './portfolio.js';
import { readinessRoutes } from './readiness.js';
import { testRunRoutes } from './test-runs.js';
import { waiverRoutes } from './waivers.js';

/** What routes need beyond the ports. */
export interface RouteNeeds {
  readonly reports: ReportCache;
  readonly service: ServiceFacts;
}

/** A handler of every noun's operations; each noun's record is checked to hold nothing else. */
export const allRoutes = ({ reports, service }: RouteNeeds) =>
  ({
    ...readinessRoutes(reports),
    ...axisRowRoutes,
    ...historyRoutes,
    ...waiverRoutes,
    ...portfolioRoutes,
    ...deploymentRoutes,
    ...testRunRoutes,
    ...serviceRoutes(service),
  }) satisfies Partial<Routes>;
