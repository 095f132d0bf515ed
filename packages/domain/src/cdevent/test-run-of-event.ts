import type { TestRunReport } from '../report/test-run-report.js';
import type { SuiteCounts, SuiteRunEvent } from './cdevent.js';

/** A suite that does not count its tests counts as one; one that broke neither passed nor failed. */
const countsOf = ({ counts, outcome }: SuiteRunEvent): SuiteCounts =>
  counts ?? {
    total: 1,
    passed: outcome === 'pass' ? 1 : 0,
    failed: outcome === 'fail' ? 1 : 0,
    skipped: null,
  };

/**
 * The test run a suite's event tells of, for the project's active release; null when the run was canceled, which says
 * nothing of the code.
 */
export const testRunOfEvent = (event: SuiteRunEvent): TestRunReport | null =>
  event.outcome === 'cancel'
    ? null
    : {
        ...countsOf(event),
        releaseId: null,
        suite: event.suite,
        commitSha: event.commitSha,
        url: null,
        durationSeconds: null,
        ranAt: event.at,
        external: event.external,
      };
