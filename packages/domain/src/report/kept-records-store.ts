import type { Instant } from '../instant.js';

/** Since when all of a project's records are there, by kind: some from before may be gone. null: none was ever removed. */
export interface KeptSince {
  /** Over `startedAt`. */
  readonly deployments: Instant | null;
  /** Over `ranAt`; those of releases that are planned or active are there whatever their age. */
  readonly testRuns: Instant | null;
}

/** What was removed of one project or, where records of all projects go at once, of one team. */
export interface RemovedRecords {
  /** null: of the team's projects together. */
  readonly projectId: string | null;
  readonly teamId: string;
  readonly deployments: number;
  readonly testRuns: number;
}

/** One portion of a removal. */
export interface RemovedPortion {
  readonly removed: readonly RemovedRecords[];
  /** Where to go on: a project's id; null: all has been looked at. */
  readonly next: string | null;
}

/** How long records are kept. What is counted stays: kept counts, latest test runs, reports, histories and verdicts. */
export interface KeptRecordsStore {
  since(projectId: string): Promise<KeptSince>;
  /**
   * Removes records from before the moment, a start of a UTC day, as many as one transaction bears, beginning with the project
   * `from` (null: the first). Deployments in or after the day in which a planned or active release of their project begins
   * stay, and so do the test runs of such releases: whatever is open reads the same before and after. A store that keeps
   * records by the time they came may leave some from before longer.
   */
  removeBefore(before: Instant, from: string | null): Promise<RemovedPortion>;
}
