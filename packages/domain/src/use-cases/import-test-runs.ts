import type { Principal } from '../access/principal.js';
import { invalid } from '../errors.js';
import type { Ports } from '../ports.js';
import { isClosed } from '../release/release-transition.js';
import { type ImportOutcome, prepare, storePrepared } from '../report/import-outcome.js';
import {
  activeThen,
  type TestRunReport,
  targetRelease,
  testRunFaults,
  testRunFrom,
} from '../report/test-run-report.js';
import { findProject } from './in-project.js';
import { tellBatchReceipts } from './tell-receipts.js';

export interface ImportTestRuns {
  readonly principal: Principal;
  readonly teamId: string;
  readonly projectId: string;
  readonly records: readonly TestRunReport[];
}

/**
 * Stores past test runs, the good ones although others are refused; outcomes in input order.
 * A constant number of queries for any number of records.
 * @throws DomainError `not-found`, `forbidden`; `unavailable` when nothing could be stored
 */
export const importTestRuns =
  ({ stores, receipts, clock, newId }: Pick<Ports, 'stores' | 'receipts' | 'clock' | 'newId'>) =>
  async ({ principal, teamId, projectId, records }: ImportTestRuns): Promise<readonly ImportOutcome[]> => {
    await findProject(stores, { principal, teamId, projectId }, 'member');
    const now = clock();
    const targets = await stores.testRuns.targets(
      records.map((report) => ({ projectId, releaseId: report.releaseId, suite: null, at: activeThen(report, now) })),
    );
    const prepared = records.map((report, index) =>
      prepare(() => {
        const faults = testRunFaults(report, now);
        if (faults.length > 0) throw invalid(faults);
        const release = targetRelease(report, targets[index]?.release ?? null);
        const recording = { id: newId(), projectId, releaseId: release.id, recordedBy: principal.name, now };
        const testRun = testRunFrom(report, recording);
        return { id: testRun.id, entry: { kind: 'test_run', testRun, remember: null, afterwards: isClosed(release) } };
      }),
    );
    const outcomes = await storePrepared(stores.reports, prepared);
    await tellBatchReceipts({ stores, receipts }, prepared, outcomes);
    return outcomes;
  };
