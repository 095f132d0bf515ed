import type { SchemaStep } from './migrate.js';
import { acceptance, demo, keyHomes, people } from './people.js';
import { activations, archives, badges, eventSources, launchChecklist, projects } from './projects.js';
import {
  axisReports,
  axisReportsByAge,
  axisReportsByProject,
  deploymentsByProject,
  effectiveTimes,
  gateChanges,
  keptRecords,
  lateDeployments,
  latestRuns,
  moves,
  records,
  returns,
  runsSetAside,
  snapshots,
  testRunsByProject,
} from './records.js';
import { endings, origins, repositories } from './repositories.js';
import { identity, keySalt } from './secret-key.js';
import { toldEvents, webhookHealth, webhooks } from './webhooks.js';

/** Every step, in the order they are taken; the version of a schema is the number of steps it has taken. */
export const SCHEMA_STEPS: readonly SchemaStep[] = [
  people,
  projects,
  records,
  repositories,
  snapshots,
  webhooks,
  origins,
  badges,
  endings,
  webhookHealth,
  moves,
  eventSources,
  demo,
  keptRecords,
  effectiveTimes,
  returns,
  lateDeployments,
  activations,
  launchChecklist,
  identity,
  runsSetAside,
  keySalt,
  acceptance,
  keyHomes,
  latestRuns,
  toldEvents,
  axisReports,
  deploymentsByProject,
  testRunsByProject,
  axisReportsByProject,
  archives,
  axisReportsByAge,
  gateChanges,
];
