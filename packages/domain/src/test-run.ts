import { durationFaults, type ExternalId } from './deployment.js';
import { DomainError, type Fault, invalid } from './errors.js';
import { plainLabel } from './names.js';
import type { ListOrder, Page, PageRequest } from './page.js';
import { type Release, requireOpen } from './release/release.js';
import { ALLOWED_CLOCK_LEAD, type Instant, type Interval } from './time.js';

/**
 * An owner's statement that a run does not represent its suite: it never counts, and verification is unmeasured until the suite
 * has a newer one.
 */
export interface SetAside {
  /** 1-500 characters. */
  readonly reason: string;
  /** Name of the owner. */
  readonly by: string;
  readonly at: Instant;
}

/**
 * The suite that a label names; null: none. Labels that look the same name the same suite: a red run of the one would otherwise
 * stand for ever beside the green ones of the other, or be overlooked.
 */
export const suiteOf = (label: string | null): string | null => (label === null ? null : plainLabel(label) || null);

/** One run of a test suite, counted in tests. `passed + failed <= total`; the rest errored. */
export interface TestRun {
  readonly id: string;
  readonly projectId: string;
  readonly releaseId: string;
  readonly suite: string | null;
  /** Tests that ran, at least 1. */
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  /** Informative; never enters the rate. */
  readonly skipped: number | null;
  readonly commitSha: string | null;
  readonly url: string | null;
  readonly durationSeconds: number | null;
  /** Its effective time: when it ran as far as that is known, never after `recordedAt`. */
  readonly ranAt: Instant;
  readonly recordedAt: Instant;
  /** Name of the person or key that recorded it. */
  readonly recordedBy: string;
  readonly external: ExternalId | null;
  /** null: it is not set aside. */
  readonly setAside: SetAside | null;
}

/** The members that order two runs: ranAt, then recordedAt, then id. */
export type RunOrder = Pick<TestRun, 'ranAt' | 'recordedAt' | 'id'>;

/** The members of a reported test run that are checked. */
export type ReportedRun = Pick<TestRunReport, 'total' | 'passed' | 'failed' | 'ranAt'>;

/** Everything wrong with the reported run; empty when nothing is. */
export const runFaults = ({ total, passed, failed, ranAt }: ReportedRun, now: Instant): readonly Fault[] => {
  const faults: Fault[] = [];
  if (total < 1)
    faults.push({
      pointer: '/total',
      code: 'nothing-ran',
      message: 'total is at least 1: a run of no test verifies nothing.',
    });
  if (passed + failed > total)
    faults.push({ pointer: '/total', code: 'sum-exceeds-total', message: 'passed and failed together exceed total.' });
  if (ranAt !== null && ranAt > now + ALLOWED_CLOCK_LEAD)
    faults.push({
      pointer: '/ran_at',
      code: 'in-future',
      message: "ran_at lies more than 5 minutes ahead of the service's clock.",
    });
  return faults;
};

/** Whether `a` is a later run than `b`: by ranAt, then recordedAt, then id. A run is not later than itself. */
export const isLater = (a: RunOrder, b: RunOrder): boolean =>
  a.ranAt !== b.ranAt ? a.ranAt > b.ranAt : a.recordedAt !== b.recordedAt ? a.recordedAt > b.recordedAt : a.id > b.id;

export interface TestRunFilter {
  readonly projectId: string;
  readonly releaseId?: string;
  /** A suite name; null: the runs without one. */
  readonly suite?: string | null;
  readonly externalId?: string;
  /** Over `ranAt`. */
  readonly ran?: Interval;
  /** `namesOfTestRun` hold all of the words, in any case. All runs that the rest leaves may be looked through. */
  readonly text?: { readonly words: readonly string[] };
}

/** What a test run is found by: its suite, commit and external id. */
export const namesOfTestRun = ({ suite, commitSha, external }: TestRun): string =>
  `${suite ?? ''} ${commitSha ?? ''} ${external?.id ?? ''}`;

/** Asks for the release that a run would count for: the named one, or the project's active one. */
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

/** A run that counts, and the runs of its release among which the one it replaced is looked for: those of its suite, or all. */
export interface PlaceLookup extends RunOrder, Pick<TestRun, 'releaseId' | 'suite'> {
  readonly ofSuite: boolean;
}

/** Reading test runs, and setting them aside; they are recorded through the ReportStore only, and never deleted but by age. */
export interface TestRunStore {
  byId(testRunId: string): Promise<TestRun | undefined>;
  /** In the order asked; undefined where there is none. One query. */
  byIds(testRunIds: readonly string[]): Promise<readonly (TestRun | undefined)[]>;
  /** By ranAt, then recordedAt, then id; newest first unless said. */
  page(filter: TestRunFilter, page: PageRequest, order?: ListOrder): Promise<Page<TestRun>>;
  /** When the latest run of each project, of all its releases, was recorded, in the order asked; undefined where there is none. One query. */
  lastRecorded(projectIds: readonly string[]): Promise<readonly (Instant | undefined)[]>;
  /**
   * The runs that were replaced by a later run of their release (under `latest_per_suite`: of their suite), were recorded after
   * their release shipped, or are set aside. Latest first like `page`.
   */
  notCounted(projectId: string, verification: TestRunTarget['verification'], page: PageRequest): Promise<Page<TestRun>>;
  /** In the order asked; undefined where there is no such project. One query for any number. */
  targets(lookups: readonly TargetLookup[]): Promise<readonly (TestRunTarget | undefined)[]>;
  /** Sets a run aside, or takes that back (null), and marks its release as changed at the moment. */
  setAside(testRun: Pick<TestRun, 'id' | 'releaseId'>, setAside: SetAside | null, changedAt: Instant): Promise<void>;
  /** The latest run before each, of a shipped release among those recorded before it shipped; in the order asked; undefined where it was the first. One query for any number. */
  before(lookups: readonly PlaceLookup[]): Promise<readonly (TestRun | undefined)[]>;
}

/** A test run as a pipeline or a person reports it; null: not said. */
export interface TestRunReport
  extends Omit<TestRun, 'id' | 'projectId' | 'releaseId' | 'ranAt' | 'recordedAt' | 'recordedBy' | 'setAside'> {
  /** null: the project's active release. */
  readonly releaseId: string | null;
  readonly ranAt: Instant | null;
}

/** Everything wrong with a report; empty when nothing is. */
export const testRunFaults = (report: TestRunReport, now: Instant): readonly Fault[] => [
  ...runFaults(report, now),
  ...durationFaults(report.durationSeconds),
];

/** When a report that names no release must have been made for the release that was active then: it ran in the past. null: it goes to the active one. */
export const activeReleaseAt = (
  { releaseId, ranAt }: Pick<TestRunReport, 'releaseId' | 'ranAt'>,
  now: Instant,
): Instant | null => (releaseId === null && ranAt !== null && ranAt < now ? ranAt : null);

/**
 * The release a report goes to: the one found for it. It is open, or was active when the run ran.
 * @throws DomainError `invalid` when the named one is not of this project, `no-active-release`, `release-closed`
 */
export const targetRelease = ({ releaseId }: Pick<TestRunReport, 'releaseId'>, found: Release | null): Release => {
  if (found !== null) {
    if (releaseId !== null) requireOpen(found);
    return found;
  }
  if (releaseId === null)
    throw new DomainError('no-active-release', 'No release of this project is active; name one by release_id.');
  throw invalid([
    { pointer: '/release_id', code: 'unknown-release', message: 'release_id names no release of this project.' },
  ]);
};

/** Where a record comes from. */
interface Recording {
  readonly id: string;
  readonly projectId: string;
  readonly releaseId: string;
  readonly recordedBy: string;
  readonly now: Instant;
}

/** The record of a faultless report. A clock that runs ahead must not keep a run on top of later ones: it ran by now at the latest. */
export const testRunFrom = (report: TestRunReport, { now, ...recording }: Recording): TestRun => ({
  ...report,
  ...recording,
  ranAt: Math.min(report.ranAt ?? now, now),
  recordedAt: now,
  setAside: null,
});
