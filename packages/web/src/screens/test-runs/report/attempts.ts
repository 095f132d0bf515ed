import type { Outcome } from './report-counts.js';

/**
 * The outcomes of one identity, in order, as tests. Failures with at most one pass, at the end, are attempts of one test, which
 * counts by the last one: nobody retries what passed. Anything else are several tests of one name. What was skipped is no attempt.
 */
export const testsOf = (outcomes: readonly Outcome[]): readonly Outcome[] => {
  const attempts = outcomes.filter((outcome) => outcome !== 'skipped');
  const passedFirst = attempts.indexOf('passed');
  const isOneTest = passedFirst === -1 || passedFirst === attempts.length - 1;
  return isOneTest ? [...outcomes.filter((outcome) => outcome === 'skipped'), ...attempts.slice(-1)] : outcomes;
};
