import { EXIT, type ExitCode } from '../exit-code.js';
import type { Session } from '../session.js';
import { reportOrKeep } from '../spool/report-or-keep.js';
import type { RecordOptions } from './record-options.js';
import { countsInWords, sayTestRun } from './say-test-run.js';
import type { ReportSum } from './sum-reports.js';
import { testRunEntry } from './test-run-entry.js';

/** What became of a run, as `--json` tells it. */
export interface RecordedRun {
  readonly report: 'sent' | 'kept' | 'lost' | 'empty' | 'not_recorded';
  readonly test_run_id: string | null;
  /** What it is kept by. */
  readonly reference: string | null;
  readonly url: string | null;
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  readonly skipped: number;
  /** Why reports are not to be taken at their word, each with its file; what they did not list is counted as errors. */
  readonly doubts: readonly string[];
  readonly files: readonly { readonly name: string; readonly format: string; readonly total: number }[];
}

type Sending = Pick<RecordedRun, 'report' | 'test_run_id' | 'reference' | 'url'>;

const NOTHING: ReportSum = { total: 0, passed: 0, failed: 0, skipped: 0, doubts: [], files: [] };

const asRecorded = (sum: ReportSum, sending: Sending): RecordedRun => ({
  ...sending,
  total: sum.total,
  passed: sum.passed,
  failed: sum.failed,
  errored: sum.total - sum.passed - sum.failed,
  skipped: sum.skipped,
  doubts: sum.doubts,
  files: sum.files.map(({ name, counts }) => ({ name, format: counts.format, total: counts.total })),
});

/** How a command ends that records a run: a report that is doubted fails the step, whatever becomes of the run. */
export const exitOfRun = ({ doubts }: Pick<ReportSum, 'doubts'>): ExitCode =>
  doubts.length === 0 ? EXIT.done : EXIT.report;

/** A run that was not recorded. */
export const unrecorded = (report: 'empty' | 'not_recorded'): RecordedRun =>
  asRecorded(NOTHING, { report, test_run_id: null, reference: null, url: null });

/**
 * Records what the reports say as one run, or keeps it during an outage; says what became of it. Failure (exit 2, 4) when it is
 * refused, (exit 5) during an outage when reports are strict. A dry run ends as the run itself would.
 */
export const recordSum = async (session: Session, sum: ReportSum, options: RecordOptions): Promise<RecordedRun> => {
  session.screen.say(`${countsInWords(sum)}.`);
  for (const doubt of sum.doubts) session.screen.warn(`${doubt}; recorded as errors.`);
  session.dryRunExit = exitOfRun(sum);
  const connection = await session.connect();
  const entry = await testRunEntry(session, connection, sum, options);
  const done = await reportOrKeep(session, connection, entry, options.strictReport ?? false);
  if (done.outcome === 'kept') {
    const report = done.reference === null ? 'lost' : 'kept';
    return asRecorded(sum, { report, test_run_id: null, reference: done.reference, url: null });
  }
  const url = await sayTestRun(session, connection, done);
  return asRecorded(sum, { report: 'sent', test_run_id: done.id, reference: null, url });
};
