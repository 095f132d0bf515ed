import { acceptance } from './acceptance.js';
import { activations } from './activations.js';
import { badges } from './badges.js';
import { demo } from './demo.js';
import { effectiveTimes } from './effective-times.js';
import { endings } from './endings.js';
import { eventSources } from './event-sources.js';
import { identity } from './identity.js';
import { keptRecords } from './kept-records.js';
import { keyHomes } from './key-homes.js';
import { keySalt } from './key-salt.js';
import { lateDeployments } from './late-deployments.js';
import { launchChecklist } from './launch-checklist.js';
import { moves } from './moves.js';
import { origins } from './origins.js';
import { people } from './people.js';
import { projects } from './projects.js';
import { records } from './records.js';
import { repositories } from './repositories.js';
import { returns } from './returns.js';
import { runsSetAside } from './runs-set-aside.js';
import { snapshots } from './snapshots.js';
import type { SchemaStep } from './step.js';
import { webhookHealth } from './webhook-health.js';
import { webhooks } from './webhooks.js';

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
];
