import type { Tool } from './tool.js';
import { finishDeployment } from './tools/finish-deployment.js';
import { getAxisRows } from './tools/get-axis-rows.js';
import { getDifference } from './tools/get-difference.js';
import { getGate } from './tools/get-gate.js';
import { getHistory } from './tools/get-history.js';
import { getScorecard } from './tools/get-scorecard.js';
import { listNotCounted } from './tools/list-not-counted.js';
import { listProjects } from './tools/list-projects.js';
import { listReleases } from './tools/list-releases.js';
import { recordDeployment } from './tools/record-deployment.js';
import { recordTestRun } from './tools/record-test-run.js';
import { whatIf } from './tools/what-if.js';

/** Every tool, in the order an agent sees them. What changes something is offered only where that was allowed. */
export const ALL_TOOLS: readonly Tool[] = [
  getGate,
  getScorecard,
  getAxisRows,
  whatIf,
  getHistory,
  getDifference,
  listNotCounted,
  listProjects,
  listReleases,
  recordTestRun,
  recordDeployment,
  finishDeployment,
];
