import type { ReportCounts } from '../report/report-counts.js';

/** What a report says beside its counts, as the interface takes it. */
export const timesOf = ({ skipped, durationSeconds, ranAt }: ReportCounts) => ({
  skipped,
  ...(durationSeconds === undefined ? {} : { duration_seconds: durationSeconds }),
  ...(ranAt === undefined ? {} : { ran_at: new Date(ranAt).toISOString() }),
});
