import { bundles } from './bundles.js';
import { engine } from './engine.js';
import { hostImport } from './host-import.js';
import { pastImport } from './past-import.js';
import { portfolio } from './portfolio.js';
import { postgresWrites } from './postgres-writes.js';
import { processes } from './processes.js';
import { readinessReads } from './readiness-reads.js';
import type { Row } from './row.js';
import { scorecardPaint } from './scorecard-paint.js';
import { slowerDiskWrites } from './slower-disk-writes.js';
import { sqliteWrites } from './sqlite-writes.js';
import { start } from './start.js';

/** All rows, in the order of the table. */
export const ALL_ROWS: readonly Row[] = [
  engine,
  postgresWrites,
  sqliteWrites,
  slowerDiskWrites,
  processes,
  readinessReads,
  portfolio,
  pastImport,
  hostImport,
  scorecardPaint,
  start,
  bundles,
];
