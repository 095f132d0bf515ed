import { MAX_COUNT } from '../readiness/share.js';
import type { TestRunReport } from '../report/test-run-report.js';
import type { SuiteCounts, SuiteOutcome, SuiteRunEvent } from './cdevent.js';

/** A suite that does not count its tests counts as one; one that broke neither passed nor failed. */
const uncounted = (outcome: SuiteOutcome): SuiteCounts => ({
  total: 1,
  passed: outcome === 'pass' ? 1 : 0,
  failed: outcome === 'fail' ? 1 : 0,
  skipped: null,
});

/** Tests that all passed in a suite that did not: something outside of them went wrong, which counts as one error. */
const withError = (counts: SuiteCounts): SuiteCounts => ({
  ...counts,
  total: Math.min(counts.total + 1, MAX_COUNT),
  passed: Math.min(counts.passed, MAX_COUNT - 1),
});

const countsOf = ({ counts, outcome }: SuiteRunEvent): SuiteCounts => {
  if (counts === null) return uncounted(outcome);
  const allPassed = counts.failed === 0 && counts.passed === counts.total;
  return outcome !== 'pass' && allPassed ? withError(counts) : counts;
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
