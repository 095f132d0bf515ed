import type { ExternalId } from '../deployment/deployment.js';
import type { Fault } from '../errors.js';
import { DomainError, invalid } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Release } from '../release/release.js';
import { requireOpen } from '../release/release-transition.js';
import type { TestRun } from '../test-run/test-run.js';
import { runFaults } from '../test-run/test-run-rules.js';
import { durationFaults } from './deployment-report.js';

/** A test run as a pipeline or a person reports it; null: not said. */
export interface TestRunReport {
  /** null: the project's active release. */
  readonly releaseId: string | null;
  readonly suite: string | null;
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number | null;
  readonly commitSha: string | null;
  readonly url: string | null;
  readonly durationSeconds: number | null;
  readonly ranAt: Instant | null;
  readonly external: ExternalId | null;
}

/** Everything wrong with a report; empty when nothing is. */
export const testRunFaults = (report: TestRunReport, now: Instant): readonly Fault[] => [
  ...runFaults(report, now),
  ...durationFaults(report.durationSeconds),
];

/** When a report that names no release must have been made for the release that was active then: it ran in the past. null: it goes to the active one. */
export const activeThen = (
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
export interface Recording {
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
