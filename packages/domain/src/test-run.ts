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
 * Returns the suite that a label names; null: none. Labels that look the same name the same suite: otherwise passing
 * runs of the one would never replace a failed run of the other.
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
  /** The interval that holds `ranAt`. */
  readonly ran?: Interval;
  /** `namesOfTestRun` holds all of these words, in any case. May read all runs that pass the other members. */
  readonly text?: { readonly words: readonly string[] };
}

/** The text in which a search looks for a test run: its suite, commit and external id. */
export const namesOfTestRun = ({ suite, commitSha, external }: TestRun): string =>
  `${suite ?? ''} ${commitSha ?? ''} ${external?.id ?? ''}`;

/** Asks for the release that a run would count for: the named one, or the project's active one. */
export interface TargetLookup {
  readonly projectId: string;
  readonly releaseId: string | null;
  readonly suite: string | null;
  /** Without a named release: asks for the one that was active at this moment; if none was, for the one active now. */
  readonly at?: Instant | null;
}

/**
 * The release that a run goes to, and its latest runs so far: of all suites, and of the suite asked for. In a shipped
 * release only runs recorded before it shipped are considered.
 */
export interface TestRunTarget {
  readonly project: { readonly id: string; readonly teamId: string; readonly name: string };
  /**
   * The named release (null if it is not of this project), or the one active at the moment asked for, which may be
   * closed by now; null: there is none.
   */
  readonly release: Release | null;
  readonly verification: 'latest_run' | 'latest_per_suite';
  readonly latest: RunOrder | null;
  readonly latestOfSuite: RunOrder | null;
  /** Whether the latest run of a suite other than the one asked for is set aside: then verification is unmeasured. */
  readonly otherSuiteSetAside: boolean;
}

/** Asks which run a counting run replaced: the one before it in its suite (`ofSuite`), or in its whole release. */
export interface PreviousRunLookup extends RunOrder, Pick<TestRun, 'releaseId' | 'suite'> {
  readonly ofSuite: boolean;
}

/** Reads test runs and sets them aside. Only the ReportStore records them; they are deleted only for their age. */
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
   * their release shipped, are set aside, or are of a release in which the latest run of another suite is set aside.
   * Latest first like `page`.
   */
  notCounted(projectId: string, verification: TestRunTarget['verification'], page: PageRequest): Promise<Page<TestRun>>;
  /** The target of each lookup, in the order asked; undefined: there is no such project. One query for any number. */
  targets(lookups: readonly TargetLookup[]): Promise<readonly (TestRunTarget | undefined)[]>;
  /** Sets a run aside, or takes that back (null), and marks its release as changed at the moment. */
  setAside(testRun: Pick<TestRun, 'id' | 'releaseId'>, setAside: SetAside | null, changedAt: Instant): Promise<void>;
  /**
   * The latest run before each lookup's run, in the order asked; undefined: it was the first. In a shipped release only
   * runs recorded before it shipped are considered. One query for any number.
   */
  before(lookups: readonly PreviousRunLookup[]): Promise<readonly (TestRun | undefined)[]>;
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

/**
 * For a report that names no release and ran in the past: when it ran; it goes to the release active then.
 * null: it goes to the named release, or to the one active now.
 */
export const activeReleaseAt = (
  { releaseId, ranAt }: Pick<TestRunReport, 'releaseId' | 'ranAt'>,
  now: Instant,
): Instant | null => (releaseId === null && ranAt !== null && ranAt < now ? ranAt : null);

/**
 * Returns the release that was found for a report. A named one must be open; one that was active then may be closed.
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

/** The members of a test run that the service sets. */
interface Recording {
  readonly id: string;
  readonly projectId: string;
  readonly releaseId: string;
  readonly recordedBy: string;
  readonly now: Instant;
}

/**
 * Makes the record from a report without faults. `ranAt` is `now` at most: a clock that runs ahead must not keep a run
 * the latest while others come after it.
 */
export const testRunFrom = (report: TestRunReport, { now, ...recording }: Recording): TestRun => ({
  ...report,
  ...recording,
  ranAt: Math.min(report.ranAt ?? now, now),
  recordedAt: now,
  setAside: null,
});
