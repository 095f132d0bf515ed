import type { Principal } from '../access/principal.js';
import { invalid } from '../errors.js';
import type { Ports } from '../ports.js';
import { type ImportOutcome, prepare, storePrepared } from '../report/import-outcome.js';
import { type TestRunReport, targetRelease, testRunFaults, testRunFrom } from '../report/test-run-report.js';
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
    const releaseIds = [...new Set(records.map((record) => record.releaseId))];
    const targets = await stores.testRuns.targets(
      releaseIds.map((releaseId) => ({ projectId, releaseId, suite: null })),
    );
    const found = new Map(releaseIds.map((releaseId, index) => [releaseId, targets[index]?.release ?? null]));
    const prepared = records.map((report) =>
      prepare(() => {
        const faults = testRunFaults(report, now);
        if (faults.length > 0) throw invalid(faults);
        const releaseId = targetRelease(report, found.get(report.releaseId) ?? null).id;
        const testRun = testRunFrom(report, { id: newId(), projectId, releaseId, recordedBy: principal.name, now });
        return { id: testRun.id, entry: { kind: 'test_run', testRun, remember: null } };
      }),
    );
    const outcomes = await storePrepared(stores.reports, prepared);
    await tellBatchReceipts({ stores, receipts }, prepared, outcomes);
    return outcomes;
  };
