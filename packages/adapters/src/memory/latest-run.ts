import type { TestRun } from '@shipworthy/domain';
import { greatest } from './order.js';

/** What test runs are sorted by in time. */
export const later = ({ ranAt, recordedAt, id }: TestRun) => [ranAt, recordedAt, id];

/** The run that is the latest of all: ranAt, then recordedAt, then id. */
export const latestRun = (runs: readonly TestRun[]): TestRun | undefined => greatest(runs, later);
