import type { Instant, Interval } from '../instant.js';
import type { Page, PageRequest } from '../page.js';
import type { Release } from '../release/release.js';
import type { RunOrder, SetAside, TestRun } from './test-run.js';

export interface TestRunFilter {
  readonly projectId: string;
  readonly releaseId?: string;
  /** A suite name; null: the runs without one. */
  readonly suite?: string | null;
  readonly externalId?: string;
  /** Over `ranAt`. */
  readonly ran?: Interval;
}

/** Asks where a run would go: the named release, or the project's active one. */
export interface TargetLookup {
  readonly projectId: string;
  readonly releaseId: string | null;
  readonly suite: string | null;
  /** Where no release is named: the one that was active then, if one was, instead of the one that is active now. */
  readonly at?: Instant | null;
}

/**
 * The release a run goes to and the run that is the latest there so far, of all suites and of the asked one; of a shipped
 * release the latest of those that were recorded before it shipped.
 */
export interface TestRunTarget {
  readonly project: { readonly id: string; readonly teamId: string; readonly name: string };
  /** The named release (only if it is of this project) or the active one, which of a moment that has passed may be closed by now; null when there is none. */
  readonly release: Release | null;
  readonly verification: 'latest_run' | 'latest_per_suite';
  readonly latest: RunOrder | null;
  readonly latestOfSuite: RunOrder | null;
}

/** A run that counts, and among which runs of its release the one it took the place of is: those of its suite, or all. */
export interface PlaceLookup extends RunOrder, Pick<TestRun, 'releaseId' | 'suite'> {
  readonly ofSuite: boolean;
}

/** Reading test runs, and setting them aside; they are recorded through the ReportStore only, and never deleted but by age. */
export interface TestRunStore {
  byId(testRunId: string): Promise<TestRun | undefined>;
  /** In the order asked; undefined where there is none. One query. */
  byIds(testRunIds: readonly string[]): Promise<readonly (TestRun | undefined)[]>;
  /** Latest first: ranAt, then recordedAt, then id. */
  page(filter: TestRunFilter, page: PageRequest): Promise<Page<TestRun>>;
  /** When the latest run of each project, of all its releases, was recorded, in the order asked; undefined where there is none. One query. */
  lastRecorded(projectIds: readonly string[]): Promise<readonly (Instant | undefined)[]>;
  /** Those whose place a later run of their release has taken, under `latest_per_suite` one of their suite, those recorded after their release shipped, and those set aside. Latest first like `page`. */
  notCounted(projectId: string, verification: TestRunTarget['verification'], page: PageRequest): Promise<Page<TestRun>>;
  /** In the order asked; undefined where there is no such project. One query for any number. */
  targets(lookups: readonly TargetLookup[]): Promise<readonly (TestRunTarget | undefined)[]>;
  /** Sets a run aside, or takes that back (null), and marks its release as changed at the moment. */
  setAside(testRun: Pick<TestRun, 'id' | 'releaseId'>, setAside: SetAside | null, changedAt: Instant): Promise<void>;
  /** The latest run before each, of a shipped release among those recorded before it shipped; in the order asked; undefined where it was the first. One query for any number. */
  before(lookups: readonly PlaceLookup[]): Promise<readonly (TestRun | undefined)[]>;
}
