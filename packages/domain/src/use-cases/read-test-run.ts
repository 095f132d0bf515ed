import { type TestRunView, testRunView } from '../attribution/test-run-view.js';
import type { Ports } from '../ports.js';
import { findTestRun, type TestRunPath } from './find-test-run.js';
import { weighTestRun } from './weigh-test-run.js';

export type ReadTestRun = TestRunPath;

/** One test run with its receipt and what it does to the score. @throws DomainError `not-found` */
export const readTestRun =
  (ports: Pick<Ports, 'lookups' | 'clock'>) =>
  async (command: ReadTestRun): Promise<TestRunView> => {
    const { testRun, target } = await findTestRun(ports, command);
    return weighTestRun(ports)(testRunView(testRun, target));
  };
