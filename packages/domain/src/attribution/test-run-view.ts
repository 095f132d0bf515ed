import type { TestRun } from '../test-run/test-run.js';
import type { TestRunTarget } from '../test-run/test-run-store.js';
import type { Attribution } from './attribution.js';
import { testRunAttribution } from './test-run-attribution.js';

/** A test run with its receipt. */
export interface TestRunView {
  readonly testRun: TestRun;
  readonly attribution: Attribution;
}

/** The view of a test run, from the target of its project, release and suite. */
export const testRunView = (testRun: TestRun, target: TestRunTarget): TestRunView => ({
  testRun,
  attribution: testRunAttribution(testRun, target),
});
