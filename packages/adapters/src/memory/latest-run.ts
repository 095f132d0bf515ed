import type { TestRun } from '@shipworthy/domain';
import { greatest } from './order.js';
import type { Tables } from './tables.js';

/** What test runs are sorted by in time. */
export const later = ({ ranAt, recordedAt, id }: TestRun) => [ranAt, recordedAt, id];

/** The run that is the latest of all: ranAt, then recordedAt, then id. */
export const latestRun = (runs: readonly TestRun[]): TestRun | undefined => greatest(runs, later);

/** The runs of a release without those that were recorded after it shipped. */
export const inTime = ({ releases, testRuns }: Tables, releaseId: string): readonly TestRun[] => {
  const shippedAt = releases.get(releaseId)?.shippedAt ?? null;
  return testRuns.where('release', releaseId).filter(({ recordedAt }) => shippedAt === null || recordedAt < shippedAt);
};
