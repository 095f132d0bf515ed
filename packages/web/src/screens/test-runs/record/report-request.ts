import type { TestCounts } from '@shipworthy/test-reports';

/** What a report says beside its counts, as the interface takes it. */
export const timesOf = ({ skipped, durationSeconds, ranAt }: TestCounts) => ({
  skipped,
  ...(durationSeconds === undefined ? {} : { duration_seconds: durationSeconds }),
  ...(ranAt === undefined ? {} : { ran_at: new Date(ranAt).toISOString() }),
});
